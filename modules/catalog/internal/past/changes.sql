SELECT p.seq, a.known_at, a.processed_at
FROM (SELECT arrival, max(seq) AS seq FROM catalog.publications GROUP BY arrival) p JOIN catalog.arrivals a USING (arrival)
ORDER BY a.known_at
