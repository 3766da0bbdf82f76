-- The issuers whose names may be those of funds.
SELECT f.accession, i.name_key, i.name_form, coalesce(i.city, ''), coalesce(i.state, '')
FROM {{issuers}} JOIN {{offerings}} USING (accession)
WHERE f.filing_date <= @day AND i.name_key IN {{names}} AND {{of a fund}}
