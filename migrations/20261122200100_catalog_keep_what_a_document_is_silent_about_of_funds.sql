-- +goose Up
-- What a fund's version does not speak of, because its document has no column or table for it. Null = nothing. A list of funds
-- has eight columns.
ALTER TABLE catalog.fund_versions ADD COLUMN silent text[];
UPDATE catalog.fund_versions v
SET silent = '{annual_audit,auditors,form_d_file_numbers,fund_type_other,gaap,is_3c1,is_3c7,is_feeder,is_fund_of_funds,is_master,master_fund_id,master_fund_name,minimum_investment,pct_owned_funds,pct_owned_non_us,pct_owned_related,unqualified_opinion}'
FROM catalog.filings f WHERE f.accession = v.accession AND f.source = 'fund_list';

-- +goose Down
ALTER TABLE catalog.fund_versions DROP COLUMN silent;
