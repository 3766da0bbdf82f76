-- Who has exported what. The files are not kept.

-- +goose Up
CREATE TABLE catalog.exports (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id    bigint NOT NULL, -- of accounts.users; removed when the account is purged
    type       text NOT NULL CHECK (type IN ('gps', 'funds')),
    format     text NOT NULL CHECK (format IN ('csv', 'ndjson')),
    request    jsonb NOT NULL,  -- filters, fields, sort and order as sent
    row_count  integer NOT NULL,
    total      integer NOT NULL, -- rows that the filters matched
    created_at timestamptz NOT NULL
);
CREATE INDEX exports_user ON catalog.exports (user_id);

-- +goose Down
DROP TABLE catalog.exports;
