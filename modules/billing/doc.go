// Package billing charges for what is sold, and collects it: the ledger and the meter behind every operation with a price,
// spending caps and their alerts, preferences, purchases, and Stripe (checkout, customer portal, subscriptions, webhook,
// dunning, monthly collection). Tables: schema billing. Sold units (persons) are opaque text to it. It may call accounts; other
// modules call it through billingapi, and charge through platform/charge.
package billing
