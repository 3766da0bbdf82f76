// Package stripe calls Stripe. Only this package imports Stripe's library, and it exports none of its types.
//
// A failed call is an error of kind unavailable, whatever Stripe's response: a refusal is a fault of ours or of the settings,
// not of the caller. The error's cause is for the log and never contains the secret key.
package stripe
