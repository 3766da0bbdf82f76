SELECT product, count(*) AS units
FROM billing.entitlements
WHERE user_id = @user
GROUP BY product
ORDER BY product
