package history

import (
	_ "embed"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

//go:embed unlisted.sql
var unlistedSQL string

// UnlistedSQL finds the advisers that were in no list any more on @day, with the day since when. of narrows the listings l,
// known the editions f to those that were processed by an instant; either begins with AND, or is empty.
func UnlistedSQL(of, known string) string {
	return strings.NewReplacer("{{of}}", of, "{{known}}", known).Replace(unlistedSQL)
}

// unlisted adds a statement that reads the day from which on the adviser was in no list; nil if it was in one.
//
// Spec: not shown; reloading an edition overwrites the advisers in it. For an instant before the reload, the edition
// therefore counts with the advisers that it names now.
func (r *reader) unlisted(b *batch, a *fold.Record) {
	type row struct {
		Day time.Time `gorm:"column:day"`
	}
	statement := UnlistedSQL(" AND l.crd = @crd", " AND f.processed_at <= @known")
	args := database.Args{"day": pgtype.Date{Time: r.day(), Valid: true}, "known": r.known(), "crd": a.CRD}
	add(b, "read whether an adviser is listed", statement, args, func(found *row) { a.Unlisted = &found.Day })
}

//go:embed overrides.sql
var overridesSQL string

// OverridesSQL reads the corrections that were known at an instant, @known: of advisers and funds, @crds and @funds, or all where
// @crds is null.
func OverridesSQL() string { return overridesSQL }

// overrides adds the reading of the corrections of advisers and funds that were known; of all, which are few, where crds is nil.
func (r *reader) overrides(b *batch, crds, funds []string, into *fold.Overrides) {
	args := database.Args{"crds": crds, "funds": funds, "known": r.known()}
	add(b, "read overrides", overridesSQL, args, func(o *fold.Override) { *into = append(*into, *o) })
}
