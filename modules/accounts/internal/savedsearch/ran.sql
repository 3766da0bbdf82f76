UPDATE accounts.saved_searches SET last_run_at = @now, last_match_count = @matches
WHERE id = @id AND user_id = @user AND filters = @filters::jsonb AND (last_run_at IS NULL OR last_run_at <= @now)
