-- How far the digests of each account have come.

-- +goose Up
CREATE TABLE notifications.digests (
    user_id  bigint PRIMARY KEY,
    day      date NOT NULL,        -- of the last run that looked at the account
    low      bigint NOT NULL,      -- the last digest told of what arrived after this (catalog.pub_arrival) …
    low_at   timestamptz NOT NULL, -- … and since then
    high     bigint NOT NULL,      -- up to this; where there was nothing to tell, everything up to this is known
    high_at  timestamptz NOT NULL,
    mail     text,                 -- notifications.queue.natural_key of the last digest; null where there was nothing to tell
    CHECK (low <= high)
);

-- +goose Down
DROP TABLE notifications.digests;
