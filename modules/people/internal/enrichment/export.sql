SELECT e.id::text AS job_id, e.crd, e.state, a.asked_at FROM people.enrichment_askers a JOIN people.enrichments e ON e.id = a.enrichment_id
WHERE a.user_id = @user ORDER BY a.asked_at, e.id
