-- +goose Up
-- Requests with an Idempotency-Key, for 24 hours. Neither the key nor the answer stands here in clear: of the key there is a
-- hash, and the answer is encrypted with a secret of the server and the key.
CREATE TABLE platform.idempotency (
    user_id bigint NOT NULL,
    key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
    id uuid NOT NULL UNIQUE, -- of the execution; a taken-over one keeps it, so that what it has paid for is not paid twice
    operation text NOT NULL,
    fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32), -- of the request
    holder uuid NOT NULL, -- who executes
    lease_until timestamptz, -- until when nobody else may; null: done
    status smallint,
    answer bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, key_hash),
    CHECK ((lease_until IS NULL) = (status IS NOT NULL)),
    CHECK ((status IS NULL) = (answer IS NULL))
);
CREATE INDEX idempotency_created ON platform.idempotency (created_at);

-- +goose Down
DROP TABLE platform.idempotency;
