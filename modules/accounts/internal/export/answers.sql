SELECT to_char(a.month, 'YYYY-MM') AS month, a.answers::text AS answers, a.answered_at
FROM accounts.survey_answers a
WHERE a.user_id = @user
ORDER BY a.month
