-- Numbers are drawn after the sort and under the lock, so that they follow the order of commits. All events of a call have one instant.
INSERT INTO platform.changes (seq, at, kind, crd, subject, accession, day, arrival, said)
SELECT nextval('platform.changes_seq'), (SELECT greatest(clock_timestamp(), (SELECT max(at) FROM platform.changes))),
	e.kind, e.crd, e.subject, e.accession, e.day, e.arrival, e.said
FROM (SELECT * FROM ($query$) q ORDER BY crd COLLATE "C", kind COLLATE "C", subject COLLATE "C", accession COLLATE "C") e
