// Package stripetest is a stand-in for Stripe in tests. It keeps customers, checkout sessions, portal sessions, subscriptions,
// invoice items and invoices in memory, honors Idempotency-Key as Stripe does, fails on demand, answers in the format of old
// and of new API versions, and makes signed webhook events.
//
// It does not validate requests. The tests of the client also run against stripe-mock, which does.
package stripetest
