-- The day of each affected adviser's newest full withdrawal, where it is later than everything else that we know of the
-- adviser: a form, a roster's row, the feed's or a list of its funds, each as of its filing's day. A partial withdrawal
-- ends one registration of several, so the adviser goes on.
-- Form ADV-W gives a day and no hour. A form of the same day counts as the later one, for to show a firm
-- that has gone does less harm than to hide one that has not.
CREATE TEMP TABLE n_withdrawn ON COMMIT DROP AS
SELECT w.crd, w.day AS withdrawn_on
FROM (
    SELECT w.crd, max(f.filing_date) AS day
    FROM t_crd JOIN catalog.withdrawals w USING (crd) JOIN catalog.filings f ON f.accession = w.accession
    WHERE w.is_full GROUP BY w.crd
) w
WHERE NOT EXISTS (
    SELECT 1 FROM catalog.filings f WHERE f.crd = w.crd AND f.filing_date >= w.day AND f.form_type IN ('ADV', 'ADV/A')
);
ANALYZE n_withdrawn;
