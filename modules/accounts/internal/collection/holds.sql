SELECT coalesce(bool_or(adviser_crd = @crd), false) AS there, count(*) AS n
FROM accounts.collection_items
WHERE collection_id = @id
