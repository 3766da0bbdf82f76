// Package jobs runs work outside the request that asks for it: an outbox in PostgreSQL, a relay, asynq over Redis.
//
// A service enqueues in the transaction of the facts that the job follows from (Enqueuer); the worker's relay hands
// committed jobs to the queue of their handler; the worker runs them. A job is never lost with a rolled back or a crashed
// transaction left half-done. While Redis is away jobs wait in the outbox; what had been handed over before comes back
// with Redis, which therefore keeps an append-only file: jobs in a Redis that loses its data are lost with it.
//
// A job may run twice: handlers must make the second run a no-op, by natural keys and ON CONFLICT DO NOTHING. The jobs of a
// worker that was killed come back when their leases have run out, one to two minutes later, as do those that ended while
// Redis was away. What failed for good lies among the dead letters (Inspector, and the queue UI) until somebody runs it
// again.
//
// What it refuses to do: prefix matching of types, payloads of more than ids and options, a queue per module.
package jobs
