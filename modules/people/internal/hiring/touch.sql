UPDATE people.postings SET last_seen = @at
WHERE crd = @crd AND vendor = @vendor AND token = @token AND closed_at IS NULL
