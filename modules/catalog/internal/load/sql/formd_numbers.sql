-- Form D file numbers by fund. New filings only add numbers.
INSERT INTO catalog.fund_form_d_numbers (file_number, fund_id)
SELECT DISTINCT n.number, v.fund_id FROM $versions$ v, unnest(v.form_d_file_numbers) AS n (number)
WHERE n.number IS NOT NULL
ON CONFLICT DO NOTHING;
