package past

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/intern"
	"gpatlas/modules/catalog/internal/record"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// market folds the records of all advisers as of a moment. Adviser by adviser is read, folded and forgotten, but for those of which others
// named the funds too: they wait for one another.
type market struct {
	asOf  AsOf
	words intern.Strings

	offered   offered
	unlisted  map[string]*time.Time     // by CRD
	corrected map[string]fold.Overrides // by CRD or Fund ID
	shared    map[string]*sharing       // by CRD
	bearers   map[string][]bearer       // by the keys of their names: funds that bear the name of an issuer

	present, former part
	fresh           index.Freshness
}

// part is what stands in one index: of the advisers of the moment, or of those that had withdrawn or were in no list any more.
type part struct {
	gps  []index.GP
	open []index.OpenFund
}

// sharing is an adviser of which others named funds too.
type sharing struct {
	*fold.Record
	others []string // CRD numbers of these
}

// bearer is a fund that may be joined to a notice by its name.
type bearer struct {
	fold.Bearer
	chains []int32 // of notices that are joined to it by number
	in     *part
	at     int // its place in part.open; -1: it is closed
}

func newMarket(c AsOf) *market {
	return &market{
		asOf: c, words: intern.Strings{}, offered: newOffered(), unlisted: map[string]*time.Time{}, corrected: map[string]fold.Overrides{},
		shared: map[string]*sharing{}, bearers: map[string][]bearer{},
	}
}

func (f *market) readUnlisted(ctx context.Context, tx pgx.Tx) error {
	var crd int64
	var on pgtype.Date
	return f.stream(ctx, tx, unlistedSQL, []any{&crd, &on}, func() error {
		f.unlisted[strconv.FormatInt(crd, 10)] = new(on.Time)
		return nil
	})
}

// readOverrides reads the corrections that were known, by the adviser or fund that they are of.
func (f *market) readOverrides(ctx context.Context, tx pgx.Tx) error {
	known := pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	if !f.asOf.Known.IsZero() {
		known = pgtype.Timestamptz{Time: f.asOf.Known.Truncate(time.Microsecond), Valid: true}
	}
	rows, err := tx.Query(ctx, history.OverridesSQL(), database.Args{"crds": nil, "funds": nil, "known": known})
	if err != nil {
		return err
	}
	var o fold.Override
	_, err = pgx.ForEachRow(rows, []any{&o.ID, &o.CRD, &o.FundID, &o.Field, &o.Value, &o.ValidFrom}, func() error {
		of := o.CRD + o.FundID // one of them is empty
		f.corrected[of] = append(f.corrected[of], o)
		return nil
	})
	return err
}

// readRecords folds the records. All else has been read.
func (f *market) readRecords(ctx context.Context, tx pgx.Tx) error {
	const find = `SELECT a.crd, coalesce(r.others, '{}'), r.filed
		FROM catalog.advisers a LEFT JOIN catalog.records r ON r.crd = a.crd AND r.encoding = @encoding`
	rows, err := tx.Query(ctx, find, database.Args{"encoding": record.Encoding()})
	if err != nil {
		return err
	}
	var crd string
	var others []string
	var filed pgtype.DriverBytes
	decoder, reused := record.NewDecoder(), &fold.Record{}
	moment := record.Moment{Day: f.asOf.Filed, Known: f.asOf.Known.Truncate(time.Microsecond)}
	_, err = pgx.ForEachRow(rows, []any{&crd, &others, &filed}, func() error {
		if filed == nil {
			return apperr.Unavailable("What managers filed is being written anew after an upgrade")
		}
		d, a := decoder, reused
		if len(others) > 0 {
			d, a = record.NewDecoder(), &fold.Record{} // it is kept
		}
		of, err := d.Decode(crd, filed, nil)
		if err != nil {
			return err
		}
		if of.AtInto(moment, a); len(others) > 0 {
			f.shared[crd] = &sharing{a, others}
		} else {
			f.fold(a)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range f.shared {
		a := *s.Record
		var others []*fold.Record
		for _, crd := range s.others {
			if other := f.shared[crd]; other != nil {
				others = append(others, other.Record)
			}
		}
		record.Complete(&a, others)
		f.fold(&a)
	}
	f.joinNamed()
	return nil
}

// fold folds one adviser with its funds. It keeps nothing of the record.
func (f *market) fold(a *fold.Record) {
	if len(a.Versions) == 0 {
		return
	}
	chains := f.chains(a)
	f.complete(a, chains)
	s := a.State(f.asOf.Filed, nil)
	in := &f.present
	if s.WithdrawnOn != nil || s.NotListedSince != nil {
		in = &f.former
	}
	crd := strings.Clone(a.CRD)
	in.gps = append(in.gps, index.GP{
		CRD: crd, LegalName: strings.Clone(s.LegalName), City: f.word(s.City), State: f.word(s.State), Country: f.word(s.Country),
		CountryCode: f.word(s.CountryCode), PrimaryStrategy: f.word(s.PrimaryStrategy), TotalAUM: orUnknown(s.TotalAUM), FundCount: orUnknown(s.FundCount),
	})
	office := sync.OnceValue(func() fold.Adviser { return fold.Office(a.Versions) })
	for i := range s.Funds {
		fund, at := &s.Funds[i], -1
		if fund.Status != index.StatusClosed {
			at = len(in.open)
			in.open = append(in.open, index.OpenFund{
				AdviserCRD: crd, Strategy: f.word(&fund.Strategy), VintageYear: fund.VintageYear, Quality: string(fund.VintageQuality),
				GAV: orUnknown(fund.GrossAssetValue),
			})
		}
		key := derive.NameKey(fund.Name)
		if !f.offered.named[key.Name] {
			continue
		}
		f.bearers[key.Name] = append(f.bearers[key.Name], bearer{fold.Bearer{
			FundID: strings.Clone(fund.FundID), CRD: crd, Form: key.Form, City: fold.Placed(office().City), State: fold.Placed(office().State),
		}, chains[fund.FundID], in, at})
	}
}

// chains are the chains of notices that the filings join to funds by number.
func (f *market) chains(a *fold.Record) map[string][]int32 {
	out := map[string][]int32{}
	for i := range a.FundVersions {
		v := &a.FundVersions[i]
		if i > 0 && v.FundID == a.FundVersions[i-1].FundID && slices.Equal(v.FormDFileNumbers, a.FundVersions[i-1].FormDFileNumbers) {
			continue // a filing gives most numbers again
		}
		for _, number := range v.FormDFileNumbers {
			for _, chain := range f.offered.byNumber[number] {
				f.offered.numbered[chain] = true
				out[v.FundID] = appendNew(out[v.FundID], chain)
			}
		}
	}
	return out
}

// complete adds what an adviser's own filings do not state.
func (f *market) complete(a *fold.Record, chains map[string][]int32) {
	a.Unlisted = f.unlisted[a.CRD]
	a.Notices = make(map[string][]fold.Notice, len(chains))
	for fund, of := range chains {
		a.Notices[fund] = f.offered.of(of)
	}
	if len(f.corrected) == 0 {
		return
	}
	a.Overrides = append(a.Overrides, f.corrected[a.CRD]...)
	last := ""
	for i := range a.FundVersions {
		if id := a.FundVersions[i].FundID; id != last { // those of a fund come together, but for what others say
			last = id
			a.Overrides = append(a.Overrides, f.corrected[id]...)
		}
	}
}

// joinNamed corrects the vintages of the funds that notices are joined to by the names of their issuers. All funds have been folded.
func (f *market) joinNamed() {
	all := make(map[string][]fold.Bearer, len(f.bearers))
	funds := map[string]*bearer{}
	for key, list := range f.bearers {
		for i := range list {
			all[key], funds[list[i].FundID] = append(all[key], list[i].Bearer), &list[i]
		}
	}
	joined := map[*bearer]bool{}
	for chain, issuers := range f.offered.issuers {
		if f.offered.numbered[chain] {
			continue
		}
		for i := range issuers {
			for _, id := range fold.ByName(&issuers[i], all[issuers[i].Key.Name]) {
				b := funds[id]
				b.chains, joined[b] = appendNew(b.chains, chain), true
			}
		}
	}
	for b := range joined {
		if year, ok := fold.NoticedVintage(f.offered.of(b.chains)); ok && b.at >= 0 {
			of := &b.in.open[b.at]
			of.VintageYear, of.Quality = year, string(catalogapi.VintageFormD)
		}
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

// word is a text that many share, in memory of its own; empty for nil.
func (f *market) word(s *string) string {
	if s == nil {
		return ""
	}
	if kept, ok := f.words[*s]; ok {
		return *kept
	}
	return *f.words.Keep([]byte(*s))
}

func orUnknown(n *int64) int64 {
	if n == nil {
		return index.Unknown
	}
	return *n
}
