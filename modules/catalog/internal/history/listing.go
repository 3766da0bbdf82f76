package history

import (
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

// unlisted adds the reading of the day since when the adviser was in no list any more, before its versions are asked; nil where it was
// in one.
//
// Spec: not shown; whom an edition named before the same edition was loaded anew is not kept, so at an instant before that it
// counts with what it names now.
func (a *adviserFilings) unlisted(r *reader, b *batch) {
	type row struct {
		Day time.Time `gorm:"column:day"`
	}
	statement := UnlistedSQL(" AND l.crd = @crd", " AND f.processed_at <= @known")
	args := database.Args{"day": pgtype.Date{Time: a.limit, Valid: true}, "known": r.known(), "crd": a.CRD}
	add(b, "read whether an adviser is listed", statement, args, func(found *row) { a.Unlisted = &found.Day })
}
