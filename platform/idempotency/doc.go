// Package idempotency executes requests with an Idempotency-Key once per account, and repeats their responses for 24 hours.
//
// A request begins with a row that is committed before the operation runs. While its lease holds, the same request is answered
// with 409; if the executing process was killed, the next request takes over after the lease. A taken-over execution keeps its
// ID, so a charge is made only once. If the database cannot record the end of an execution, the keeper retries until it does.
//
// The table holds neither keys nor responses in clear, because the response that creates an API key contains a secret.
// Responses are encrypted with AES-256-GCM, with a key derived (HKDF-SHA-256) from a secret of the server, the account and the
// caller's key. The caller's key is stored as a SHA-256.
//
// Spec: not shown; sessions and live API keys of an account share their keys, because they act for the same account. Test keys
// have separate ones: their responses must not be given to a live key.
package idempotency
