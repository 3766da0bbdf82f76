-- What the notices of a fund say. The newest notice of a chain says under which exemption it is offered, and the newest of
-- the chain that gives a credible date when the first sale was: an amendment restates both. The vintage is the year of
-- the earliest of these dates. The newest day of the offerings that are not sold out is kept.
-- A date before 1900 or after the day of the notice is no date. Code 06, Rule 506 before September 2013, is
-- today's 506(b). 3C.1 and 3C.7 are not read: is_3c1 and is_3c7 are Form ADV's (package derive holds the same rules).
CREATE TEMP TABLE n_offered ON COMMIT DROP AS
WITH notice AS (
    SELECT l.fund_id, o.chain, o.filing_date, o.accession COLLATE "C" AS accession, o.exemptions,
           (o.offering_amount IS NOT NULL AND o.amount_remaining IS NOT DISTINCT FROM 0) AS sold_out,
           CASE WHEN o.first_sale >= '1900-01-01' AND o.first_sale <= o.filing_date THEN o.first_sale END AS sale
    FROM t_fund JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
), newest AS (
    SELECT DISTINCT ON (fund_id, chain) fund_id, chain, exemptions, filing_date, sold_out FROM notice
    ORDER BY fund_id, chain, filing_date DESC, accession DESC
), sold AS (
    SELECT DISTINCT ON (fund_id, chain) fund_id, chain, sale FROM notice WHERE sale IS NOT NULL
    ORDER BY fund_id, chain, filing_date DESC, accession DESC
), exempt AS (
    SELECT fund_id, array_agg(DISTINCT kind ORDER BY kind) AS exemptions
    FROM newest, LATERAL (
        SELECT CASE lower(trim(code)) WHEN '06' THEN '506b' WHEN '06b' THEN '506b' WHEN '06c' THEN '506c' END AS kind
        FROM unnest(exemptions) AS e (code)
    ) k
    WHERE kind IS NOT NULL GROUP BY fund_id
)
SELECT fund_id, e.exemptions, s.year, n.offered_on
FROM (SELECT fund_id, max(filing_date) FILTER (WHERE NOT sold_out) AS offered_on FROM newest GROUP BY fund_id) n
LEFT JOIN exempt e USING (fund_id)
LEFT JOIN (SELECT fund_id, extract(year FROM min(sale))::int AS year FROM sold GROUP BY fund_id) s USING (fund_id);
ANALYZE n_offered;
