-- The notices of a table, with what links them to others.
SELECT accession, coalesce(file_number, ''), coalesce(previous_accession, '')
FROM $table$ ORDER BY accession COLLATE "C"
