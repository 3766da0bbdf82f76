package history

import (
	"context"
	_ "embed"
	"strings"
	"sync"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/storedhistory"
	"gpatlas/platform/database"
)

// The history that a load stored of an adviser answers questions about the present. If none is stored, or a release with another
// encoding stored it, ok is false: the caller folds the filings instead.

// KeptTimeline reads the adviser's states after each of its filings.
func (s *Store) KeptTimeline(ctx context.Context, crd string) (timeline []catalogapi.AdviserState, ok bool, err error) {
	const statement = "SELECT states FROM catalog.adviser_histories WHERE crd = @crd AND encoding = @encoding"
	rows, err := database.Values[[]byte](ctx, s.db, "read a history", statement, database.Args{"crd": crd, "encoding": storedhistory.Encoding()})
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	_, timeline, err = storedhistory.DecodeStates(crd, rows[0])
	return timeline, err == nil, err
}

// KeptCourse reads the same, and the current adviser with its funds.
func (s *Store) KeptCourse(ctx context.Context, crd string) (
	standing catalogapi.AdviserWithFunds, timeline []catalogapi.AdviserState, ok bool, err error,
) {
	const statement = "SELECT states, funds FROM catalog.adviser_histories WHERE crd = @crd AND encoding = @encoding"
	type row struct{ States, Funds []byte }
	rows, err := database.Select[row](ctx, s.db, "read a history", statement, database.Args{"crd": crd, "encoding": storedhistory.Encoding()})
	if err != nil || len(rows) == 0 {
		return standing, nil, false, err
	}
	if standing.AdviserState, timeline, err = storedhistory.DecodeStates(crd, rows[0].States); err != nil {
		return standing, nil, false, err
	}
	standing.Funds, err = storedhistory.DecodeFunds(rows[0].Funds)
	return standing, timeline, err == nil, err
}

var (
	//go:embed kept_adviser.sql
	keptAdviserSQL string
	//go:embed kept_fund.sql
	keptFundSQL string

	keptAdviser = sync.OnceValue(func() string { return withColumns[fold.Adviser](keptAdviserSQL, "a.") })
	keptFund    = sync.OnceValue(func() string { return withColumns[fold.Fund](keptFundSQL, "f.") })
)

// withColumns fills in the columns of T.
func withColumns[T any](statement, prefix string) string {
	columns := prefix + strings.Join(catalogapi.ColumnNames[T](), ", "+prefix)
	return strings.Replace(statement, "{{columns}}", columns, 1)
}

// AdviserWithSources reads a current adviser and the filings that its values come from; nil if there is none.
func (s *Store) AdviserWithSources(ctx context.Context, crd string) (a *fold.Adviser, sources fold.Provenance, ok bool, err error) {
	type row struct {
		fold.Adviser

		Sources []byte // nil where nothing is kept
	}
	rows, err := database.Select[row](ctx, s.db, "read an adviser and its history", keptAdviser(), database.Args{"crd": crd, "encoding": storedhistory.Encoding()})
	if err != nil || len(rows) == 0 {
		return nil, nil, false, err
	}
	if rows[0].Sources == nil {
		return &rows[0].Adviser, nil, false, nil
	}
	sources, err = storedhistory.DecodeSources(crd, rows[0].Sources, "")
	return &rows[0].Adviser, sources, err == nil, err
}

// FundWithSources reads a current fund, by its filed ID or, if that is empty, by its internal one; nil if there is none. It adds
// the adviser's name and the filings that the fund's values come from.
func (s *Store) FundWithSources(ctx context.Context, fundID string, id int64) (f *fold.FundState, ok bool, err error) {
	type row struct {
		fold.Fund

		AdviserName string
		Sources     []byte // of all funds of its adviser; nil where nothing is kept
	}
	key, args := "f.fund_id = @fund", database.Args{"fund": fundID, "encoding": storedhistory.Encoding()}
	if fundID == "" {
		key, args["fund"] = "f.id = @fund", id
	}
	rows, err := database.Select[row](ctx, s.db, "read a fund and its history", strings.Replace(keptFund(), "{{key}}", key, 1), args)
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	f = &fold.FundState{Fund: rows[0].Fund, AdviserName: rows[0].AdviserName}
	if rows[0].Sources == nil {
		return f, false, nil
	}
	f.Provenance, err = storedhistory.DecodeSources(f.AdviserCRD, rows[0].Sources, f.FundID)
	return f, f.Provenance != nil, err
}
