INSERT INTO people.lp_matched (arrival) VALUES (@arrival)
ON CONFLICT (only_row) DO UPDATE SET arrival = excluded.arrival
