UPDATE feed.endpoints
SET url = @url, kinds = @kinds, scope = @scope, crds = @crds, collection_id = @collection, mode = @mode, header_names = @names, headers = @headers,
	state = @state, why = @why, failing_since = @since, streak = @streak, updated_at = @updated
WHERE id = @id AND user_id = @user
