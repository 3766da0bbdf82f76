-- Boards that were not read after a time. One that was never read counts from when it was added.
SELECT b.crd, coalesce(g.legal_name, '') AS firm, b.vendor, b.token, b.added_at, b.succeeded_at, b.failure, count(*) OVER () AS total
FROM people.boards b LEFT JOIN catalog.pub_gp g USING (crd)
WHERE coalesce(b.succeeded_at, b.added_at) <= @until
ORDER BY coalesce(b.succeeded_at, b.added_at), b.crd, b.vendor, b.token LIMIT @limit
