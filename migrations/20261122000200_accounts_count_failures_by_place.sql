-- +goose Up
-- Failed sign-ins are counted for each e-mail address from each place, too; exports are counted for each account.
ALTER TABLE accounts.attempts DROP CONSTRAINT attempts_kind_check;
ALTER TABLE accounts.attempts ADD CONSTRAINT attempts_kind_check
    CHECK (kind IN ('login_pair', 'login_ip', 'login_email', 'verify', 'forgot', 'forgot_refused', 'export'));
-- A reset clears what was counted for an address in all places: the first half of subject is the address's.
CREATE INDEX attempts_whom ON accounts.attempts (kind, substring(subject FOR 16));

-- +goose Down
DROP INDEX accounts.attempts_whom;
DELETE FROM accounts.attempts WHERE kind IN ('login_pair', 'export');
ALTER TABLE accounts.attempts DROP CONSTRAINT attempts_kind_check;
ALTER TABLE accounts.attempts ADD CONSTRAINT attempts_kind_check
    CHECK (kind IN ('login_email', 'login_ip', 'verify', 'forgot', 'forgot_refused'));
