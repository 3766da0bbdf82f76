-- What the versions of each adviser say together. n counts from the newest. A fund list speaks of funds: what
-- it says of the adviser stands behind every roster and form.
-- A roster is newer than the filings that it lists: a status that began after today is not read, so that as_of, whose today
-- is an earlier day, does not read it either.
CREATE TEMP TABLE n_version ON COMMIT DROP AS
SELECT v.crd, v.accession, v.registration,
       CASE WHEN v.status_date > $today$::date THEN NULL ELSE v.sec_status END AS sec_status,
       CASE WHEN v.status_date <= $today$::date THEN v.status_date END AS status_date, v.reported_fund_count, v.reported_fund_gav, v.reported_fund_types, v.silent,
       f.source, f.filing_date, f.form_type,
       row_number() OVER (PARTITION BY v.crd ORDER BY f.source = 'fund_list', f.ord DESC) AS n
FROM t_crd
JOIN catalog.adviser_versions v USING (crd)
JOIN t_order f USING (accession);
-- The statements below ask for the versions of one adviser at a time: without an index each of them would read all.
CREATE INDEX ON n_version (crd, n);
ANALYZE n_version;

-- The versions that the current row is read from: the newest archive filing, which is the whole form, and what is newer;
-- without one, all. In the order of n, so that array_agg gives the newest first.
CREATE TEMP TABLE n_base ON COMMIT DROP AS
SELECT v.*, n.n
FROM n_version n
LEFT JOIN (SELECT crd, min(n) AS n FROM n_version WHERE source = 'adv_archive' GROUP BY crd) form USING (crd)
JOIN catalog.adviser_versions v ON v.crd = n.crd AND v.accession = n.accession
WHERE n.n <= coalesce(form.n, n.n)
ORDER BY v.crd, n.n;

-- A form may be silent about a field, because its archive had no column for it. Then the versions before it speak of that
-- field alone, back to the first form that is not silent about it.
INSERT INTO n_base
SELECT said.*, older.n
FROM (SELECT DISTINCT ON (b.crd) b.crd, b.n, b.silent FROM n_base b JOIN n_version v USING (crd, accession)
      WHERE v.source = 'adv_archive' ORDER BY b.crd, b.n DESC) form
JOIN n_version older ON older.crd = form.crd AND older.n > form.n
JOIN catalog.adviser_versions v ON v.crd = older.crd AND v.accession = older.accession
CROSS JOIN LATERAL (
    SELECT array_agg(field) AS open FROM unnest(form.silent) AS s(field)
    WHERE NOT starts_with(s.field, 'table:') AND NOT EXISTS (
        SELECT 1 FROM n_version m JOIN catalog.adviser_versions f ON f.crd = m.crd AND f.accession = m.accession
        WHERE m.crd = form.crd AND m.n > form.n AND m.n < older.n AND m.source = 'adv_archive'
          AND NOT coalesce(s.field = ANY (f.silent), false))
) fields
CROSS JOIN LATERAL jsonb_populate_record(null::catalog.adviser_versions, (
    SELECT jsonb_object_agg(e.key, e.value) FROM jsonb_each(to_jsonb(v) - 'row_hash') e
    WHERE e.key IN ('crd', 'accession', 'silent') OR e.key = ANY (fields.open)
       OR e.key = 'registration' AND 'sec_number' = ANY (fields.open))) said
WHERE form.silent IS NOT NULL AND fields.open IS NOT NULL;
ANALYZE n_base;

-- An answer that is read past a version which is silent about it holds only as long as the other fields of its group were
-- last answered as they were then. By a blank only a whole form says that there is none.
UPDATE n_base b SET ($group_columns$) = (SELECT $r_group_columns$ FROM jsonb_populate_record(b, m.mixed) r)
FROM (
    SELECT c.crd, jsonb_object_agg(c.field, null) AS mixed
    FROM (
        SELECT s.crd, s.field, min(b.n) AS n
        FROM (SELECT crd, field, min(n) AS n FROM n_base CROSS JOIN unnest(silent) AS x(field)
              WHERE field IN ($group_fields$) GROUP BY crd, field) s
        JOIN n_base b ON b.crd = s.crd AND to_jsonb(b) ->> s.field IS NOT NULL
        GROUP BY s.crd, s.field, s.n HAVING min(b.n) > s.n
    ) c
    WHERE EXISTS (
        SELECT 1 FROM (VALUES $groups$) AS g(field, other)
        CROSS JOIN LATERAL (
            SELECT to_jsonb(v) ->> g.other AS answer FROM n_version m JOIN catalog.adviser_versions v USING (crd, accession)
            WHERE m.crd = c.crd
              AND (to_jsonb(v) ->> g.other IS NOT NULL OR m.source = 'adv_archive' AND NOT coalesce(g.other = ANY (v.silent), false))
            ORDER BY m.n LIMIT 1
        ) today
        CROSS JOIN LATERAL (
            SELECT to_jsonb(v) ->> g.other AS answer FROM n_version m JOIN catalog.adviser_versions v USING (crd, accession)
            WHERE m.crd = c.crd AND m.n >= c.n
              AND (to_jsonb(v) ->> g.other IS NOT NULL OR m.source = 'adv_archive' AND NOT coalesce(g.other = ANY (v.silent), false))
            ORDER BY m.n LIMIT 1
        ) before
        WHERE g.field = c.field AND upper(today.answer) IS DISTINCT FROM upper(before.answer))
    GROUP BY c.crd
) m
WHERE b.crd = m.crd;

-- The main office comes from one version, the newest that speaks of it: a private residence is blank on purpose, and a
-- street of an old address must not stand beside a new city. Street, postal code and country may be completed from
-- versions of the same city.
-- What its document has no column for is as the newest version before it states it, unless that one is of another address.
CREATE TEMP TABLE n_office ON COMMIT DROP AS
WITH spoken AS (
    SELECT DISTINCT ON (crd) crd, n, street1, street2, city, state, country, postal_code, private_residence, silent
    FROM n_base
    WHERE city IS NOT NULL OR state IS NOT NULL OR country IS NOT NULL OR street1 IS NOT NULL OR postal_code IS NOT NULL
       OR private_residence
    ORDER BY crd, n
), stated AS (
    SELECT o.crd, jsonb_object_agg(s.field, to_jsonb(s) -> s.field) AS says
    FROM spoken o
    CROSS JOIN LATERAL (
        SELECT DISTINCT ON (x.field) x.field, v.street1, v.street2, v.city, v.state, v.country, v.postal_code, v.private_residence
        FROM unnest(o.silent) AS x(field)
        JOIN n_version older ON older.crd = o.crd AND older.n > o.n AND older.source <> 'fund_list'
        JOIN catalog.adviser_versions v ON v.crd = older.crd AND v.accession = older.accession
        WHERE x.field IN ('street1', 'street2', 'city', 'state', 'country', 'postal_code', 'private_residence')
          AND NOT coalesce(x.field = ANY (v.silent), false)
        ORDER BY x.field, older.n
    ) s
    WHERE (upper(o.city) <> upper(s.city) OR upper(o.state) <> upper(s.state) OR upper(o.country) <> upper(s.country)
           OR o.private_residence <> s.private_residence) IS NOT TRUE
      -- Where no city, state or country tells, the postal code does, else the street.
      AND (coalesce(o.city = s.city, o.state = s.state, o.country = s.country) IS NULL
           AND coalesce(upper(o.postal_code) <> upper(s.postal_code), upper(o.street1) <> upper(s.street1))) IS NOT TRUE
      AND (s.field <> 'street2' OR 'street1' = ANY (o.silent) OR upper(o.street1) = upper(s.street1))
      -- An office that is stated now is no residence because one was blank before.
      AND (s.field <> 'private_residence' OR o.street1 IS NULL AND upper(o.city) IS NOT DISTINCT FROM upper(s.city))
    GROUP BY o.crd
), newest AS (
    SELECT o.crd, o.n, coalesce(o.street1, r.street1) AS street1, coalesce(o.street2, r.street2) AS street2,
           coalesce(o.city, r.city) AS city, coalesce(o.state, r.state) AS state, coalesce(o.country, r.country) AS country,
           coalesce(o.postal_code, r.postal_code) AS postal_code, coalesce(o.private_residence, r.private_residence) AS private_residence
    FROM spoken o LEFT JOIN stated s USING (crd)
    LEFT JOIN LATERAL jsonb_populate_record(null::catalog.adviser_versions, s.says) r ON true
), same_city AS (
    SELECT b.crd,
           (array_agg(b.country) FILTER (WHERE b.country IS NOT NULL))[1] AS country,
           (array_agg(b.postal_code) FILTER (WHERE b.postal_code IS NOT NULL))[1] AS postal_code,
           (array_agg(b.private_residence) FILTER (WHERE b.private_residence IS NOT NULL))[1] AS private_residence,
           (array_agg(b.street1) FILTER (WHERE b.street1 IS NOT NULL))[1] AS street1,
           (array_agg(b.street2) FILTER (WHERE b.street1 IS NOT NULL))[1] AS street2
    FROM (SELECT b.* FROM n_base b JOIN newest o USING (crd)
          WHERE b.n >= o.n AND upper(b.city) = upper(o.city) AND b.state IS NOT DISTINCT FROM o.state
          ORDER BY b.crd, b.n) b
    GROUP BY b.crd
)
SELECT o.crd,
       CASE WHEN o.street1 IS NULL AND o.private_residence IS NOT TRUE THEN s.street1 ELSE o.street1 END AS street1,
       CASE WHEN o.street1 IS NULL AND o.private_residence IS NOT TRUE THEN s.street2 ELSE o.street2 END AS street2,
       o.city, o.state,
       coalesce(o.country, s.country, CASE WHEN upper(o.state) = ANY ({{us_states}}) THEN 'United States' END) AS country,
       CASE WHEN o.private_residence THEN o.postal_code ELSE coalesce(o.postal_code, s.postal_code) END AS postal_code,
       coalesce(o.private_residence, s.private_residence) AS private_residence
FROM newest o LEFT JOIN same_city s USING (crd);
ANALYZE n_office;

-- Each other field is the newest answer within the base. The registration decides whose SEC number counts.
-- array_agg takes its rows in the order of the sorted subquery; grouping by more than crd would sort them anew.
CREATE TEMP TABLE n_filed ON COMMIT DROP AS
WITH regime AS (
    SELECT crd, (array_agg(registration) FILTER (WHERE registration IS NOT NULL))[1] AS regime
    FROM (SELECT crd, registration FROM n_base ORDER BY crd, n) b GROUP BY crd
)
SELECT b.crd, (array_agg(b.regime))[1] AS registration, $first_columns$,
       (array_agg(b.sec_number) FILTER (WHERE b.sec_number IS NOT NULL
            AND b.registration IS NOT DISTINCT FROM b.regime))[1] AS sec_number
FROM (SELECT b.*, r.regime FROM n_base b JOIN regime r USING (crd) ORDER BY b.crd, b.n) b
GROUP BY b.crd;
ANALYZE n_filed;

-- What all versions say together. Status and reported funds stand in rosters alone, so a newer form does not end them.
CREATE TEMP TABLE n_history ON COMMIT DROP AS
WITH ordered AS (
    SELECT v.*, c.registration AS regime
    FROM n_version v JOIN n_filed c USING (crd)
    ORDER BY v.crd, v.n
)
SELECT crd,
       min(filing_date) AS first_filed_on,
       max(filing_date) AS newest_filed_on,
       min(status_date) AS first_status_on,
       (array_agg(sec_status) FILTER (WHERE sec_status IS NOT NULL AND registration = regime))[1] AS sec_status,
       (array_agg(reported_fund_count) FILTER (WHERE reported_fund_count IS NOT NULL))[1] AS reported_fund_count,
       (array_agg(reported_fund_gav) FILTER (WHERE reported_fund_gav IS NOT NULL))[1] AS reported_fund_gav,
       (array_agg(reported_fund_types) FILTER (WHERE reported_fund_types IS NOT NULL))[1] AS reported_fund_types,
       (array_agg(status_date) FILTER (WHERE status_date IS NOT NULL AND registration = regime))[1] AS registered_on,
       (array_agg(accession))[1] AS latest_accession,
       (array_agg(form_type))[1] AS latest_form_type,
       (array_agg(filing_date))[1] AS latest_filed_on
FROM ordered GROUP BY crd;
ANALYZE n_history;

-- Filled by the process, from package derive and package vocab.
CREATE TEMP TABLE d_adviser (crd text COLLATE "C", name_stem text, website text, website_domain text, country_code text, state text) ON COMMIT DROP;
