SELECT substr(v.fund_id, 5)::bigint, f.accession, f.crd::bigint, f.source, f.filing_date, f.submitted_at, f.filing_id, f.funds_listed,
	v.name, v.fund_type, v.fund_type_other, v.is_fund_of_funds, v.gross_asset_value, v.form_d_file_numbers, v.silent
FROM {{fund versions}} v JOIN {{filings}} USING (accession)
