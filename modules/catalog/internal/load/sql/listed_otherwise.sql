-- Notes the advisers of a list for whom it is another day now since which no list names them.
INSERT INTO b_listed SELECT a.crd
FROM catalog.advisers a
JOIN (SELECT DISTINCT crd FROM catalog.listings WHERE series = $series$) l USING (crd)
LEFT JOIN n_unlisted n USING (crd)
WHERE a.not_listed_since IS DISTINCT FROM n.not_listed_since
