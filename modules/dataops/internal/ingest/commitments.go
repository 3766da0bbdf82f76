package ingest

import (
	"context"
	"errors"
	"fmt"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/people/peopleapi"
)

var errNoLists = errors.New("lists of commitments cannot be loaded: module people is left out")

// loadCommitments hands an open list to the module of people, in the transaction of the batch.
func (it *item) loadCommitments(ctx context.Context) (rows int64, err error) {
	if it.s.cfg.Lists == nil {
		return 0, errNoLists
	}
	it.listed, err = it.s.cfg.Lists.Load(ctx, peopleapi.List{
		RunID: it.id, Rows: it.opened.Commitments, Accept: func(ctx context.Context, rows int64) error {
			return it.check.accept(ctx, catalogapi.Staged{Rows: rows, Keyed: rows, Filings: rows})
		},
	})
	switch {
	case gate.Stopped(err) != nil:
		return 0, err // it names the document
	case err != nil:
		return 0, fmt.Errorf("%s: %w", it.in.Name, err)
	}
	return it.opened.Rows(), nil
}
