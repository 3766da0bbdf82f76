// Package jobs runs work outside the request that asks for it: an outbox in PostgreSQL, a relay, asynq over Redis.
//
// A service enqueues in the transaction of the facts that the job follows from (Enqueuer); the worker's relay hands
// committed jobs to the queue; the worker runs them. A job is never lost with a rolled back or a crashed transaction
// left half-done, and Redis may be emptied at any time. It may run twice, however: handlers must make the second run a
// no-op, by natural keys and ON CONFLICT DO NOTHING.
//
// What it refuses to do: prefix matching of types, payloads of more than ids and options, a queue per module.
package jobs
