-- +goose Up
-- The keys of names that funds bore before: which notices of Form D were of which fund on an earlier day depends on who bore
-- a name then. The next derivation fills it for the funds that are there.
CREATE TABLE catalog.fund_former_names (
    name_key text COLLATE "C" NOT NULL,
    fund_id  text COLLATE "C" NOT NULL,
    PRIMARY KEY (name_key, fund_id)
);
CREATE INDEX fund_former_names_fund ON catalog.fund_former_names (fund_id);
-- Which replaced editions gave a fund a file number.
CREATE INDEX replaced_versions_numbers ON catalog.replaced_versions USING gin ((said -> 'form_d_file_numbers')) WHERE fund_id <> '';

-- +goose Down
DROP INDEX catalog.replaced_versions_numbers;
DROP TABLE catalog.fund_former_names;
