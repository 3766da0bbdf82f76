-- What the affected advisers say of funds, adviser by adviser.
SELECT v.crd, v.fund_id, v.accession, $v_columns$, v.silent
FROM $versions$
ORDER BY v.crd
