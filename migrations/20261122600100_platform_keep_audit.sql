-- +goose Up
-- What operators changed. Rows name no person: actor_id is the number of an account, and what was before and after holds no
-- personal data.
CREATE TABLE platform.audit (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL,
    actor_id bigint,                               -- null = the command line
    action   text NOT NULL,                        -- alert.resolve
    subject  text NOT NULL,                        -- alert 17
    before   jsonb,
    after    jsonb
);

-- +goose Down
DROP TABLE platform.audit;
