package jobs

import (
	"context"

	"gpatlas/platform/database"
)

// EnqueueAll marks rows as enqueued and enqueues the job of each, in transactions of at most batch rows, until mark returns fewer. It returns
// how many.
func EnqueueAll[T any](
	ctx context.Context, db *database.DB, batch int, mark func(ctx context.Context) ([]T, error), enqueue func(ctx context.Context, row T) error,
) (total int, err error) {
	for {
		n := 0
		err := db.InTx(ctx, func(ctx context.Context) error {
			rows, err := mark(ctx)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := enqueue(ctx, row); err != nil {
					return err
				}
			}
			n = len(rows)
			return nil
		})
		if err != nil {
			return total, err
		}
		if total += n; n < batch {
			return total, nil
		}
	}
}
