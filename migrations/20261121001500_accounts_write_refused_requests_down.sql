-- +goose Up
-- A request for a reset link that comes too often is written down as well, so that it takes as long as one that does not.
ALTER TABLE accounts.attempts DROP CONSTRAINT attempts_kind_check;
ALTER TABLE accounts.attempts ADD CONSTRAINT attempts_kind_check
    CHECK (kind IN ('login_email', 'login_ip', 'verify', 'forgot', 'forgot_refused'));

-- +goose Down
DELETE FROM accounts.attempts WHERE kind = 'forgot_refused';
ALTER TABLE accounts.attempts DROP CONSTRAINT attempts_kind_check;
ALTER TABLE accounts.attempts ADD CONSTRAINT attempts_kind_check CHECK (kind IN ('login_email', 'login_ip', 'verify', 'forgot'));
