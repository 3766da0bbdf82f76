-- The funds of which a version is silent about what the answers ask.
SELECT DISTINCT substr(v.fund_id, 5)::bigint FROM {{fund versions}} v JOIN {{filings}} USING (accession)
WHERE v.silent && '{fund_type,fund_type_other,is_fund_of_funds}'
