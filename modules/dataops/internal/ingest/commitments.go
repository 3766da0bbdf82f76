package ingest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/people/peopleapi"
)

var errNoLists = errors.New("lists of commitments cannot be loaded: module people is left out")

// listBefore is the list with which a list of commitments is compared: of those that brought the figures which it replaces or
// follows, the first that has a column which it lacks. A list of other LPs has other columns, and is none of them.
func (c *qualityCheck) listBefore(ctx context.Context) (b gate.Baseline, known bool, err error) {
	if loaded, err := c.service.runs.Loaded(ctx, c.end.Series, c.end.SHA256, c.end.Looks.Edition); err != nil || loaded || len(c.from) == 0 {
		return b, false, err
	}
	stored, err := c.service.runs.Baselines(ctx, c.from)
	if err != nil {
		return b, false, err
	}
	for _, list := range c.batch.series {
		stored = append(stored, list...)
	}
	for _, run := range c.from {
		i := slices.IndexFunc(stored, func(b gate.Baseline) bool { return b.RunID == run })
		if i >= 0 && len(gate.Columns(stored[i], c.opened.Layout, c.opened.Reads)) > 0 {
			return stored[i], true, nil
		}
	}
	return b, false, nil
}

// dated matches the date in a document's name: "pensions_20260331.csv", "2026-03", "2026q1", "033126". Other numbers, as of an account, are no dates.
var dated = regexp.MustCompile(`(?i)(?:^|\D)(?:(?:19|20)\d\d[-_ ]?(?:(?:0[1-9]|1[0-2])(?:[-_ ]?(?:0[1-9]|[12]\d|3[01]))?|q[1-4])|(?:0[1-9]|1[0-2])[-_ ]?(?:0[1-9]|[12]\d|3[01])[-_ ]?(?:(?:19|20)\d\d|\d\d))(?:\D|$)`)

// loadCommitments loads an open list through the module people, in the transaction of the batch.
func (it *item) loadCommitments(ctx context.Context) (rows int64, err error) {
	if it.s.cfg.Lists == nil {
		return 0, errNoLists
	}
	before, err := it.s.runs.Named(ctx, it.in.Name, it.id)
	if err != nil {
		return 0, err
	}
	it.listed, err = it.s.cfg.Lists.Load(ctx, peopleapi.List{
		RunID: it.id, Lacks: it.opened.Unlisted, Before: before, Dated: dated.MatchString(it.in.Name), Rows: it.opened.Commitments,
		Whole: func() bool { return it.check.whole }, Accept: func(ctx context.Context, read peopleapi.ListRead) error {
			it.check.from, it.check.lacking, it.check.renamed, it.check.funds = read.From, read.Lacking, read.Renamed, read.RenamedFunds
			staged := catalogapi.Staged{
				Rows: read.Rows, Keyed: read.Rows, Filings: read.Rows, Brought: read.Brought, Lacking: int64(len(read.Lacking)),
			}
			for _, c := range read.Changed {
				staged.Changed = append(staged.Changed, catalogapi.ChangedValues{Field: c.Field, Compared: c.Compared, Changed: c.Changed})
			}
			return it.check.accept(ctx, staged)
		},
	})
	switch {
	case gate.Stopped(err) != nil:
		return 0, err // it names the document
	case err != nil:
		return 0, fmt.Errorf("%s: %w", it.in.Name, err)
	}
	if len(it.listed.Replaced) > 0 {
		if it.replaced, err = it.s.runs.Documents(ctx, it.listed.Replaced); err != nil {
			return 0, err
		}
	}
	return it.opened.Rows(), nil
}
