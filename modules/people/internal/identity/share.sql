-- What was bought under some uids until now counts for each of some people.
INSERT INTO people.origins (uid, former_uid)
SELECT p, u FROM unnest(@people::text[]) p, unnest(@units::text[]) u WHERE u <> p
ON CONFLICT DO NOTHING
