package past

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/intern"
)

// market gathers what the versions say, for all advisers at once, with the rules of package fold. CRD and fund numbers
// are kept as the numbers that they are.
type market struct {
	asOf  AsOf
	words intern.Strings

	listed  map[int64]fold.Filing // by CRD: the adviser's newest whole list of funds
	offered offered
	funds   []fund
	kept    map[int64][]fold.FundVersion // by the digits of the Fund ID: all versions of a fund of which one is silent
	fundAt  map[int64]int32              // by the digits of the Fund ID: its place in funds
	gone    map[int64][]time.Time        // by CRD: since when it has withdrawn or is not listed

	corrected map[string]fold.Overrides // by CRD or Fund ID

	folded []foldedFund // sorted by CRD
	own    []fold.Fund  // working memory: the funds of one adviser

	gps    []index.GP
	open   []index.OpenFund
	former []index.GP // who had withdrawn, or was in no list any more
	fresh  index.Freshness

	formerOpen []index.OpenFund
}

func newMarket(c AsOf) *market {
	return &market{
		asOf: c, words: intern.Strings{}, listed: map[int64]fold.Filing{}, fundAt: map[int64]int32{}, gone: map[int64][]time.Time{},
		offered: newOffered(), kept: map[int64][]fold.FundVersion{}, corrected: map[string]fold.Overrides{},
	}
}

// filing scans the part of a filing that puts versions in order.
type filing struct {
	fold.Filing
	crd    int64
	source *word
	date   pgtype.Date
}

func (f *market) filing() *filing { return &filing{source: f.word()} }

// targets are accession, crd, source, filing_date, submitted_at, filing_id, funds_listed.
func (f *filing) targets() []any {
	return []any{&f.Accession, &f.crd, f.source, &f.date, &f.SubmittedAt, &f.FilingID, &f.FundsListed}
}

// scanned gives the filing of the row, without its CRD.
func (f *filing) scanned() *fold.Filing {
	f.DocSource, f.FilingDate = catalogapi.Source(*f.source.s), f.date.Time
	return &f.Filing
}

func (f *market) readLists(ctx context.Context, tx pgx.Tx) error {
	row := f.filing()
	return f.stream(ctx, tx, listsSQL, row.targets(), func() error {
		list := row.scanned()
		if known, ok := f.listed[row.crd]; !ok || fold.Order(list, &known) > 0 {
			f.listed[row.crd] = *list
		}
		return nil
	})
}

// readDays reads since when advisers are former ones, unless a version is of that day or later.
func (f *market) readDays(ctx context.Context, tx pgx.Tx, sql string) error {
	var crd int64
	var on pgtype.Date
	return f.stream(ctx, tx, sql, []any{&crd, &on}, func() error {
		f.gone[crd] = append(f.gone[crd], on.Time)
		return nil
	})
}

// known and the like give what package fold has as pointers.
func known(v int64) *int64 {
	if v == index.Unknown {
		return nil
	}
	return &v
}

func number(n pgtype.Int8) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}

var yesNo = [2]bool{true, false}

func flag(b pgtype.Bool) *bool {
	switch {
	case !b.Valid:
		return nil
	case b.Bool:
		return &yesNo[0]
	}
	return &yesNo[1]
}

// Days since 1970 take less room than instants.
const secondsPerDay = 24 * 60 * 60

func toDay(t time.Time) int32 {
	s := t.Unix()
	if s < 0 {
		s -= secondsPerDay - 1
	}
	return int32(s / secondsPerDay)
}

func fromDay(d int32) time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }
