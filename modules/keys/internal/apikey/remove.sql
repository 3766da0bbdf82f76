WITH ended AS (DELETE FROM keys.api_keys WHERE user_id = @user RETURNING encode(hash, 'hex') AS hash)
SELECT hash FROM ended, pg_notify(@channel, hash)
