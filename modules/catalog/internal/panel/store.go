package panel

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Store reads lists of filings.
type Store struct {
	db      *database.DB
	history *history.Store
	clock   clock.Clock
}

// NewStore reads lists from db, and names as of a moment from filed.
func NewStore(db *database.DB, filed *history.Store, clk clock.Clock) *Store {
	return &Store{db: db.Reader(), history: filed, clock: clk}
}

var (
	//go:embed edition.sql
	editionSQL string
	//go:embed list.sql
	listSQL string
)

// Statement completes a statement about a list: {{edition crd}} is the newest edition of the manager crd that states it.
func Statement(statement string) string {
	for {
		before, rest, ok := strings.Cut(statement, "{{edition ")
		if !ok {
			return statement
		}
		crd, after, _ := strings.Cut(rest, "}}")
		statement = before + strings.ReplaceAll(editionSQL, "{{crd}}", crd) + after
	}
}

// List reads the rows of a list of a manager at a moment, and the edition that states it, nil if none does. T has the columns of the list's
// table as JSON. It fails with NotFound when there is no such manager, and with Invalid when what was known at the moment was not kept.
func List[T any](ctx context.Context, s *Store, list, crd string, at catalogapi.Moment) (rows []T, of *Edition, err error) {
	type found struct {
		Accession, FormType *string
		FilingDate          *time.Time
		Rows                *string
	}
	name := strings.TrimPrefix(list, catalogapi.SilentTable)
	statement := Statement(strings.NewReplacer("{{table}}", name, "{{edition}}", "{{edition @crd}}").Replace(listSQL))
	read, err := Select[found](ctx, s, "read the list of "+name, statement, at, database.Args{"crd": crd, "list": list})
	switch {
	case err != nil:
		return nil, nil, err
	case len(read) == 0:
		return nil, nil, apperr.NotFound(catalogapi.NoGP, crd)
	case read[0].Accession == nil:
		return nil, nil, nil
	case read[0].Rows == nil:
		return nil, nil, apperr.Invalid(apperr.FieldError{
			Field:   "known_at",
			Message: "what filing " + *read[0].Accession + " listed at this time was not kept: it was restated before such lists were kept",
		})
	}
	if err := json.Unmarshal([]byte(*read[0].Rows), &rows); err != nil {
		return nil, nil, fmt.Errorf("read the list of %s: %w", name, err)
	}
	of = &Edition{*read[0].Accession, *read[0].FormType, *read[0].FilingDate}
	return rows, of, s.Forms(ctx, []string{crd}, at, of)
}

// Select returns the rows of a statement about a moment: @day and @known are its limits.
func Select[T any](ctx context.Context, s *Store, what, statement string, at catalogapi.Moment, args database.Args) (rows []T, err error) {
	args["day"], args["known"] = at.Day, pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	if at.Day.IsZero() {
		args["day"] = pgtype.Date{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	if at.Known.IsZero() {
		return database.Select[T](ctx, s.db, what, statement, args)
	}
	if !s.db.InTransaction(ctx) {
		if _, err := publish.WaitForCommit(ctx, s.db.Pool()); err != nil {
			return nil, database.Failure("wait for a load to end", err)
		}
	}
	err = s.db.Snapshot(database.FromPrimary(ctx), func(c *pgx.Conn) error {
		processed, ok, err := publish.ProcessedBy(ctx, c, at.Known)
		switch {
		case err != nil:
			return err
		case !ok:
			args["known"] = pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
		case !processed.IsZero():
			args["known"] = processed
		}
		read, err := c.Query(ctx, statement, args)
		if err != nil {
			return err
		}
		rows, err = pgx.CollectRows(read, pgx.RowToStructByName[T])
		return err
	})
	return rows, database.Failure(what, err)
}
