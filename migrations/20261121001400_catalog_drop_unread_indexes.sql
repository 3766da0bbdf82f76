-- +goose Up
-- No question is asked by these yet, and together they took an eighth of a first load. Whoever asks one makes its index.
DROP INDEX catalog.owners_crd;
DROP INDEX catalog.owners_owner_id;
DROP INDEX catalog.fund_providers_fund;
DROP INDEX catalog.identifiers_value;

-- +goose Down
CREATE INDEX identifiers_value ON catalog.identifiers (value, kind);
CREATE INDEX fund_providers_fund ON catalog.fund_providers (fund_id);
CREATE INDEX owners_owner_id ON catalog.owners (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX owners_crd ON catalog.owners (crd);
