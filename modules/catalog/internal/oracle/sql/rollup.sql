-- Totals over the funds that are not closed, capped because a filing may hold any number that fits its column. Not by
-- least(), which passes over nulls: unknown would become the cap.
CREATE TEMP TABLE n_strategy ON COMMIT DROP AS
SELECT adviser_crd AS crd, strategy, count(*) AS funds, sum(gross_asset_value) AS gav, sum(beneficial_owners_count) AS owners
FROM n_fund WHERE status <> 'closed' GROUP BY adviser_crd, strategy;

-- Where no list of the adviser's funds was ever loaded, not even an empty one, the roster's own counts stand in, for the strategy those by type; an adviser that says it advises no private
-- funds has none; what nobody reported is unknown.
-- Founded_year is the earliest year of which we have evidence, and founded_year_basis says which: the day
-- since which the adviser is registered or reports, as a source states it, or a filing of its own or of one of its funds.
CREATE TEMP TABLE n_adviser ON COMMIT DROP AS
WITH total AS (
    SELECT crd, sum(funds)::bigint AS funds, (CASE WHEN sum(gav) > 9223372036854775807 THEN 9223372036854775807 ELSE sum(gav) END)::bigint AS gav,
           (CASE WHEN sum(owners) > 9223372036854775807 THEN 9223372036854775807 ELSE sum(owners) END)::bigint AS owners
    FROM n_strategy GROUP BY crd
), top AS (
    (SELECT DISTINCT ON (crd) crd, strategy FROM n_strategy
     ORDER BY crd, coalesce(gav, 0) DESC, funds DESC, strategy COLLATE "C")
    UNION ALL
    SELECT h.crd, r.strategy
    FROM n_history h JOIN n_filed c USING (crd)
    CROSS JOIN LATERAL (
        SELECT CASE key WHEN 'Hedge Fund' THEN 'hedge' WHEN 'Liquidity Fund' THEN 'liquidity' WHEN 'Private Equity Fund' THEN 'buyout'
            WHEN 'Real Estate Fund' THEN 'real-estate' WHEN 'Securitized Asset Fund' THEN 'securitized' WHEN 'Venture Capital Fund' THEN 'venture'
            ELSE 'other' END COLLATE "C" AS strategy
        FROM jsonb_each_text(h.reported_fund_types) ORDER BY value::bigint DESC, 1 LIMIT 1
    ) r
    WHERE coalesce(h.reported_fund_count, CASE WHEN NOT c.advises_funds THEN 0 END) IS DISTINCT FROM 0
      AND NOT EXISTS (SELECT 1 FROM n_listed l WHERE l.crd = h.crd) AND NOT EXISTS (SELECT 1 FROM n_fund f WHERE f.adviser_crd = h.crd)
), net AS (
    -- A feeder counts with its master, where that is another open fund of the adviser of known value. Unknown where a fund of
    -- known value does not say whether it is a feeder; such a fund counts here as none, so that it is always seen.
    SELECT f.adviser_crd AS crd,
           CASE WHEN bool_or(f.is_feeder IS NULL AND f.gross_asset_value IS NOT NULL) THEN NULL ELSE sum(f.gross_asset_value) END AS gav
    FROM n_fund f
    WHERE f.status <> 'closed' AND NOT (coalesce(f.is_feeder, false) AND EXISTS (
        SELECT 1 FROM n_fund m
        WHERE m.fund_id = f.master_fund_id AND m.fund_id <> f.fund_id AND m.adviser_crd = f.adviser_crd AND m.status <> 'closed'
          AND m.gross_asset_value IS NOT NULL AND NOT (coalesce(m.is_feeder, false) AND coalesce(m.master_fund_id = f.fund_id, false))))
    GROUP BY f.adviser_crd
), oldest AS (
    SELECT adviser_crd AS crd, min(vintage_year) AS vintage FROM n_fund GROUP BY adviser_crd
), other AS (
    -- What is no version of the adviser: withdrawals, and the notices of Form D that are joined to its funds.
    SELECT crd, max(day) AS newest_filed_on FROM (
        SELECT f.crd, f.filing_date AS day FROM n_filed JOIN catalog.withdrawals w USING (crd) JOIN catalog.filings f USING (accession)
        UNION ALL
        SELECT n.adviser_crd, o.filing_date FROM n_fund n JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
    ) x GROUP BY crd
), current AS (
    SELECT c.*, EXISTS (SELECT 1 FROM n_listed l WHERE l.crd = c.crd)
                OR EXISTS (SELECT 1 FROM oldest o WHERE o.crd = c.crd) AS listed
    FROM n_filed c
)
SELECT c.crd, $c_columns$, c.sec_number, c.registration AS registration_status, h.sec_status, h.registered_on, o.street1, o.street2,
       o.city, d.state, o.country, d.country_code, o.postal_code, o.private_residence, d.website_domain,
       CASE c.registration
           WHEN 'registered' THEN c.raum
           WHEN 'exempt_reporting' THEN CASE
               WHEN c.listed THEN t.gav
               WHEN h.reported_fund_count > 0 OR h.reported_fund_count IS NULL AND c.advises_funds IS NOT FALSE THEN h.reported_fund_gav
           END -- unknown without funds
           ELSE c.raum
       END AS total_aum,
       top.strategy AS primary_strategy,
       CASE top.strategy $manager_types$ END AS manager_type,
       CASE
           WHEN c.listed THEN coalesce(t.funds, 0)
           WHEN h.reported_fund_count IS NOT NULL THEN h.reported_fund_count
           WHEN NOT c.advises_funds THEN 0
       END AS fund_count,
       CASE
           WHEN c.listed THEN CASE WHEN t.crd IS NULL THEN 0 ELSE t.gav END
           WHEN h.reported_fund_count = 0 OR h.reported_fund_count IS NULL AND NOT c.advises_funds THEN 0
           ELSE h.reported_fund_gav
       END AS total_gav,
       CASE
           WHEN c.listed THEN CASE WHEN t.crd IS NULL THEN 0 ELSE (CASE WHEN net.gav > 9223372036854775807 THEN 9223372036854775807 ELSE net.gav END)::bigint END
           WHEN h.reported_fund_count = 0 OR h.reported_fund_count IS NULL AND NOT c.advises_funds THEN 0
       END AS net_gav,
       CASE
           WHEN c.listed THEN CASE WHEN t.crd IS NULL THEN 0 ELSE t.owners END
           WHEN h.reported_fund_count = 0 OR h.reported_fund_count IS NULL AND NOT c.advises_funds THEN 0
       END AS total_investors,
       least(extract(year FROM h.first_status_on), extract(year FROM h.first_filed_on), oldest.vintage)::int AS founded_year,
       CASE WHEN extract(year FROM h.first_status_on) <= least(extract(year FROM h.first_filed_on), oldest.vintage)
           THEN 'registration' ELSE 'first_filing' END AS founded_year_basis,
       d.name_stem, h.first_filed_on, h.latest_accession, h.latest_form_type, h.latest_filed_on,
       greatest(h.newest_filed_on, other.newest_filed_on) AS newest_filed_on, w.withdrawn_on, u.not_listed_since
FROM current c
JOIN n_history h USING (crd)
JOIN d_adviser d USING (crd)
LEFT JOIN n_office o USING (crd)
LEFT JOIN total t USING (crd)
LEFT JOIN net USING (crd)
LEFT JOIN top USING (crd)
LEFT JOIN oldest USING (crd)
LEFT JOIN n_withdrawn w USING (crd)
LEFT JOIN n_unlisted u USING (crd)
LEFT JOIN other USING (crd);
ANALYZE n_adviser;
