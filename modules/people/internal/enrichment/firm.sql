INSERT INTO people.enriched_firms AS f (crd, first_at, last_at) VALUES (@crd, @now, @now)
ON CONFLICT (crd) DO UPDATE SET last_at = greatest(f.last_at, excluded.last_at)
