-- Only of somebody whom filings still name: a suppression that is under way waits for this, or this for it.
WITH named AS (SELECT FROM people.posts WHERE person_uid = @uid LIMIT 1 FOR SHARE)
INSERT INTO people.profiles (person_uid, fields, asked, updated_at) SELECT @uid, @fields, @asked, @at FROM named
ON CONFLICT (person_uid) DO UPDATE SET fields = excluded.fields, asked = excluded.asked, updated_at = excluded.updated_at
