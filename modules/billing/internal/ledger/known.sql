-- Whether there is, or was, an account with a number. Deleted accounts are known by what they were charged.
SELECT EXISTS (SELECT FROM accounts.pub_account WHERE id = @user) OR EXISTS (SELECT FROM billing.accounts WHERE user_id = @user)
