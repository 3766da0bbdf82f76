SELECT fund_id FROM catalog.fund_form_d_numbers WHERE file_number = ANY (@numbers)
UNION ALL
SELECT fund_id FROM catalog.replaced_versions WHERE fund_id <> '' AND said -> 'form_d_file_numbers' ?| @numbers
