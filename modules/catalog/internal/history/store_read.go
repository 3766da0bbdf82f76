package history

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// reader reads versions as they stood at an instant, all in one snapshot of the database: a load may commit at any time.
// It reads through pgx alone, for an adviser may have tens of thousands of versions of its funds.
type reader struct {
	q interface {
		SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	}
	at time.Time // the newest processed_at that counts; zero: as it stands
}

// WaitForCommit is called before reading what was known at an instant: it waits while a load that may have been known then
// commits. It does nothing when the instant is zero, or in the caller's transaction.
func (s *Store) WaitForCommit(ctx context.Context, known time.Time) error {
	if known.IsZero() || s.db.InTransaction(ctx) {
		return nil
	}
	_, err := publish.WaitForCommit(ctx, s.db.Pool())
	return database.Failure("wait for a load to end", err)
}

// reading gives fn a reader of what was known at an instant, or of what stands where that is zero. The errors of fn, which
// are ready to be returned, are handed on as they are.
func (s *Store) reading(ctx context.Context, known time.Time, fn func(r *reader) error) error {
	err := s.db.Snapshot(ctx, func(c *pgx.Conn) error {
		r := &reader{q: c}
		if known.IsZero() {
			return fn(r)
		}
		var ok bool
		var err error
		if r.at, ok, err = publish.ProcessedBy(ctx, c, known); err != nil {
			return err
		}
		if !ok {
			r.at = beginningOfTime
		}
		return fn(r)
	})
	if _, ready := errors.AsType[*apperr.Error](err); ready {
		return err
	}
	return database.Failure("read versions", err)
}

// beginningOfTime is before everything that was processed.
var beginningOfTime = time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC)

// known is the instant as SQL compares with it.
func (r *reader) known() pgtype.Timestamptz {
	if r.at.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: r.at, Valid: true}
}

//go:embed filings.sql
var filingsSQL string

// filings adds the reading of the filings of advisers that had been processed, ADV-W too, each as it stood then, oldest first.
func (r *reader) filings(b *batch, crds []string, take func(all []fold.Filed) error) {
	var all []fold.Filed
	add(b, "read filings", filingsSQL, database.Args{"crds": crds, "known": r.known()}, func(f *fold.Filed) { all = append(all, *f) })
	b.then(func() error {
		slices.SortFunc(all, func(a, b fold.Filed) int { return fold.Order(&a.Filing, &b.Filing) })
		if !r.at.IsZero() {
			fold.MarkInitial(all)
		}
		return take(all)
	})
}

// wholeAdviser is all that a version says of its adviser.
var wholeAdviser = strings.Join(catalogapi.ColumnNames[struct {
	catalogapi.Statement
	catalogapi.Basis
}](), ", ") + ", silent"

//go:embed restated_advisers.sql
var restatedAdvisersSQL string

// adviserVersions adds the reading of what filings say of their advisers, as they stood. The filings that count are in of when its
// rows come.
func (r *reader) adviserVersions(b *batch, columns string, crds []string, of map[string]*fold.Filed, take func(v *fold.AdviserVersion)) {
	const what = "read an adviser's versions"
	args := database.Args{"crds": crds, "known": r.known()}
	statement := "SELECT accession, " + columns + " FROM catalog.adviser_versions WHERE crd = ANY (@crds)"
	add(b, what, statement, args, func(v *fold.AdviserVersion) {
		if f := of[v.Accession]; f != nil && !f.Restated {
			v.Filing = f.Filing
			take(v)
		}
	})
	if r.at.IsZero() {
		return
	}
	add(b, what, strings.Replace(restatedAdvisersSQL, "{{columns}}", columns, 1), args, func(v *fold.AdviserVersion) {
		if f := of[v.Accession]; f != nil {
			v.Filing = f.Filing
			take(v)
		}
	})
}
