-- +goose Up
-- Registrations and reset mails asked for are counted for each place, too.
ALTER TABLE accounts.attempts DROP CONSTRAINT attempts_kind_check;
ALTER TABLE accounts.attempts ADD CONSTRAINT attempts_kind_check
    CHECK (kind IN ('login_pair', 'login_ip', 'login_email', 'verify', 'forgot', 'forgot_refused', 'export', 'mail_ip'));

-- +goose Down
DELETE FROM accounts.attempts WHERE kind = 'mail_ip';
ALTER TABLE accounts.attempts DROP CONSTRAINT attempts_kind_check;
ALTER TABLE accounts.attempts ADD CONSTRAINT attempts_kind_check
    CHECK (kind IN ('login_pair', 'login_ip', 'login_email', 'verify', 'forgot', 'forgot_refused', 'export'));
