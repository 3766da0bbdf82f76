package history

import (
	"context"

	"gpatlas/modules/catalog/internal/scan"
	"gpatlas/platform/database"
)

// each reads rows into a structure by its columns and hands it on, row by row: see scan.Each.
func each[T any](ctx context.Context, r *reader, what string, each func(row *T), statement string, args database.Args) error {
	rows, err := r.q.Query(ctx, statement, args)
	if err != nil {
		return database.Failure(what, err)
	}
	return database.Failure(what, scan.Each(rows, each))
}

// collect is each into a list.
func collect[T any](ctx context.Context, r *reader, what, statement string, args database.Args) (out []T, err error) {
	err = each(ctx, r, what, func(row *T) { out = append(out, *row) }, statement, args)
	return out, err
}
