UPDATE people.postings SET closed_at = @at
WHERE crd = @crd AND vendor = @vendor AND token = @token AND closed_at IS NULL AND posting_id <> ALL (@ids::text[])
