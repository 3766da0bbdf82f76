-- +goose Up
-- Public job boards of advisers, as an operator has configured them.
CREATE TABLE people.boards (
    crd            text NOT NULL COLLATE "C",
    vendor         text NOT NULL COLLATE "C" CHECK (vendor IN ('greenhouse', 'lever', 'lever-eu', 'ashby')),
    token          text NOT NULL COLLATE "C", -- the board's name at the vendor
    from_file      boolean NOT NULL,          -- loaded from recorded files, and never fetched
    added_at       timestamptz NOT NULL,
    etag           text NOT NULL DEFAULT '',  -- of the last listing that was applied; empty: none
    last_modified  text NOT NULL DEFAULT '',
    checked_at     timestamptz,               -- last attempt
    succeeded_at   timestamptz,               -- last listing that was applied
    observed_since timestamptz,               -- first of the listings that followed one another without a long gap
    doubted_at     timestamptz,               -- when a listing first had hardly any of the postings; null: it is not in doubt
    failures       integer NOT NULL DEFAULT 0, -- in a row
    failure        text,                      -- the last one; null: the last attempt succeeded
    retry_at       timestamptz,               -- not fetched before; null: when it is due
    leased_until   timestamptz,               -- a worker fetches it until then at most
    PRIMARY KEY (crd, vendor, token)
);

CREATE TABLE people.postings (
    crd             text NOT NULL COLLATE "C",
    vendor          text NOT NULL COLLATE "C",
    token           text NOT NULL COLLATE "C",
    posting_id      text NOT NULL COLLATE "C",
    title           text NOT NULL,
    department      text NOT NULL, -- in the vendor's words; these four are empty where the board does not say
    location        text NOT NULL,
    employment_type text NOT NULL,
    url             text NOT NULL,
    posted_at       timestamptz,   -- as the board says
    first_seen      timestamptz NOT NULL,
    last_seen       timestamptz NOT NULL,
    closed_at       timestamptz,   -- first listing without it; null: it is open
    PRIMARY KEY (crd, vendor, token, posting_id),
    FOREIGN KEY (crd, vendor, token) REFERENCES people.boards ON DELETE CASCADE
);
CREATE INDEX postings_closed ON people.postings (closed_at) WHERE closed_at IS NOT NULL;

-- Vendors that are left alone for a while, because they failed or asked for it.
CREATE TABLE people.board_vendors (
    vendor     text PRIMARY KEY COLLATE "C",
    failures   integer NOT NULL, -- in a row
    rest_until timestamptz
);

-- +goose Down
DROP TABLE people.postings, people.boards, people.board_vendors;
