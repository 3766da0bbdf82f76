INSERT INTO people.lp_matched (publication) VALUES (@publication)
ON CONFLICT (only_row) DO UPDATE SET publication = excluded.publication
