-- By adviser: the rows of a list in its filing before (see pairs.sql), how many of them its newest filing in the document lacks, whatever new
-- ones it has, and how many of those another filing of the document states.
SELECT f.crd, f.exempt, $list$ AS list, f.before = f.accession AS again, count(*) AS had, count(*) FILTER (WHERE n.accession IS NULL) AS gone,
    count(*) FILTER (WHERE n.accession IS NULL AND e.key IS NOT NULL) AS elsewhere
FROM d_pair f
JOIN $final$ o ON o.accession = f.before AND $said$
LEFT JOIN (SELECT DISTINCT accession, $key$ AS key FROM $staged$ c) n ON n.accession = f.accession AND n.key = $key of o$
LEFT JOIN (SELECT DISTINCT $key$ AS key FROM $staged$ c) e ON e.key = $key of o$
GROUP BY 1, 2, 3, 4
