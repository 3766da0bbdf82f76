-- How the catalog knows the notices of a document.
SELECT o.accession, o.row_hash, NULL::date FROM unnest(@names::text[]) AS h (name) JOIN catalog.offerings o ON o.accession = h.name COLLATE "C"
