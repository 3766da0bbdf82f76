-- Notes the advisers whose not_listed_since changes with this edition. A form of that day or later clears it, as in the fold (filedSince).
-- Without this condition, each edition would change the advisers that have filed since. $listed$ are the advisers that the list names or named.
WITH n AS ($unlisted$)
INSERT INTO b_listed SELECT a.crd
FROM catalog.advisers a
JOIN ($listed$) l USING (crd)
LEFT JOIN n ON n.crd = a.crd
	AND NOT EXISTS (SELECT 1 FROM catalog.filings f WHERE f.crd = n.crd AND f.filing_date >= n.day AND f.form_type IN ('ADV', 'ADV/A'))
WHERE a.not_listed_since IS DISTINCT FROM n.day
