-- By adviser and list, of its newest filing in the document and the filing before it (see pairs.sql):
--   had        rows of the filing before
--   gone       those that the newest filing lacks, whatever new rows it has
--   elsewhere  those of gone that another filing of the document states
--   taken      new rows that the filing before of another adviser had
WITH now AS MATERIALIZED (SELECT DISTINCT c.accession, $key$ AS key FROM $staged$ c),
before AS MATERIALIZED (SELECT f.accession, $list$ AS list, $key of o$ AS key FROM d_pair f JOIN $final$ o ON o.accession = f.before AND $said$),
counted AS (
    SELECT b.accession, b.list, 1 AS had, (n.key IS NULL)::int AS gone, (n.key IS NULL AND e.key IS NOT NULL)::int AS elsewhere, 0 AS taken
    FROM before b
    LEFT JOIN now n ON n.accession = b.accession AND n.key = b.key
    LEFT JOIN (SELECT DISTINCT key FROM now) e ON e.key = b.key
    UNION ALL
    SELECT n.accession, h.list, 0, 0, 0, 1
    FROM now n
    JOIN (SELECT DISTINCT list, key FROM before) h ON h.key = n.key
    LEFT JOIN (SELECT DISTINCT accession, key FROM before) b ON b.accession = n.accession AND b.key = n.key
    WHERE b.key IS NULL
)
SELECT f.crd, f.exempt, c.list, f.before = f.accession AS again, sum(had) AS had, sum(gone) AS gone, sum(elsewhere) AS elsewhere, sum(taken) AS taken
FROM counted c
JOIN d_pair f USING (accession)
GROUP BY 1, 2, 3, 4
