INSERT INTO keys.free_calls AS f (user_id, used) VALUES (@user, 1)
ON CONFLICT (user_id) DO UPDATE SET used = f.used + 1 WHERE f.used < @limit
