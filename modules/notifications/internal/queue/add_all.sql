INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, not_before, created_at, message_id)
SELECT @kind, @category, m.user_id, m.key, m.data::jsonb, @now, @now, m.message_id
FROM unnest(@users::bigint[], @keys::text[], @data::text[], @message_ids::text[]) AS m(user_id, key, data, message_id)
ORDER BY m.key COLLATE "C" -- two runs at once wait for each other, and not in a circle
ON CONFLICT (natural_key) DO NOTHING
