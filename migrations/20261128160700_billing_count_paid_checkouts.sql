-- +goose Up
-- A subscription whose checkout is paid has begun, even if its own event still calls it incomplete: see Subscription.began.
CREATE OR REPLACE VIEW billing.overdue AS
SELECT p.invoice, p.customer, p.subscription, p.user_id, p.amount_cents, p.currency, p.page, p.failed_at
FROM billing.payments p
LEFT JOIN billing.subscriptions s ON s.id = p.subscription
WHERE p.status = 'failed'
    AND (s.id IS NULL OR NOT s.deleted AND (s.status <> 'incomplete' OR s.checkout_completed))
    AND (s.status IN ('active', 'trialing') AND s.last_event > p.last_event) IS NOT TRUE
    AND NOT EXISTS (
        SELECT FROM billing.payments later
        WHERE later.subscription = p.subscription AND later.status = 'paid' AND later.paid_at > p.failed_at
    );

-- +goose Down
CREATE OR REPLACE VIEW billing.overdue AS
SELECT p.invoice, p.customer, p.subscription, p.user_id, p.amount_cents, p.currency, p.page, p.failed_at
FROM billing.payments p
LEFT JOIN billing.subscriptions s ON s.id = p.subscription
WHERE p.status = 'failed'
    AND (s.id IS NULL OR NOT s.deleted AND s.status <> 'incomplete')
    AND (s.status IN ('active', 'trialing') AND s.last_event > p.last_event) IS NOT TRUE
    AND NOT EXISTS (
        SELECT FROM billing.payments later
        WHERE later.subscription = p.subscription AND later.status = 'paid' AND later.paid_at > p.failed_at
    );
