package history

import (
	"context"
	_ "embed"
	"errors"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

//go:embed notice_day.sql
var noticeDaySQL string

// notFiled is the error of a history that was to end at a filing. If the filing was not found because it is a notice of Form D about a
// fund of the adviser, it returns which day to ask for.
//
// Spec: not shown; a notice has no place in the order of an adviser's filings, so there is no state after it but that of its day.
func (s *Store) notFiled(ctx context.Context, err error, crd, accession string) error {
	if missing, ok := errors.AsType[*apperr.Error](err); !ok || missing.Kind != apperr.KindNotFound {
		return err
	}
	type row struct {
		FilingDate time.Time
	}
	found, failure := database.Select[row](ctx, s.db, "look for a notice", noticeDaySQL, database.Args{"accession": accession, "crd": crd})
	if failure != nil {
		return failure
	}
	if len(found) == 0 {
		return err
	}
	return apperr.NotFound("Filing %s is a Form D notice. It has no place among the filings of GP %s; ask for its day, %s",
		accession, crd, found[0].FilingDate.Format(time.DateOnly))
}
