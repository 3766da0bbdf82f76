-- How the catalog knows the filings of a document.
SELECT f.accession, v.row_hash, f.edition
FROM unnest(@names::text[]) AS h (name) JOIN catalog.filings f ON f.accession = h.name COLLATE "C"
JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
