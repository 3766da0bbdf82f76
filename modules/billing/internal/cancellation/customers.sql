-- The account's own customer, and those of subscriptions that events have told of.
SELECT stripe_customer FROM billing.accounts WHERE user_id = @user AND stripe_customer IS NOT NULL
UNION
SELECT customer FROM billing.subscriptions WHERE user_id = @user AND NOT deleted AND customer <> ''
ORDER BY 1
