-- Those of some units that an account owns.
SELECT unit
FROM billing.entitlements
WHERE user_id = @user AND product = @product AND unit = ANY (@units::text[])
