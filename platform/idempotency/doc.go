// Package idempotency executes requests with an Idempotency-Key once per account, and gives their answers again for 24 hours.
//
// A request begins with a row that is committed before the operation runs. While its lease holds, the same request is
// answered 409; when the process that executes it was killed, the next one takes over after the lease. A taken-over
// execution keeps its ID, under which a charge can be made once only. Where the database does not record how an execution ended,
// the keeper tries again until it does.
//
// The table holds neither keys nor answers in clear: the answer to the creation of an API key is a secret. Answers are
// encrypted with AES-256-GCM, with a key that is derived (HKDF-SHA-256) from a secret of the server, the account and the
// caller's key. Of the latter there is a SHA-256.
//
// Spec: not shown; sessions and live API keys of an account share their keys, for they act for the same account. Test keys
// have theirs apart: their answers must not be given to a live key.
package idempotency
