-- By field, of registered and of exempt advisers: of the rows that the newest filings in a document and the filings before them (see pairs.sql)
-- both state, how many have another value, and how many of these are of the adviser that has most of them.
WITH counted AS (
    SELECT f.crd, f.exempt, $counts$
    FROM d_pair f
    JOIN $staged$ n ON n.accession = f.accession
    JOIN $final$ o ON o.accession = f.before AND $match$
    GROUP BY 1, 2
)
SELECT x.field, c.exempt, sum(x.compared)::bigint AS compared, sum(x.changed)::bigint AS changed, max(x.changed) AS most
FROM counted c
CROSS JOIN LATERAL (VALUES $fields$) x (field, compared, changed)
GROUP BY 1, 2
