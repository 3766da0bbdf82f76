SELECT at
FROM accounts.attempts
WHERE kind = @kind AND subject = @subject AND at > @after
ORDER BY at DESC, id DESC LIMIT 1 OFFSET @newer
