-- The rows that one of the two has and the other has not.
(SELECT 'oracle' AS by, to_jsonb(x)::text AS says FROM (SELECT $columns$ FROM $oracle$ EXCEPT ALL SELECT $columns$ FROM $table$) x)
UNION ALL
(SELECT 'loader', to_jsonb(x)::text FROM (SELECT $columns$ FROM $table$ EXCEPT ALL SELECT $columns$ FROM $oracle$) x)
ORDER BY 2, 1 LIMIT 20
