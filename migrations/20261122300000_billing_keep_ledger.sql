-- +goose Up
CREATE SCHEMA billing;

-- One row an account. What a charge has to know under the lock stands in this row alone: a statement that waits for a row
-- reads that row again, and no other (READ COMMITTED).
CREATE TABLE billing.accounts (
    user_id                    bigint PRIMARY KEY,             -- accounts.users
    period                     date NOT NULL,                  -- the month (UTC) of spent_micros, by its first day; never goes back
    spent_micros               bigint NOT NULL DEFAULT 0,      -- the sum of the account's charges of the period; a credit may make it negative
    cap_micros                 bigint CHECK (cap_micros >= 0), -- null: no cap
    thresholds                 smallint[] NOT NULL DEFAULT '{80,100}', -- percent of the cap, ascending
    one_click_enabled          boolean NOT NULL DEFAULT true,
    one_click_threshold_micros bigint NOT NULL DEFAULT 25000000,
    email_receipts             boolean NOT NULL DEFAULT true,
    weekly_digest              boolean NOT NULL DEFAULT false,
    backed                     boolean NOT NULL DEFAULT false, -- an active subscription or a payment method stands behind the account
    stripe_customer            text UNIQUE,
    CHECK (extract(day FROM period) = 1)
) WITH (fillfactor = 50); -- room for new versions of a row beside the old: spent_micros changes with each charge, and no index has it

-- The ledger: what was charged, and corrections. Rows are never changed or removed. Partitioned by month; what finds no
-- month lies in the default partition. What must be unique for ever stands in the tables below, since a unique index of a
-- partitioned table has to contain the month.
CREATE SEQUENCE billing.charge_ids;
CREATE TABLE billing.charges (
    id            bigint NOT NULL DEFAULT nextval('billing.charge_ids'),
    period        date NOT NULL,                   -- the month that the charge counts for, by its first day
    at            timestamptz NOT NULL,
    user_id       bigint NOT NULL,
    key_id        uuid,                            -- keys.api_keys; null for a session, or the service itself
    operation     text NOT NULL,                   -- "get-gp-metrics"; "adjustment"
    subject       text NOT NULL,                   -- "900001"; empty where the operation has none
    crd           text,                            -- the adviser that was asked about, where it is known
    product       text,                            -- what the charge entitles to; null: to nothing
    quantity      integer NOT NULL,                -- units that were paid for; 1 for a fee
    unit_micros   bigint NOT NULL,
    amount_micros bigint NOT NULL,
    mode          text NOT NULL CHECK (mode IN ('live', 'test')),
    request_id    text NOT NULL,
    reason        text,                            -- of an adjustment
    PRIMARY KEY (period, id),
    CHECK (mode = 'live' OR amount_micros = 0)
) PARTITION BY RANGE (period);
CREATE TABLE billing.charges_rest PARTITION OF billing.charges DEFAULT;
CREATE INDEX charges_account ON billing.charges (user_id, id);

-- +goose StatementBegin
CREATE FUNCTION billing.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'billing.charges is append-only: correct a charge with an adjustment (gpatlas billing adjust)';
END $$;
-- +goose StatementEnd
CREATE TRIGGER charges_append_only BEFORE UPDATE OR DELETE ON billing.charges FOR EACH ROW EXECUTE FUNCTION billing.refuse_change();
CREATE TRIGGER charges_never_truncated BEFORE TRUNCATE ON billing.charges FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_change();
CREATE TRIGGER charges_never_truncated BEFORE TRUNCATE ON billing.charges_rest FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_change();

-- What accounts have bought for ever.
CREATE TABLE billing.entitlements (
    user_id       bigint NOT NULL,
    product       text NOT NULL,
    unit          text NOT NULL,
    charge_id     bigint NOT NULL,                 -- billing.charges, which counts it in quantity
    amount_micros bigint NOT NULL,                 -- what was paid for this unit
    PRIMARY KEY (user_id, product, unit)
);
CREATE INDEX entitlements_charge ON billing.entitlements (charge_id);

-- Executions of requests with an Idempotency-Key that were charged (platform.idempotency.id): each is charged once.
CREATE TABLE billing.executions (
    id            uuid PRIMARY KEY,
    user_id       bigint NOT NULL,
    charge_id     bigint,                          -- null: all of it was owned
    amount_micros bigint NOT NULL,                 -- the receipt of the first time
    new_units     integer NOT NULL,
    at            timestamptz NOT NULL
);
CREATE INDEX executions_at ON billing.executions (at);

-- Thresholds of the spending cap that were crossed, once each month. The row is the intent to send the mail.
CREATE TABLE billing.alerts (
    user_id      bigint NOT NULL,
    period       date NOT NULL,
    threshold    smallint NOT NULL,                -- percent
    cap_micros   bigint NOT NULL,                  -- when it was crossed
    spent_micros bigint NOT NULL,
    crossed_at   timestamptz NOT NULL,
    queued_at    timestamptz,                      -- when its mail was enqueued; null: to be enqueued
    PRIMARY KEY (user_id, period, threshold)
);
CREATE INDEX alerts_waiting ON billing.alerts (crossed_at) WHERE queued_at IS NULL;

-- Events of Stripe, each handled once.
CREATE TABLE billing.stripe_events (
    id          text PRIMARY KEY,
    type        text NOT NULL,
    object      text NOT NULL,                     -- the ID of what it is about
    created     timestamptz NOT NULL,              -- by Stripe's clock, whole seconds
    state       text NOT NULL CHECK (state IN ('applied', 'stale', 'ignored')),
    received_at timestamptz NOT NULL
);
CREATE INDEX stripe_events_received ON billing.stripe_events (received_at);

-- Subscriptions as Stripe's events tell them. The plan and the API tier of an account follow from its rows.
CREATE TABLE billing.subscriptions (
    id                   text PRIMARY KEY,         -- sub_…
    customer             text NOT NULL,            -- cus_…
    user_id              bigint,                   -- null until an event says whose it is
    status               text NOT NULL,            -- Stripe's word; before its own first event: active if paid for, else incomplete
    plan                 text,                     -- what its prices are configured to give; null: nothing
    api_tier             text,
    period_start         timestamptz,
    period_end           timestamptz,
    cancel_at_period_end boolean NOT NULL DEFAULT false,
    checkout_completed   boolean NOT NULL DEFAULT false, -- a paid checkout session named it
    deleted              boolean NOT NULL DEFAULT false, -- for good: nothing revives it
    last_event           timestamptz               -- created of the newest event of the subscription itself that was applied; null: none yet
);
CREATE INDEX subscriptions_user ON billing.subscriptions (user_id);
CREATE INDEX subscriptions_customer ON billing.subscriptions (customer);

-- Invoices as Stripe's events tell them.
CREATE TABLE billing.payments (
    invoice      text PRIMARY KEY,                 -- in_…
    customer     text NOT NULL,
    subscription text,
    user_id      bigint,
    status       text NOT NULL CHECK (status IN ('paid', 'failed')),
    amount_cents bigint NOT NULL,
    currency     text NOT NULL,
    failed_at    timestamptz,                      -- of the first failure since it was last paid
    paid_at      timestamptz,
    page         text,                             -- where Stripe shows the invoice and takes the money; null: nowhere
    last_event   timestamptz NOT NULL              -- created of the newest event applied
);
CREATE INDEX payments_user ON billing.payments (user_id);
CREATE INDEX payments_customer ON billing.payments (customer);
CREATE INDEX payments_subscription ON billing.payments (subscription);
CREATE INDEX payments_failed ON billing.payments (failed_at) WHERE status = 'failed';

-- Steps of dunning that were taken for an invoice that is not paid, each once.
CREATE TABLE billing.dunning (
    invoice  text NOT NULL,
    step     smallint NOT NULL,                    -- 0, 1, 2: the mails after 0, 3 and 7 days; 3: the end of the plan
    taken_at timestamptz NOT NULL,
    PRIMARY KEY (invoice, step)
);

-- Invoices that somebody still has to pay. Not those of a subscription that has ended or never began, nor of one that
-- Stripe has called active since, nor of one that was paid for since: Stripe's events do not say that an invoice is waived.
CREATE VIEW billing.overdue AS
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

-- Months of accounts that were handed to Stripe as an invoice item, each once.
CREATE TABLE billing.collections (
    user_id       bigint NOT NULL,
    period        date NOT NULL,
    amount_micros bigint NOT NULL,                 -- of the ledger when it was collected
    invoice_item  text,                            -- ii_…; null: being collected
    at            timestamptz NOT NULL,
    PRIMARY KEY (user_id, period)
);

-- +goose Down
DROP SCHEMA billing CASCADE;
