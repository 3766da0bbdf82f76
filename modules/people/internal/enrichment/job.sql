-- A job, for an account that asked for it.
SELECT e.id::text AS id, e.crd, e.state, e.created_at, e.started_at, e.finished_at, e.lease_until, e.runs, e.error, e.outcome
FROM people.enrichments e JOIN people.enrichment_askers a ON a.enrichment_id = e.id
WHERE e.id = @id AND e.crd = @crd AND a.user_id = @user
