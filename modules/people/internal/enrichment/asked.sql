INSERT INTO people.enrichment_askers AS a (enrichment_id, user_id, asked_at, started) VALUES (@id, @user, @now, @started)
ON CONFLICT (enrichment_id, user_id) DO NOTHING
