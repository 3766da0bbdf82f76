INSERT INTO catalog.records AS r SELECT * FROM d_record
ON CONFLICT (crd) DO UPDATE SET encoding = excluded.encoding, others = excluded.others, filed = excluded.filed
WHERE (r.encoding, r.others, r.filed) IS DISTINCT FROM (excluded.encoding, excluded.others, excluded.filed);
