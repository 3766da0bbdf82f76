-- +goose Up
-- Mails about the trial are of category account, which cannot be disabled. What administrators have added is not of that category any more.
UPDATE notifications.kinds SET category = 'account', enabled = true WHERE id IN ('trial_ending', 'trial_ended');
UPDATE notifications.kinds SET category = 'product' WHERE category = 'account' AND id NOT IN ('trial_ending', 'trial_ended');

-- +goose Down
UPDATE notifications.kinds SET category = 'billing' WHERE id IN ('trial_ending', 'trial_ended');
