-- Under which uids purchases count for a person.
SELECT u FROM unnest(people.units_of(@uid) || @uid::text) u ORDER BY 1
