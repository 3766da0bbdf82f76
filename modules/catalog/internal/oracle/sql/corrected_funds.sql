-- What operators correct of funds.
UPDATE n_fund n SET status = o.value
FROM catalog.overrides o
WHERE o.fund_id = n.fund_id AND o.field = 'status' AND o.removed_at IS NULL AND o.valid_from <= $today$::date;
