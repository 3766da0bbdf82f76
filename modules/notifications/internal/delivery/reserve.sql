-- Counts mails among those of their account, kind and day, as far as there is room. Further tries of a mail do not count again. Returns
-- all that are counted.
INSERT INTO notifications.daily AS d (user_id, kind, day, mails)
SELECT n.user_id, n.kind, @day::text::date, (array_agg(n.mail ORDER BY n.place))[:max(n.most)]
FROM unnest(@users::bigint[], @kinds::text[], @mosts::int[], @mails::bigint[]) WITH ORDINALITY AS n (user_id, kind, most, mail, place)
GROUP BY n.user_id, n.kind
ORDER BY n.user_id, n.kind -- two workers wait for each other, and not in a circle
ON CONFLICT (user_id, kind, day) DO UPDATE
SET mails = d.mails || (ARRAY(
	SELECT m.mail FROM unnest(excluded.mails) WITH ORDINALITY AS m (mail, place) WHERE m.mail <> ALL (d.mails) ORDER BY m.place
))[:greatest(0, (SELECT max(k.most) FROM unnest(@kinds::text[], @mosts::int[]) AS k (kind, most) WHERE k.kind = excluded.kind) - cardinality(d.mails))]
RETURNING mails
