SELECT id
FROM accounts.pub_account
WHERE lower(email) = lower(@email)
