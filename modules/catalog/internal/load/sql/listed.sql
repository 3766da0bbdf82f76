-- Takes in one whole edition of a list ($series$, $day$) that names l_named. A listing reaches from edition to edition, so
-- that the tables come to the same in whatever order the editions are loaded.
CREATE TEMP TABLE l_near ON COMMIT DROP AS
SELECT max(day) FILTER (WHERE day < $day$::date) AS before, min(day) FILTER (WHERE day > $day$::date) AS after
FROM catalog.editions WHERE series = $series$;

INSERT INTO catalog.editions (series, day) VALUES ($series$, $day$) ON CONFLICT DO NOTHING;

-- Who is not named, in the midst of a listing, or at its end where the same edition was loaded before.
CREATE TEMP TABLE l_cut ON COMMIT DROP AS
SELECT * FROM catalog.listings l
WHERE l.series = $series$ AND l.first_on <= $day$::date AND l.last_on >= $day$::date
  AND NOT EXISTS (SELECT 1 FROM l_named n WHERE n.crd = l.crd);
DELETE FROM catalog.listings l USING l_cut c WHERE l.crd = c.crd AND l.series = c.series AND l.first_on = c.first_on;
INSERT INTO catalog.listings (crd, series, first_on, last_on)
SELECT crd, series, first_on, (SELECT before FROM l_near) FROM l_cut WHERE first_on < $day$::date
UNION ALL
SELECT crd, series, (SELECT after FROM l_near), last_on FROM l_cut WHERE last_on > $day$::date;

-- Who is named, and in no listing that reaches over the day: it joins the listings on both sides.
CREATE TEMP TABLE l_joined ON COMMIT DROP AS
SELECT n.crd, coalesce(min(l.first_on) FILTER (WHERE l.last_on = near.before), $day$::date) AS first_on,
       coalesce(max(l.last_on) FILTER (WHERE l.first_on = near.after), $day$::date) AS last_on
FROM l_named n CROSS JOIN l_near near
LEFT JOIN catalog.listings l ON l.crd = n.crd AND l.series = $series$ AND (l.last_on = near.before OR l.first_on = near.after)
WHERE NOT EXISTS (SELECT 1 FROM catalog.listings o WHERE o.crd = n.crd AND o.series = $series$
                  AND o.first_on <= $day$::date AND o.last_on >= $day$::date)
GROUP BY n.crd;
DELETE FROM catalog.listings l USING l_joined j
WHERE l.crd = j.crd AND l.series = $series$ AND l.first_on >= j.first_on AND l.last_on <= j.last_on;
INSERT INTO catalog.listings (crd, series, first_on, last_on) SELECT crd, $series$, first_on, last_on FROM l_joined;
