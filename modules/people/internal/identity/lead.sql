-- Where former uids lead in the end: whom the rules say, and from there where decisions lead.
UPDATE people.aliases a SET person_uid = coalesce(l.person_uid, b.rule_uid)
FROM people.aliases b LEFT JOIN unnest(@uids::text[], @people::text[]) AS l (uid, person_uid) ON l.uid = b.rule_uid
WHERE a.uid = b.uid AND b.rule_uid IS NOT NULL AND a.person_uid <> coalesce(l.person_uid, b.rule_uid)
