INSERT INTO catalog.fund_services AS k SELECT * FROM d_service
ON CONFLICT (fund_id) DO UPDATE SET stated = excluded.stated, services = excluded.services
WHERE (k.stated, k.services) IS DISTINCT FROM (excluded.stated, excluded.services)
