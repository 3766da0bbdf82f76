-- Counts the filings of a document by what the catalog knew of them.
SELECT count(*) FILTER (WHERE state = 'new'), count(*) FILTER (WHERE state IN ('changed', 'completed')), count(*) FILTER (WHERE state = 'same')
FROM $table$
