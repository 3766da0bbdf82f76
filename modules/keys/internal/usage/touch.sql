UPDATE keys.api_keys k SET last_used_at = n.at
FROM (SELECT id, at FROM unnest(@keys::uuid[], @at::timestamptz[]) AS u (id, at) ORDER BY id) n
WHERE k.id = n.id AND (k.last_used_at IS NULL OR k.last_used_at <= n.at - interval '1 minute')
