INSERT INTO people.progress (processed_at, arrival) VALUES (@processed, @arrival)
ON CONFLICT (only_row) DO UPDATE SET processed_at = excluded.processed_at, arrival = excluded.arrival
