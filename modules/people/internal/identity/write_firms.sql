INSERT INTO people.firms AS f SELECT * FROM r_firm
ON CONFLICT (crd) DO UPDATE SET schedules = excluded.schedules, schedules_from = excluded.schedules_from,
	schedules_until = excluded.schedules_until, notices = excluded.notices, notices_until = excluded.notices_until
WHERE (f.schedules, f.schedules_from, f.schedules_until, f.notices, f.notices_until)
	IS DISTINCT FROM (excluded.schedules, excluded.schedules_from, excluded.schedules_until, excluded.notices, excluded.notices_until)
