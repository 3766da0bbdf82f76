-- A number that no filing states any more, because the filing that stated it was restated.
DELETE FROM catalog.fund_form_d_numbers n USING t_fund t
WHERE n.fund_id = t.fund_id
  AND NOT EXISTS (SELECT 1 FROM catalog.fund_versions v
                  WHERE v.fund_id = n.fund_id AND n.file_number = ANY (v.form_d_file_numbers));
