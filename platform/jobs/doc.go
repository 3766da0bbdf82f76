// Package jobs runs work outside the request that asks for it: an outbox in PostgreSQL, a relay, asynq over Redis.
//
// A service enqueues in the transaction of the change that causes the job (Enqueuer); the worker's relay moves committed jobs to
// the queue of their handler; the worker runs them. A job exists if and only if its transaction committed. While Redis is
// unavailable jobs wait in the outbox. Jobs that were moved before survive in Redis's append-only file: if Redis loses its data,
// they are lost.
//
// A job may run twice: handlers must make the second run a no-op, by natural keys and ON CONFLICT DO NOTHING. The jobs of a
// killed worker run again when their leases have expired, one to two minutes later, and so do those that ended while Redis was
// unavailable. Permanent failures are dead letters (Inspector, and the queue UI) until an operator runs them again.
//
// Not supported on purpose: prefix matching of types, payloads of more than IDs and options, a queue per module.
package jobs
