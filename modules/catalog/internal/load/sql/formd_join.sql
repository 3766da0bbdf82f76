-- Which notices of Form D are of which fund by the name of their issuer. Form D names no adviser, so the name must tell one
-- fund from all others: it is no general one (it has a key), name and legal form are equal, and all funds of that name are of
-- one adviser. Where several advisers have one, or where one of the two names lacks its legal form, the issuer's address must
-- be the main office of one of them. Else there is no join.
-- Spec: not shown; "exact normalised name among the adviser's funds", and Form D does not say who the adviser is.
CREATE TEMP TABLE o_name ON COMMIT DROP AS
WITH found AS (
    SELECT i.*, b.fund_id, b.crd, b.name_form = i.name_form AS exact,
           coalesce(upper(trim(b.city)) = i.city AND upper(trim(b.state)) = i.state, false) AS near
    FROM o_issuer i JOIN n_bearer b USING (name_key)
    WHERE b.name_form IN (i.name_form, '') OR i.name_form = ''
), weighed AS (
    SELECT *, bool_or(exact) OVER issuers AS any_exact,
           min(crd) FILTER (WHERE exact) OVER issuers = max(crd) FILTER (WHERE exact) OVER issuers AS one_adviser,
           min(crd) FILTER (WHERE exact AND near) OVER issuers = max(crd) FILTER (WHERE exact AND near) OVER issuers AS one_near,
           count(*) FILTER (WHERE near) OVER issuers AS near_funds
    FROM found WINDOW issuers AS (PARTITION BY chain, name_key, name_form, city, state)
)
SELECT DISTINCT chain, fund_id FROM weighed
WHERE exact AND (one_adviser OR near AND one_near) OR NOT any_exact AND near AND near_funds = 1;
ANALYZE o_name;

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
