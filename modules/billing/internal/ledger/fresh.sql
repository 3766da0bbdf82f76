-- Those of some units that an account does not own. It is asked under the lock of the account.
SELECT unit
FROM unnest(@units::text[]) AS u (unit)
WHERE NOT EXISTS (SELECT FROM billing.entitlements e WHERE e.user_id = @user AND e.product = @product AND e.unit = u.unit)
ORDER BY unit
