-- A posting opens on the day of its posting, but not later than it is first seen.
SELECT count(*) FILTER (WHERE least(posted_at, first_seen) > @from AND least(posted_at, first_seen) <= @until) AS opened,
	count(*) FILTER (WHERE closed_at > @from AND closed_at <= @until) AS closed
FROM people.postings WHERE crd = @crd
