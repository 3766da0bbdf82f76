-- Two processes that count hits of the same mail do so one after the other: each judges by what the other has counted.
SELECT id FROM notifications.tracked_mails WHERE id = ANY(@mails::text[]) ORDER BY id FOR NO KEY UPDATE
