package history

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/scan"
	"gpatlas/platform/database"
)

// batch is statements that are sent together. Most of an answer's time would go by in waiting for one statement before the next is sent.
type batch struct {
	statements pgx.Batch
	steps      []func(results pgx.BatchResults) error
}

// add adds a statement, whose rows each takes: see scan.Each.
func add[T any](b *batch, what, statement string, args database.Args, each func(row *T)) {
	b.statements.Queue(statement, args)
	b.steps = append(b.steps, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err == nil {
			err = scan.Each(rows, each)
		}
		return database.Failure(what, err)
	})
}

// then adds a step that runs after the rows of the previous statement and before those of the next one.
func (b *batch) then(step func() error) {
	b.steps = append(b.steps, func(pgx.BatchResults) error { return step() })
}

// send sends a batch and takes its rows, up to the first error.
func (r *reader) send(ctx context.Context, b *batch) error {
	if len(b.steps) == 0 {
		return nil
	}
	results := r.q.SendBatch(ctx, &b.statements)
	for _, step := range b.steps {
		if err := step(results); err != nil {
			_ = results.Close()
			return err
		}
	}
	return database.Failure("end a batch of statements", results.Close())
}
