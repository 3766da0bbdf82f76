-- The order of versions as one number: date, authority of the source, submission, FilingID; the rest breaks ties. All
-- filings.
CREATE TEMP TABLE t_order ON COMMIT DROP AS
SELECT f.accession, f.crd, f.source, f.filing_date, f.form_type, f.funds_listed,
       row_number() OVER (ORDER BY {{oldest}})::int AS ord
FROM catalog.filings f;
CREATE INDEX ON t_order (accession); -- statements ask for the versions of one fund or adviser at a time
ANALYZE t_order;

-- Each fund's newest version, and what all its versions say together.
-- The planner takes the two halves of a version's key for independent and expects one row of their join: it must come
-- last, or the others are joined row by row.
SET LOCAL join_collapse_limit = 1;
CREATE TEMP TABLE n_pick ON COMMIT DROP AS
SELECT p.fund_id, newest.accession, newest.crd, newest.filing_date, newest.form_type, p.ord, p.first_filed_on, p.peak_gav, p.renamed, p.listed_first,
       $v_columns$, v.silent
FROM (
    SELECT v.fund_id, max(f.ord) AS ord, min(f.filing_date) AS first_filed_on, max(v.gross_asset_value) AS peak_gav,
           coalesce(min(f.ord) FILTER (WHERE f.source = 'fund_list') = min(f.ord), false) AS listed_first,
           min(v.name COLLATE "C") <> max(v.name COLLATE "C") AS renamed
    FROM catalog.fund_versions v JOIN t_order f USING (accession)
    GROUP BY v.fund_id
) p
JOIN t_order newest USING (ord)
JOIN catalog.fund_versions v ON v.fund_id = p.fund_id AND v.accession = newest.accession;
SET LOCAL join_collapse_limit = 8;
ANALYZE n_pick;

-- What the newest version's document has no column for is as the newest version before it states it, unless another field of
-- its group was last answered otherwise than then.
UPDATE n_pick p SET ($columns$) = (SELECT $r_columns$ FROM jsonb_populate_record(null::catalog.fund_versions, to_jsonb(p) || s.says) r)
FROM (
    SELECT p.fund_id, jsonb_object_agg(x.field, x.value) AS says
    FROM n_pick p
    CROSS JOIN LATERAL (
        SELECT DISTINCT ON (s.field) s.field, to_jsonb(v) -> s.field AS value, f.ord
        FROM unnest(p.silent) AS s(field)
        JOIN catalog.fund_versions v ON v.fund_id = p.fund_id AND NOT coalesce(s.field = ANY (v.silent), false)
        JOIN t_order f ON f.accession = v.accession AND f.ord < p.ord
        ORDER BY s.field, f.ord DESC
    ) x
    WHERE p.silent IS NOT NULL AND x.value <> 'null' AND NOT EXISTS (
        SELECT 1 FROM (VALUES $groups$) AS g(field, other)
        CROSS JOIN LATERAL (
            SELECT to_jsonb(v) ->> g.other AS answer FROM catalog.fund_versions v JOIN t_order f USING (accession)
            WHERE v.fund_id = p.fund_id AND f.ord <= p.ord AND NOT coalesce(g.other = ANY (v.silent), false) ORDER BY f.ord DESC LIMIT 1
        ) today
        CROSS JOIN LATERAL (
            SELECT to_jsonb(v) ->> g.other AS answer FROM catalog.fund_versions v JOIN t_order f USING (accession)
            WHERE v.fund_id = p.fund_id AND f.ord <= x.ord AND NOT coalesce(g.other = ANY (v.silent), false) ORDER BY f.ord DESC LIMIT 1
        ) before
        WHERE g.field = x.field AND upper(today.answer) IS DISTINCT FROM upper(before.answer))
    GROUP BY p.fund_id
) s
WHERE s.fund_id = p.fund_id;
-- What the form does not ask for with the answer to the first field of the group is not carried.
$unasked$

-- Each adviser's newest filing that came with its whole list of funds.
CREATE TEMP TABLE n_listed ON COMMIT DROP AS
SELECT crd, max(ord) AS ord FROM t_order WHERE funds_listed GROUP BY crd;
ANALYZE n_listed;

-- Filled by the process, from package derive and package vocab.
CREATE TEMP TABLE d_fund (
    fund_id text COLLATE "C", strategy text, winding_up boolean, country_code text, name_key text COLLATE "C", name_form text
) ON COMMIT DROP;
