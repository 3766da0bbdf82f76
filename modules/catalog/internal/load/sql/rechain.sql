UPDATE catalog.filings f SET form_type = t.form_type, amendment_type = t.amendment_type
FROM t_chain t
WHERE f.accession = t.accession AND (f.form_type <> t.form_type OR f.amendment_type <> t.amendment_type);
