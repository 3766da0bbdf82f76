UPDATE people.enrichments SET lease_until = @lease WHERE id = @id AND state = 'running' AND runs = @runs
