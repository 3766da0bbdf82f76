-- Jobs that nobody has worked on for long: of one adviser, or of all.
UPDATE people.enrichments SET state = 'failed', error = CASE state WHEN 'queued' THEN 'not_started' ELSE 'interrupted' END, finished_at = @now
WHERE state IN ('queued', 'running') AND lease_until <= @before AND (@crd = '' OR crd = @crd)
