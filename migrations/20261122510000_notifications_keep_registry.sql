-- +goose Up
-- What administrators have changed of the built-in kinds of mail, and the kinds that they have added.
CREATE TABLE notifications.kinds (
    id          text PRIMARY KEY CHECK (id ~ '^[a-z][a-z0-9]*(_[a-z0-9]+)*$' AND length(id) <= 50),
    name        text NOT NULL,
    description text NOT NULL,
    category    text NOT NULL CHECK (category IN ('account', 'billing', 'activity_digest', 'market_intel', 'product')),
    enabled     boolean NOT NULL,
    max_per_day integer NOT NULL CHECK (max_per_day BETWEEN 1 AND 100),
    subject     text,                              -- of added kinds; the texts of the others are part of the program
    text        text,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    updated_by  bigint,                            -- accounts.users.id; null once the account is purged
    CHECK (enabled OR category <> 'account'),
    CHECK ((subject IS NULL) = (text IS NULL))
);

-- Mails whose links and pixel are counted. The id is in the address of the pixel: 128 random bits.
CREATE TABLE notifications.tracked_mails (
    id         text PRIMARY KEY,
    queue_id   bigint NOT NULL UNIQUE,             -- notifications.queue.id: a further try of a mail has the same addresses
    user_id    bigint NOT NULL,
    kind       text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX tracked_mails_account ON notifications.tracked_mails (user_id, created_at);
CREATE INDEX tracked_mails_kind ON notifications.tracked_mails (kind, created_at);
CREATE INDEX tracked_mails_age ON notifications.tracked_mails (created_at);

-- Where the links of a mail lead. The id is in the address of the link: 128 random bits.
CREATE TABLE notifications.tracked_links (
    id          text PRIMARY KEY,
    mail_id     text NOT NULL REFERENCES notifications.tracked_mails (id) ON DELETE CASCADE,
    destination text NOT NULL,
    hidden      boolean NOT NULL                   -- people do not see it: who follows it is a machine
);
CREATE INDEX tracked_links_mail ON notifications.tracked_links (mail_id);

-- Openings (link_id is empty) and clicks, by whether a machine made them. Neither addresses nor user agents are kept.
CREATE TABLE notifications.hits (
    mail_id  text NOT NULL REFERENCES notifications.tracked_mails (id) ON DELETE CASCADE,
    link_id  text NOT NULL,
    machine  boolean NOT NULL,
    count    bigint NOT NULL,
    first_at timestamptz NOT NULL,
    last_at  timestamptz NOT NULL,
    PRIMARY KEY (mail_id, link_id, machine)
);

-- +goose Down
DROP TABLE notifications.hits;
DROP TABLE notifications.tracked_links;
DROP TABLE notifications.tracked_mails;
DROP TABLE notifications.kinds;
