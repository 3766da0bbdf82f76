package history

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/platform/database"
)

//go:embed unlisted.sql
var unlistedSQL string

// UnlistedSQL finds the advisers that were in no list any more on @day, with the day since when, by the rule of the
// loader (load/sql/unlisted.sql) less its last condition: a form of that day or later ends it. of narrows the listings l,
// known the editions f to those that were processed by an instant; either begins with AND, or is empty.
func UnlistedSQL(of, known string) string {
	return strings.NewReplacer("{{of}}", of, "{{known}}", known).Replace(unlistedSQL)
}

// unlisted is the day since when an adviser was in no list any more, before its versions are asked; nil where it was in one.
//
// Spec: not shown; whom an edition named before the same edition was loaded anew is not kept, so at an instant before that it
// counts with what it names now.
func (a *adviserFilings) unlisted(ctx context.Context, r *reader) (*time.Time, error) {
	type row struct {
		Day time.Time `gorm:"column:day"`
	}
	found, err := collect[row](ctx, r, "read whether an adviser is listed", UnlistedSQL(" AND l.crd = @crd", " AND f.processed_at <= @known"),
		database.Args{"day": pgtype.Date{Time: a.limit, Valid: true}, "known": r.known(), "crd": a.CRD})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0].Day, nil
}
