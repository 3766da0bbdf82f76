package past

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/index"
)

// fund is what the versions of one fund say together, as far as the answers ask: the newest of them, the day of the
// first, the chains of notices that any of them names. There may be many versions, so that they are not kept.
type fund struct {
	accession       string // of the newest version; so to gav
	crd             int64
	submitted       int64 // microseconds since 1970
	filingID        int64
	name            string
	source          *string
	kind, kindOther *string
	ofFunds         *bool
	gav             int64 // index.Unknown when not reported
	filed, first    int32 // days
	listedFirst     bool  // a list of funds names it on the first day
	chains          []int32
}

func (v *fund) filing() fold.Filing {
	return fold.Filing{
		Accession: v.accession, DocSource: catalogapi.Source(*v.source), FilingDate: fromDay(v.filed),
		SubmittedAt: time.UnixMicro(v.submitted), FilingID: v.filingID,
	}
}

// versions gives two versions of which the fold says what it says of all: the newest, and one that stands for the others.
// Their highest value is left out: it tells a fund that winds down from an active one, which are counted alike.
func (v *fund) versions(into []fold.FundVersion) []fold.FundVersion {
	newest := fold.FundVersion{Filing: v.filing(), FiledFund: fold.FiledFund{
		Name: v.name, FundType: v.kind, FundTypeOther: v.kindOther, IsFundOfFunds: v.ofFunds, GrossAssetValue: known(v.gav),
	}}
	others := fold.FundVersion{Filing: newest.Filing}
	others.FilingDate = fromDay(v.first)
	if v.listedFirst {
		others.DocSource = catalogapi.SourceFundList
	} else if others.DocSource == catalogapi.SourceFundList {
		others.DocSource = catalogapi.SourceADVArchive // of an earlier day: a list is the first of its own
	}
	return append(into[:0], newest, others)
}

// fundRow scans one version of a fund.
type fundRow struct {
	*filing
	id          int64
	name        string
	kind, other *word
	ofFunds     pgtype.Bool
	gav         pgtype.Int8
	numbers     []string
	silent      []string
}

// readFunds takes in the versions as they come: putting them in order would take the server longer than all the rest.
// The notices have been read.
func (f *market) readFunds(ctx context.Context, tx pgx.Tx) error {
	var guess float64 // the planner's; nothing depends on it
	err := tx.QueryRow(ctx, "SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'catalog.funds'::regclass").Scan(&guess)
	if err != nil {
		return err
	}
	f.funds = make([]fund, 0, int(guess*1.05))
	var silent int64
	err = f.stream(ctx, tx, silentFundsSQL, []any{&silent}, func() error {
		f.kept[silent] = []fold.FundVersion{}
		return nil
	})
	if err != nil {
		return err
	}
	row := fundRow{filing: f.filing(), kind: f.word(), other: f.word()}
	targets := slices.Concat([]any{&row.id}, row.targets(), []any{&row.name, row.kind, row.other, &row.ofFunds, &row.gav, &row.numbers, &row.silent})
	return f.stream(ctx, tx, fundsSQL, targets, func() error {
		f.takeVersion(&row)
		return nil
	})
}

func (f *market) takeVersion(row *fundRow) {
	by := row.scanned()
	at, ok := f.fundAt[row.id]
	if !ok {
		at = int32(len(f.funds))
		f.fundAt[row.id] = at
		f.funds = append(f.funds, fund{first: toDay(by.FilingDate)})
	}
	v := &f.funds[at]
	if day := toDay(by.FilingDate); day < v.first {
		v.first, v.listedFirst = day, false
	}
	if by.DocSource == catalogapi.SourceFundList && toDay(by.FilingDate) == v.first {
		v.listedFirst = true
	}
	for _, number := range row.numbers {
		v.chains = appendNew(v.chains, f.offered.byNumber[number]...)
	}
	if kept, silent := f.kept[row.id]; silent {
		var gav *int64
		if row.gav.Valid {
			gav = new(row.gav.Int64)
		}
		f.kept[row.id] = append(kept, fold.FundVersion{Filing: *by, Silent: row.silent, FiledFund: fold.FiledFund{
			Name: row.name, FundType: row.kind.s, FundTypeOther: row.other.s, IsFundOfFunds: flag(row.ofFunds), GrossAssetValue: gav,
		}})
	}
	if ok {
		if newest := v.filing(); fold.Order(by, &newest) <= 0 {
			return
		}
	}
	v.accession, v.crd, v.source, v.submitted, v.filingID = by.Accession, row.crd, row.source.s, by.SubmittedAt.UnixMicro(), by.FilingID
	v.filed, v.name, v.kind, v.kindOther, v.ofFunds = toDay(by.FilingDate), row.name, row.kind.s, row.other.s, flag(row.ofFunds)
	v.gav = index.Unknown
	if row.gav.Valid {
		v.gav = row.gav.Int64
	}
}

func appendNew(to []int32, more ...int32) []int32 {
	for _, n := range more {
		if !slices.Contains(to, n) {
			to = append(to, n)
		}
	}
	return to
}

// foldedFund is what the totals of an adviser need of a folded fund.
type foldedFund struct {
	crd, vintage, gav int64
	strategy, status  string
	quality           catalogapi.VintageQuality
}

// foldFunds folds the funds and sorts them by adviser.
func (f *market) foldFunds() {
	f.folded = make([]foldedFund, 0, len(f.funds))
	var versions []fold.FundVersion
	for id, at := range f.fundAt {
		v := &f.funds[at]
		if kept, silent := f.kept[id]; silent {
			versions = append(versions[:0], kept...)
		} else {
			versions = v.versions(versions)
		}
		var listed *fold.Filing
		if list, ok := f.listed[v.crd]; ok {
			listed = &list
		}
		folded := fold.FundOf(versions, listed, f.offered.of(id, v.chains), f.asOf.Filed)
		f.correctFund(id, &folded)
		f.folded = append(f.folded, foldedFund{
			crd: v.crd, strategy: folded.Strategy, status: folded.Status, vintage: folded.VintageYear, quality: folded.VintageQuality, gav: v.gav,
		})
	}
	f.funds, f.kept, f.fundAt, f.listed, f.offered = nil, nil, nil, nil, offered{}
	slices.SortFunc(f.folded, func(a, b foldedFund) int { return cmp.Compare(a.crd, b.crd) })
}
