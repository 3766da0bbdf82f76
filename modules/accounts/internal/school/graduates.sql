-- What the program has given: a subscribed plan replaces the tier's name, a subscribed API tier is marked.
SELECT id, email, given_plan, given_tier
FROM accounts.users, LATERAL (
	SELECT tier = school || '_student' AS given_plan, api_tier = 'growth' AND NOT api_tier_subscribed AS given_tier
) AS given
WHERE school IS NOT NULL AND (given_plan OR given_tier) AND graduation_year < @year AND deleted_at IS NULL
ORDER BY id LIMIT @limit FOR UPDATE OF users
