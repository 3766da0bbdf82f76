SELECT c.id, c.name, c.description, c.created_at, c.updated_at,
	(SELECT count(*) FROM accounts.collection_items i WHERE i.collection_id = c.id) AS item_count
FROM accounts.collections c
WHERE c.user_id = @user AND (@id = '' OR c.id = nullif(@id, '')::uuid)
ORDER BY c.created_at DESC, c.id
