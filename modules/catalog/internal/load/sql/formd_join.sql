-- Joins notices of Form D to funds: by number, and by the name of their issuer (fold.ByName).
CREATE TEMP TABLE o_join ON COMMIT DROP AS
SELECT o.accession, j.fund_id, j.matched_by
FROM (SELECT chain, fund_id, 'file_number' AS matched_by FROM o_number UNION ALL SELECT chain, fund_id, 'name' FROM o_name) j
JOIN catalog.offerings o USING (chain);
ANALYZE o_join;

-- What was written, for the counts.
CREATE TEMP TABLE c_offering (accession text COLLATE "C") ON COMMIT DROP;
WITH w AS (
    DELETE FROM catalog.offering_funds l USING o_touched t JOIN catalog.offerings o USING (chain)
    WHERE l.accession = o.accession
      AND NOT EXISTS (SELECT 1 FROM o_join j WHERE j.accession = l.accession AND j.fund_id = l.fund_id)
    RETURNING l.accession
)
INSERT INTO c_offering SELECT accession FROM w;
WITH w AS (
    INSERT INTO catalog.offering_funds AS l (accession, fund_id, matched_by) SELECT accession, fund_id, matched_by FROM o_join
    $on_conflict$
    RETURNING l.accession
)
INSERT INTO c_offering SELECT accession FROM w;
