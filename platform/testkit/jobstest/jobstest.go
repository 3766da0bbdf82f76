// Package jobstest reads and runs the jobs in the outbox, for tests of code that enqueues them.
package jobstest

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Job is a waiting job.
type Job struct {
	ID      string
	Type    string
	Payload string
	TaskID  string
}

// Waiting are the jobs in the outbox, oldest first.
func Waiting(tb testing.TB, db *database.DB) []Job {
	tb.Helper()
	var list []Job
	require.NoError(tb, db.From(tb.Context()).Raw(`SELECT id::text AS id, type, payload::text AS payload, coalesce(task_id, '') AS task_id
		FROM platform.outbox WHERE handed_at IS NULL ORDER BY created_at, id`).Scan(&list).Error)
	return list
}

// Run runs the waiting jobs that have a handler, removes them from the outbox, and returns their errors.
func Run(tb testing.TB, db *database.DB, handlers ...jobs.Handler) []error {
	tb.Helper()
	var errs []error
	for _, job := range Waiting(tb, db) {
		for _, h := range handlers {
			if h.Type != job.Type {
				continue
			}
			errs = append(errs, h.Run(tb.Context(), []byte(job.Payload)))
			require.NoError(tb, db.From(tb.Context()).Exec("DELETE FROM platform.outbox WHERE id = ?::uuid", job.ID).Error)
		}
	}
	return errs
}

// Deliver is Run that requires success.
func Deliver(tb testing.TB, db *database.DB, handlers ...jobs.Handler) {
	tb.Helper()
	for _, err := range Run(tb, db, handlers...) {
		require.NoError(tb, err)
	}
}

// Never reports whether an error of a job is permanent.
func Never(err error) bool {
	mark := strings.TrimPrefix(jobs.Never(errProbe).Error(), errProbe.Error())
	return err != nil && strings.HasSuffix(err.Error(), mark)
}

var errProbe = errors.New("probe")
