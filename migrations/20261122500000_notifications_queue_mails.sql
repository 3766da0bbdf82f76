-- Notifications: the queue of mails, who wants which, and the addresses that do not exist.

-- +goose Up
CREATE SCHEMA notifications;

-- Mails that other modules and jobs have asked for. A row is claimed with a lease, and asked again about at delivery.
CREATE TABLE notifications.queue (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind        text NOT NULL,                     -- of the registry: trial_ending, activity_digest
    category    text NOT NULL,                     -- of the kind, when the row was added
    user_id     bigint NOT NULL,
    natural_key text NOT NULL UNIQUE,              -- one mail for each; the Message-ID follows from it
    data        jsonb NOT NULL,                    -- what the kind's template needs besides the account
    state       text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'suppressed')),
    reason      text,                              -- of failed and suppressed; of queued: why the last try failed
    attempts    integer NOT NULL DEFAULT 0,        -- claims so far; names the claim that may finish the row
    lease_until timestamptz,                       -- of sending: from then on another worker may claim the row
    not_before  timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    sent_at     timestamptz,                       -- when the mail server had accepted the mail
    message_id  text NOT NULL,                     -- before the @
    CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
    CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
-- The order of claims: what waits by its time, and what is being sent by the end of its lease.
CREATE INDEX queue_due ON notifications.queue (coalesce(lease_until, not_before), id) WHERE state IN ('queued', 'sending');
CREATE INDEX queue_account ON notifications.queue (user_id, kind, id);
CREATE INDEX queue_sent ON notifications.queue (kind, sent_at) WHERE state = 'sent';

-- The mails of a kind that an account gets on one day, by their rows in the queue: no more than the registry allows.
CREATE TABLE notifications.daily (
    user_id bigint NOT NULL,
    kind    text NOT NULL,
    day     date NOT NULL,                         -- UTC
    mails   bigint[] NOT NULL,                     -- notifications.queue.id
    PRIMARY KEY (user_id, kind, day)
);
CREATE INDEX daily_day ON notifications.daily (day);

-- Which mails an account wants. Without a row: all. Mails of category account cannot be refused.
CREATE TABLE notifications.preferences (
    user_id         bigint PRIMARY KEY,
    billing         boolean NOT NULL,
    activity_digest boolean NOT NULL,
    market_intel    boolean NOT NULL,
    product         boolean NOT NULL,
    updated_at      timestamptz NOT NULL
);

-- Addresses that mail servers have refused for good. From the second time on they get no mail that can be refused.
CREATE TABLE notifications.bounces (
    address_hash bytea PRIMARY KEY,                -- HMAC-SHA-256 of the address in lower case, with the key of link_keys
    bounces      integer NOT NULL,
    first_at     timestamptz NOT NULL,
    last_at      timestamptz NOT NULL,
    last_mail    bigint NOT NULL                   -- notifications.queue.id: a try that is repeated counts once
);

-- The key of the tokens in unsubscribe links, which do not expire. The first process that needs it makes it.
CREATE TABLE notifications.link_keys (
    id         smallint PRIMARY KEY CHECK (id = 1),
    key        bytea NOT NULL CHECK (length(key) = 32),
    created_at timestamptz NOT NULL
);

-- +goose Down
DROP SCHEMA notifications CASCADE;
