-- Everything under which the person was known until now counts for the one that the split makes.
INSERT INTO people.origins (uid, former_uid)
SELECT @new, u FROM unnest(people.units_of(@uid) || @uid::text) u WHERE u <> @new
ON CONFLICT DO NOTHING
