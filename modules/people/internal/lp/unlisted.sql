-- The days of which earlier documents of a list's name state something of an LP that the list does not have on that day.
CREATE TEMPORARY TABLE lp_unlisted ON COMMIT DROP AS
SELECT k.lp_id, k.as_of
FROM people.lp_listings k
WHERE k.run_id = ANY (@before::bigint[]) AND (@dated OR k.as_of IN (SELECT as_of FROM lp_list)) AND EXISTS (SELECT FROM lp_taken_back)
	AND NOT EXISTS (SELECT FROM lp_list_lps n JOIN people.lps l USING (name_key, state) WHERE l.id = k.lp_id AND n.as_of = k.as_of)
