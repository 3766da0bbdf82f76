-- What operators correct of funds.
UPDATE n_fund n SET status = o.value, closed_on = CASE
    WHEN o.value <> 'closed' THEN NULL
    WHEN n.status = 'closed' THEN n.closed_on
    ELSE o.valid_from
END
FROM catalog.overrides o
WHERE o.fund_id = n.fund_id AND o.field = 'status' AND o.removed_at IS NULL AND o.valid_from <= $today$::date;
