-- The intent to send one mail about the limit of accounts without a subscription, as charge.sql writes it where a charge fits exactly.
INSERT INTO billing.alerts (user_id, period, threshold, cap_micros, spent_micros, crossed_at)
VALUES (@user, @month::date, @limit::smallint, @unbacked::bigint,
	coalesce((SELECT spent_micros FROM billing.accounts WHERE user_id = @user AND period = @month::date), 0), @at)
ON CONFLICT DO NOTHING
