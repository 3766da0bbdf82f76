-- What the rules of an adviser read of its filings.
SELECT crd, legal_name, coalesce(website, ''), coalesce(country, ''), coalesce(state, '')
FROM n_filed LEFT JOIN n_office USING (crd)
