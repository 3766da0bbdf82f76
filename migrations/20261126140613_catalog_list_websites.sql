-- +goose Up
-- The addresses of Schedule D, item 1.I: the firm's own site, its pages on social networks, and others. The page of a person is not kept.
CREATE TABLE catalog.websites (
    accession text COLLATE "C" NOT NULL,
    seq       integer NOT NULL,
    crd       text COLLATE "C" NOT NULL,
    url       text NOT NULL,
    kind      text NOT NULL CHECK (kind IN ('own', 'social', 'other')),
    PRIMARY KEY (accession, seq)
);
-- Filings that are loaded already state nothing of the list, until they are loaded again.
UPDATE catalog.adviser_versions v SET silent = coalesce(v.silent, '{}') || '{table:websites}'::text[]
FROM catalog.filings f WHERE f.crd = v.crd AND f.accession = v.accession AND f.source = 'adv_archive';

-- What filings listed before they were restated, by the table of the list: an empty list is kept too.
CREATE TABLE catalog.replaced_children (
    accession   text COLLATE "C" NOT NULL,
    list        text NOT NULL,
    replaced_at timestamptz NOT NULL DEFAULT catalog.current_processing(),
    rows        jsonb NOT NULL,
    PRIMARY KEY (accession, list, replaced_at)
);
CREATE INDEX replaced_children_affiliates ON catalog.replaced_children USING gin (jsonb_path_query_array(rows, '$[*].affiliate_crd')) WHERE list = 'affiliates';
CREATE INDEX replaced_children_sub_advised ON catalog.replaced_children USING gin (jsonb_path_query_array(rows, '$[*].fund_id')) WHERE list = 'sub_advised_funds';

-- Who names a firm or a fund. The first replaces the index of those under common control.
DROP INDEX catalog.affiliates_named;
CREATE INDEX affiliates_named ON catalog.affiliates (affiliate_crd, crd) WHERE affiliate_crd IS NOT NULL;
CREATE INDEX sub_advised_funds_fund ON catalog.sub_advised_funds (fund_id, crd) WHERE fund_id IS NOT NULL;

-- +goose Down
DROP INDEX catalog.sub_advised_funds_fund;
DROP INDEX catalog.affiliates_named;
CREATE INDEX affiliates_named ON catalog.affiliates (affiliate_crd) WHERE controls OR common_control;
DROP TABLE catalog.replaced_children;
UPDATE catalog.adviser_versions SET silent = nullif(array_remove(silent, 'table:websites'), '{}') WHERE 'table:websites' = ANY (silent);
DROP TABLE catalog.websites;
