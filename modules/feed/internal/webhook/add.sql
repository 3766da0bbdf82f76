INSERT INTO feed.endpoints (id, user_id, url, kinds, scope, crds, collection_id, mode, header_names, headers, state, why, position, created_at, updated_at)
VALUES (@id, @user, @url, @kinds, @scope, @crds, @collection, @mode, @names, @headers, @state, @why, @position, @created, @updated)
