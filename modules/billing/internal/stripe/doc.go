// Package stripe speaks with Stripe. It alone imports Stripe's library; no type of the library leaves it.
//
// A call that fails is an error of kind unavailable, whatever Stripe said: what Stripe refuses is a fault of ours or of the
// settings, not of the caller. The error's cause is for the log and never contains the secret key.
package stripe
