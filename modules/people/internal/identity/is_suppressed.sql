SELECT EXISTS (SELECT FROM people.suppressed_at WHERE person_uid = @uid)
	OR EXISTS (SELECT FROM people.suppressions WHERE person_uid = @uid OR of_uid = @uid)
