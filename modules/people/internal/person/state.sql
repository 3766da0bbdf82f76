-- What an index of names depends on: what was read of the catalogue, the names of its advisers, the operator's words, and who was enriched
-- last.
SELECT coalesce((SELECT processed_at || ' ' || arrival FROM people.progress), '') || ' ' || (SELECT count(*) FROM people.suppressions)
	|| ' ' || (SELECT coalesce(max(created_at)::text, '') FROM people.suppressions) || ' '
	|| (SELECT count(*) || ' ' || coalesce(max(id), 0) FROM people.decisions) || ' ' || (SELECT seq FROM catalog.pub_publication) AS basis,
	coalesce((SELECT max(last_at) FROM people.enriched_firms), 'epoch') AS enriched, (SELECT count(*) FROM people.enriched_firms) AS firms
