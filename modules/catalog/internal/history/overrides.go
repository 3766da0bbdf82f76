package history

import (
	_ "embed"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

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

// correct adds the reading of the corrections of the adviser and the funds that it named. After a filing it is as the filings say.
func (a *adviserFilings) correct(r *reader, b *batch) {
	if a.through == nil {
		r.overrides(b, []string{a.CRD}, a.funds, &a.Overrides)
	}
}
