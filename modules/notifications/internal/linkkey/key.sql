INSERT INTO notifications.link_keys (id, key, created_at) VALUES (1, @key, @now)
ON CONFLICT (id) DO NOTHING
