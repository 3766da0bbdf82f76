-- Each filing's place among the adviser's ($filings$ holds all filings of the advisers in question). The first is ADV and
-- initial. A roster row or a fund list is evidence of a filing of its day, so it shares the place of that day.
-- Spec: not shown; the first filing that we know counts as the adviser's first, also when it began before our data.
-- Spec: not shown; where the filing does not say when the fiscal year ends, the adviser's newest filing that does is
-- believed; where none does, an amendment counts as material.
CREATE TEMP TABLE t_chain ON COMMIT DROP AS
WITH known AS (
    SELECT f.accession, f.filing_date, f.filing_types,
           f.filing_date = min(f.filing_date) OVER (PARTITION BY f.crd)
           AND (f.source <> 'adv_archive' OR 1 = row_number() OVER (
               PARTITION BY f.crd, f.source = 'adv_archive'
               ORDER BY f.filing_date, f.submitted_at, f.filing_id, f.accession COLLATE "C")) AS first,
           (strpos('JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC', upper(left(trim(coalesce(f.fiscal_year_end,
               first_value(f.fiscal_year_end) OVER (PARTITION BY f.crd ORDER BY f.fiscal_year_end IS NULL, {{newest}})
           )), 3))) + 2) / 3 AS month
    FROM $filings$ f
), dated AS (
    SELECT *, CASE WHEN month > 0 THEN
               (make_date(extract(year FROM filing_date)::int, month, 1) + interval '1 month')::date - 1 END AS year_end
    FROM known
)
SELECT accession, CASE WHEN first THEN 'ADV' ELSE 'ADV/A' END AS form_type,
       CASE
           WHEN first THEN 'initial'
           WHEN filing_types IS NOT NULL THEN
               CASE WHEN 'annual updating amendment' = ANY (filing_types) THEN 'annual' ELSE 'material' END
           WHEN filing_date - CASE WHEN year_end < filing_date THEN year_end
                ELSE (date_trunc('month', year_end - interval '11 months'))::date - 1 END BETWEEN 1 AND 90 THEN 'annual'
           ELSE 'material'
       END AS amendment_type
FROM dated;
ANALYZE t_chain;
