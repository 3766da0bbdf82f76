-- +goose Up
-- What a notice of Form D said before a later document restated it, as catalog.replaced_versions keeps of other filings (of
-- Forms ADV-W too, from now on).
CREATE TABLE catalog.replaced_offerings (
    accession    text COLLATE "C" NOT NULL,
    said         jsonb NOT NULL,                   -- the row of catalog.offerings
    issuers      jsonb NOT NULL,                   -- the rows of catalog.offering_issuers
    file_number  text,
    previous_accession text,
    name_keys    text[] NOT NULL,                  -- of the issuers
    relinked     boolean NOT NULL,                 -- it then had another file number or previous accession, so another chain
    processed_at timestamptz NOT NULL,             -- it stood from then
    replaced_at  timestamptz NOT NULL DEFAULT catalog.current_processing(), -- until then
    PRIMARY KEY (accession, replaced_at)
);
CREATE INDEX replaced_offerings_number ON catalog.replaced_offerings (file_number);
CREATE INDEX replaced_offerings_names ON catalog.replaced_offerings USING gin (name_keys);
CREATE INDEX replaced_offerings_relinked ON catalog.replaced_offerings (accession) WHERE relinked;

-- +goose Down
DROP TABLE catalog.replaced_offerings;
DELETE FROM catalog.replaced_versions r USING catalog.filings f WHERE f.accession = r.accession AND f.form_type = 'ADV-W';
