package history

import (
	"context"
	_ "embed"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

//go:embed overrides.sql
var overridesSQL string

// OverridesSQL reads the corrections that were known at an instant, @known: of advisers and funds, @crds and @funds, or all where
// @crds is null.
func OverridesSQL() string { return overridesSQL }

// overrides reads the corrections of advisers and funds that were known; all, which are few, where crds is nil.
func (r *reader) overrides(ctx context.Context, crds, funds []string) (fold.Overrides, error) {
	args := database.Args{"crds": crds, "funds": funds, "known": r.known()}
	return collect[fold.Override](ctx, r, "read overrides", overridesSQL, args)
}

// correct reads the corrections of the adviser and the funds that it named. After a filing it is as the filings say.
func (a *adviserFilings) correct(ctx context.Context, r *reader) (err error) {
	if a.through == nil {
		a.Overrides, err = r.overrides(ctx, []string{a.CRD}, fundsOf(a.FundVersions))
	}
	return err
}

// fundsOf names the funds of versions, each once.
func fundsOf(versions []fold.FundVersion) (ids []string) {
	seen := map[string]bool{}
	for i := range versions {
		if id := versions[i].FundID; !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
