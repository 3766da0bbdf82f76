// Package jobs runs work outside the request that asks for it: an outbox in PostgreSQL, a relay, asynq over Redis.
//
// A service enqueues in the transaction of the change that causes the job (Enqueuer); the worker's relay moves committed jobs to
// the queue of their handler; the worker runs them. A job exists if and only if its transaction committed. While Redis is
// unavailable jobs wait in the outbox. A row stays there until the queue says that its job ended. The relay asks once a minute, and
// moves a job again that the queue no longer has, so that jobs survive a Redis that lost its data, or its last second in a failover.
//
// A job may run twice: handlers must make the second run a no-op, by natural keys and ON CONFLICT DO NOTHING. The jobs of a
// killed worker run again when their leases have expired, one to two minutes later, and so do those that ended while Redis was
// unavailable. Permanent failures are dead letters (Inspector, and the queue UI) until an operator runs them again.
//
// Not supported on purpose: prefix matching of types, payloads of more than IDs and options, a queue per module.
package jobs
