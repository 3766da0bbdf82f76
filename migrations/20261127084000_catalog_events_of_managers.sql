-- +goose Up
-- The events of one manager that the activity feed and the digest list.
--
-- Spec: new_filing is a filing of ADV, ADV/A or Form D, amendments (D/A) among them. A withdrawal (ADV-W) is none, and rows of rosters, of the feed
-- of firms and of lists of funds are evidence of a filing, not the filing. A notice belongs to the advisers of the funds that it is joined to, and
-- arrives for them when it is joined. Filings are there when they are processed, that is completed.
--
-- A function instead of a view, because PostgreSQL does not look up one manager in a view that groups. The key of a fund is its ID; what is the form,
-- or the fund's name.
CREATE FUNCTION catalog.pub_event(manager text)
RETURNS TABLE (type text, event_date timestamptz, what text, key text, day date, processed_at timestamptz, arrival bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT 'new_filing', f.submitted_at, f.form_type, f.accession, f.filing_date, f.processed_at, f.arrival
    FROM catalog.pub_filing f
    WHERE f.crd = manager AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
    UNION ALL
    SELECT 'new_filing', o.filing_date::timestamp AT TIME ZONE 'UTC', o.form_type, o.accession, o.filing_date, o.processed_at, min(o.arrival)
    FROM catalog.pub_offering o
    WHERE o.adviser_crd = manager AND o.status = 'completed'
    GROUP BY o.filing_date, o.form_type, o.accession, o.processed_at
    UNION ALL
    SELECT 'new_fund', f.first_filed_on::timestamp AT TIME ZONE 'UTC', f.name, f.fund_id, f.first_filed_on, NULL, f.arrival
    FROM catalog.pub_fund f
    WHERE f.adviser_crd = manager
$$;

-- +goose Down
DROP FUNCTION catalog.pub_event(text);
