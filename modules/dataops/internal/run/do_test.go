package run_test

import (
	"context"

	"gpatlas/modules/dataops/internal/run"
)

// do runs fn as one run: begun, and finished with what fn returns.
func do(ctx context.Context, store *run.Store, start run.Start, fn func(ctx context.Context, id int64) run.End) (id int64, end run.End, err error) {
	err = store.Session(ctx, func(ctx context.Context, runs *run.Session) error {
		if id, err = runs.Begin(ctx, start); err != nil {
			return err
		}
		end = fn(ctx, id)
		return runs.Finish(ctx, id, start, end)
	})
	return id, end, err
}
