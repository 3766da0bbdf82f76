-- +goose Up
CREATE SCHEMA accounts;

-- One row a person. Deleting sets deleted_at; the purge, thirty days later, removes the row and what hangs on it.
CREATE TABLE accounts.users (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email            text NOT NULL,                -- as registered
    email_key        text NOT NULL UNIQUE,         -- by which it is found: lower case, normalised
    full_name        text NOT NULL,
    company          text,
    job_title        text,
    use_case         text,
    marketing_consent boolean NOT NULL DEFAULT false,
    password_hash    text NOT NULL,                -- argon2id, PHC string
    email_verified_at timestamptz,
    tier             text NOT NULL,                -- registration tier: <school>_student, student, free_trial
    school           text,                         -- slug of the school, of graduate-class addresses
    graduation_year  integer,
    subscription_plan text NOT NULL CHECK (subscription_plan IN ('free', 'starter', 'pro', 'enterprise')),
    api_tier         text NOT NULL CHECK (api_tier IN ('starter', 'growth', 'scale')),
    trial_ends_at    timestamptz,                  -- of a trial that goes on; null = none, or over
    trial_noticed_at timestamptz,                  -- when its holder was told that it ends soon
    onboarding_step  integer NOT NULL DEFAULT 1 CHECK (onboarding_step BETWEEN 1 AND 3),
    onboarding_completed boolean NOT NULL DEFAULT false,
    is_admin         boolean NOT NULL DEFAULT false,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    last_login_at    timestamptz,
    deleted_at       timestamptz
);
CREATE INDEX users_trial ON accounts.users (trial_ends_at) WHERE trial_ends_at IS NOT NULL;
CREATE INDEX users_deleted ON accounts.users (deleted_at) WHERE deleted_at IS NOT NULL;

-- Sessions that have ended stay for the export, until the purge or ninety days.
CREATE TABLE accounts.sessions (
    id          text PRIMARY KEY CHECK (id LIKE 'sess\_%'),
    user_id     bigint NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    device      text NOT NULL,
    ip_address  text NOT NULL,
    location    text,
    created_at  timestamptz NOT NULL,
    last_active timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,              -- of its newest refresh token
    ended_at    timestamptz,
    ended_by    text CHECK (ended_by IN ('logout', 'login', 'user', 'password', 'deletion', 'reuse', 'operator'))
);
CREATE INDEX sessions_user ON accounts.sessions (user_id) WHERE ended_at IS NULL;

-- A refresh token is used once; one that comes back ends its session.
CREATE TABLE accounts.refresh_tokens (
    hash       bytea PRIMARY KEY,                  -- SHA-256
    session_id text NOT NULL REFERENCES accounts.sessions (id) ON DELETE CASCADE,
    issued_at  timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX refresh_tokens_session ON accounts.refresh_tokens (session_id);

-- Tokens that are mailed: to verify an address, to reset a password. Each is good once.
CREATE TABLE accounts.mail_tokens (
    hash       bytea PRIMARY KEY,                  -- SHA-256
    user_id    bigint NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    purpose    text NOT NULL CHECK (purpose IN ('verify', 'reset')),
    email_key  text NOT NULL,                      -- the address it was sent to
    issued_at  timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX mail_tokens_user ON accounts.mail_tokens (user_id, purpose);

-- What is throttled: sign-ins that failed, mails asked for. subject is a hash: addresses that are unknown are not kept.
CREATE TABLE accounts.attempts (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind    text NOT NULL CHECK (kind IN ('login_email', 'login_ip', 'verify', 'forgot')),
    subject bytea NOT NULL,
    at      timestamptz NOT NULL
);
CREATE INDEX attempts_subject ON accounts.attempts (kind, subject, at);
CREATE INDEX attempts_at ON accounts.attempts (at);

-- Answers to the school programme's survey, one a calendar month (UTC).
CREATE TABLE accounts.survey_answers (
    user_id     bigint NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    month       date NOT NULL CHECK (extract(day FROM month) = 1),
    answers     jsonb NOT NULL,
    answered_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, month)
);

-- What other modules may read.
CREATE VIEW accounts.pub_account AS
SELECT id, email, full_name, email_verified_at IS NOT NULL AS email_verified, tier, subscription_plan, api_tier, trial_ends_at,
       is_admin, created_at
FROM accounts.users WHERE deleted_at IS NULL;

-- +goose Down
DROP SCHEMA accounts CASCADE;
