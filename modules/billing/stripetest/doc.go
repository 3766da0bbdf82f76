// Package stripetest is a stand-in for Stripe in tests. It keeps customers, checkout sessions, portal sessions, subscriptions,
// invoice items and invoices in memory, honors Idempotency-Key as Stripe does, fails on demand, answers in the shape of old
// and of new API versions, and makes signed webhook events.
//
// It does not check whether requests are valid: stripe-mock does, which the tests of the client are also run against.
package stripetest
