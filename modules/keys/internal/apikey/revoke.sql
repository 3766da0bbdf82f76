WITH ended AS (
	UPDATE keys.api_keys SET revoked_at = @now
	WHERE user_id = @user AND (@id = '' OR id::text = @id) AND revoked_at IS NULL
	RETURNING encode(hash, 'hex') AS hash
)
SELECT hash FROM ended, pg_notify(@channel, hash)
