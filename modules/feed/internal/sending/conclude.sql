WITH m AS (
	UPDATE feed.messages m SET state = r.state, next_at = r.next_at
	FROM unnest(@endpoints::uuid[], @ids::text[], @nos::int[], @states::text[], @nexts::timestamptz[], @ats::timestamptz[], @statuses::int[], @times::int[], @errors::text[], @said::text[])
		AS r(endpoint_id, id, no, state, next_at, at, status, ms, error, said)
	WHERE m.endpoint_id = r.endpoint_id AND m.id = r.id AND m.state = 'sending' AND m.attempts = r.no
	RETURNING r.*
)
INSERT INTO feed.attempts (endpoint_id, message_id, no, at, status, ms, error, said)
SELECT endpoint_id, id, no, at, nullif(status, 0), ms, nullif(error, ''), nullif(said, '') FROM m
