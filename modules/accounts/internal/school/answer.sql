INSERT INTO accounts.survey_answers (user_id, month, answers, answered_at)
VALUES (@user, to_date(@month, 'YYYY-MM-DD'), @answers::text::jsonb, @now)
ON CONFLICT (user_id, month) DO NOTHING
