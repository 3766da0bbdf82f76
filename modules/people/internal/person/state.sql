-- What an index of names depends on: what was read of the catalogue, the operator's words, and who was enriched last.
SELECT coalesce((SELECT processed_at || ' ' || arrival FROM people.progress), '') || ' ' || (SELECT count(*) FROM people.suppressions)
	|| ' ' || (SELECT count(*) FROM people.merges) || ' ' || (SELECT count(*) FROM people.splits) AS basis,
	coalesce((SELECT max(last_at) FROM people.enriched_firms), 'epoch') AS enriched, (SELECT count(*) FROM people.enriched_firms) AS firms
