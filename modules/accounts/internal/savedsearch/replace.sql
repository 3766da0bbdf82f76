UPDATE accounts.saved_searches SET
	name = @name, updated_at = @now, filters = @filters::jsonb,
	last_run_at = CASE WHEN filters = @filters::jsonb THEN last_run_at END,
	last_match_count = CASE WHEN filters = @filters::jsonb THEN last_match_count END
WHERE id = @id AND user_id = @user
RETURNING id, user_id, name, filters, last_run_at, last_match_count, created_at, updated_at
