-- What events call people whose posts are hidden: the uids of the posts at their advisers, and everywhere the person's uid and those that lead to it.
WITH hidden AS MATERIALIZED (
	SELECT * FROM unnest(@crds::text[], @people::text[], @rules::text[], @sights::text[]) AS h (crd, person_uid, rule_uid, sight_uid)
)
SELECT u.subject, h.crd FROM hidden h, LATERAL (VALUES (h.rule_uid), (h.sight_uid)) AS u (subject)
UNION SELECT person_uid, '' FROM hidden
UNION SELECT a.uid, '' FROM hidden h JOIN people.aliases a ON a.person_uid = h.person_uid
UNION SELECT a.uid, h.crd FROM hidden h JOIN people.aliases a ON a.rule_uid = h.rule_uid
