-- Versions of funds that an affected adviser ever named, filed by other advisers, in the order of advisers: a fund may move
-- from one adviser to another.
SELECT n.crd AS of, v.crd, v.fund_id, v.accession, f.source AS doc_source, f.form_type, f.amendment_type, f.filing_date,
       f.submitted_at, coalesce(f.filing_id, 0) AS filing_id, f.funds_listed, $v_columns$, v.silent
FROM (SELECT DISTINCT v.crd, v.fund_id FROM n_shared JOIN catalog.fund_versions v USING (fund_id) JOIN t_crd USING (crd)) n
JOIN catalog.fund_versions v ON v.fund_id = n.fund_id AND v.crd <> n.crd
JOIN catalog.filings f ON f.accession = v.accession
ORDER BY n.crd
