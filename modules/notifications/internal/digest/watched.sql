-- The GPs that some accounts watch with alerts on, and since when.
SELECT user_id, adviser_crd AS crd, created_at FROM accounts.pub_watch
WHERE user_id = ANY(@users::bigint[]) AND alert_enabled
ORDER BY user_id
