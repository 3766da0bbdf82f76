-- +goose Up
-- Where accounts were delivered units: at which manager a person was bought, also one who was bought before at another one. Free quotes
-- count these, so they do not show that two managers share a person. Purchases of several managers at once are noted when their people
-- are read again, which is free.
CREATE TABLE billing.places (
    user_id bigint NOT NULL,
    product text NOT NULL,
    place   text NOT NULL, -- 900001/per_k3v7q2mz5xw4n6ta
    PRIMARY KEY (user_id, product, place)
);
INSERT INTO billing.places (user_id, product, place)
SELECT DISTINCT e.user_id, e.product, c.crd || '/' || e.unit
FROM billing.entitlements e JOIN billing.charges c ON c.id = e.charge_id AND c.user_id = e.user_id
WHERE e.product = 'roster' AND c.crd IS NOT NULL;

-- +goose Down
DROP TABLE billing.places;
