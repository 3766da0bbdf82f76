-- +goose Up
-- GPs that a person watches. The catalogue's numbers stand without a reference: other schemas are not referred to.
CREATE TABLE accounts.watchlist_items (
    id              uuid PRIMARY KEY,
    user_id         bigint NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    adviser_crd     text NOT NULL,
    canonical_gp_id bigint NOT NULL,               -- when it was added
    alert_enabled   boolean NOT NULL DEFAULT true,
    created_at      timestamptz NOT NULL,
    UNIQUE (user_id, adviser_crd)
);
CREATE INDEX watchlist_items_user ON accounts.watchlist_items (user_id, created_at DESC, id);
CREATE INDEX watchlist_items_adviser ON accounts.watchlist_items (adviser_crd, user_id);

-- GPs that a person keeps together under a name.
CREATE TABLE accounts.collections (
    id          uuid PRIMARY KEY,
    user_id     bigint NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    name        text NOT NULL,                     -- as written
    name_key    text NOT NULL,                     -- by which it is unique: lower case, normalised
    description text,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,              -- of its name, its description, or what is in it
    UNIQUE (user_id, name_key)
);

CREATE TABLE accounts.collection_items (
    collection_id uuid NOT NULL REFERENCES accounts.collections (id) ON DELETE CASCADE,
    adviser_crd   text NOT NULL,
    added_at      timestamptz NOT NULL,
    PRIMARY KEY (collection_id, adviser_crd)
);

-- +goose Down
DROP TABLE accounts.collection_items;
DROP TABLE accounts.collections;
DROP TABLE accounts.watchlist_items;
