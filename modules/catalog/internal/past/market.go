package past

import (
	"bytes"
	"context"
	"maps"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"golang.org/x/sync/errgroup"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/intern"
	"gpatlas/modules/catalog/internal/record"
	"gpatlas/platform/database"
)

// snapshotBuilder folds the records of all advisers as of a moment, on all processors.
type snapshotBuilder struct {
	asOf      AsOf
	offered   offered
	unlisted  map[string]*time.Time // by CRD
	corrected fold.Corrections
	folders   []*foldWorker
	fresh     index.Freshness
	noticed   map[int64]fold.Notice // of the funds that have notices, by index.FundNumber
}

// foldWorker folds some of the records. It reads and folds one adviser after the other and keeps no records, except of advisers that
// share funds with others: these are folded when the records of all of them are read.
type foldWorker struct {
	*snapshotBuilder

	decoder  *record.Decoder
	reused   *fold.Record
	words    intern.Strings
	shared   map[string]*sharing // by CRD
	bearers  []bearer            // funds that have the name of an issuer
	numbered map[int32]bool      // the chains that a number joins to a fund
	noticed  map[int64]fold.Notice

	present, former part
}

// part is the content of one index: the current advisers of the moment, or the former ones.
type part struct {
	gps    []index.GP
	open   []index.OpenFund
	closed []int64 // the numbers of the other funds
}

func (p *part) add(more *part) {
	p.gps, p.open, p.closed = append(p.gps, more.gps...), append(p.open, more.open...), append(p.closed, more.closed...)
}

// addVintage adds a fund's vintage to its adviser at a place in gps.
func (p *part) addVintage(gp int, year int64) {
	if g := &p.gps[gp]; g.FoundedYear == index.Unknown || year < g.FoundedYear {
		g.FoundedYear = year
	}
}

// sharing is an adviser with funds that other advisers named too.
type sharing struct {
	*fold.Record
	others []string // CRD numbers of these
}

// bearer is a fund that may be joined to a notice by its name.
type bearer struct {
	fold.Bearer

	chains  []int32 // of notices that are joined to it by number
	vintage int64   // without notices that are joined to it by name
	in      *part
	gp      int // the place of its adviser in part.gps
	at      int // its place in part.open; -1: it is closed
}

func newSnapshotBuilder(c AsOf) *snapshotBuilder {
	f := &snapshotBuilder{asOf: c, offered: newOffered(), unlisted: map[string]*time.Time{}, corrected: fold.Corrections{}, noticed: map[int64]fold.Notice{}}
	for range runtime.GOMAXPROCS(0) {
		f.folders = append(f.folders, &foldWorker{
			snapshotBuilder: f, decoder: record.NewDecoder(), reused: &fold.Record{}, words: intern.Strings{}, shared: map[string]*sharing{}, numbered: map[int32]bool{},
			noticed: map[int64]fold.Notice{},
		})
	}
	return f
}

func (f *snapshotBuilder) readUnlisted(ctx context.Context, tx pgx.Tx) error {
	var crd string
	var on time.Time
	return f.stream(ctx, tx, unlistedSQL, []any{&crd, &on}, func() error {
		f.unlisted[crd] = new(on)
		return nil
	})
}

// readOverrides reads the corrections that were known, by the adviser or fund that they are of.
func (f *snapshotBuilder) readOverrides(ctx context.Context, tx pgx.Tx) error {
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
		f.corrected.Add(o)
		return nil
	})
	return err
}

// stored is the record of an adviser as it is stored.
type stored struct {
	crd    string
	others []string // CRD numbers of those that named its funds too
	filed  []byte
}

// batchBytes is how much of the records a folder gets at once.
const batchBytes = 128 << 10

// readRecords folds the records. All else has been read.
func (f *snapshotBuilder) readRecords(ctx context.Context, tx pgx.Tx) error {
	batches := make(chan []stored)
	work, working := errgroup.WithContext(ctx)
	for _, by := range f.folders {
		work.Go(func() error { return recovered(func() error { return by.foldAll(batches) }) })
	}
	failed := f.readBatches(ctx, tx, func(batch []stored) error {
		select {
		case batches <- batch:
			return nil
		case <-working.Done():
			return context.Cause(working)
		}
	})
	close(batches)
	if err := work.Wait(); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	f.foldShared()
	f.joinNamed()
	return nil
}

// readBatches sends the records to the folders.
func (f *snapshotBuilder) readBatches(ctx context.Context, tx pgx.Tx, send func(batch []stored) error) error {
	const find = `SELECT a.crd, coalesce(r.others, '{}'), r.filed
		FROM catalog.advisers a LEFT JOIN catalog.records r ON r.crd = a.crd AND r.encoding = @encoding`
	rows, err := tx.Query(ctx, find, database.Args{"encoding": record.Encoding()})
	if err != nil {
		return err
	}
	var one stored
	var filed pgtype.DriverBytes
	var batch []stored
	size := 0
	_, err = pgx.ForEachRow(rows, []any{&one.crd, &one.others, &filed}, func() error {
		if filed == nil {
			return record.ErrUpgrading
		}
		one.filed = bytes.Clone(filed)
		batch, size = append(batch, one), size+len(filed)
		if size < batchBytes {
			return nil
		}
		full := batch
		batch, size = nil, 0
		return send(full)
	})
	if err != nil {
		return err
	}
	return send(batch)
}

// foldAll folds batches of records.
func (f *foldWorker) foldAll(batches <-chan []stored) error {
	for batch := range batches {
		for i := range batch {
			if err := f.take(&batch[i]); err != nil {
				return err
			}
			runtime.Gosched() // requests, which are short, come first
		}
	}
	return nil
}

// take folds an adviser, or keeps it for foldShared.
func (f *foldWorker) take(s *stored) error {
	d, a := f.decoder, f.reused
	if len(s.others) > 0 {
		d, a = record.NewDecoder(), &fold.Record{} // it is kept
	}
	moment := record.Moment{Day: f.asOf.Filed, Known: f.asOf.Known.Truncate(time.Microsecond)}
	of, err := d.Decode(s.crd, s.filed, nil, &moment)
	if err != nil {
		return err
	}
	if of.AtInto(moment, a); len(s.others) > 0 {
		f.shared[s.crd] = &sharing{a, s.others}
	} else {
		f.fold(a)
	}
	return nil
}

// foldShared folds the advisers that waited for one another.
func (f *snapshotBuilder) foldShared() {
	all := map[string]*sharing{}
	for _, by := range f.folders {
		maps.Copy(all, by.shared)
	}
	for _, s := range all {
		a := *s.Record
		var others []*fold.Record
		for _, crd := range s.others {
			if other := all[crd]; other != nil {
				others = append(others, other.Record)
			}
		}
		record.Complete(&a, others)
		f.folders[0].fold(&a)
	}
}

// fold folds one adviser with its funds. It keeps nothing of the record.
func (f *foldWorker) fold(a *fold.Record) {
	if len(a.Versions) == 0 {
		return
	}
	chains := fold.Numbered(a.FundVersions, f.offered.byNumber, f.numbered)
	f.complete(a, chains)
	s := a.State(f.asOf.Filed, nil)
	in := &f.present // former as in the view catalog.pub_gp
	if s.WithdrawnOn != nil || s.NotListedSince != nil {
		in = &f.former
	}
	crd := strings.Clone(a.CRD)
	in.gps = append(in.gps, index.GP{
		CRD: crd, LegalName: strings.Clone(s.LegalName), City: f.word(s.City), State: f.word(s.State), Country: f.word(s.Country),
		CountryCode: f.word(s.CountryCode), PrimaryStrategy: f.word(s.PrimaryStrategy), ManagerType: f.word(s.ManagerType),
		RegistrationStatus: f.word(s.RegistrationStatus), TotalAUM: orUnknown(s.TotalAUM), FundCount: orUnknown(s.FundCount), Employees: orUnknown(s.EmployeeCount),
		LatestFiledOn: s.NewestFiledOn, FoundedYear: index.Unknown,
	})
	gp := len(in.gps) - 1
	office := sync.OnceValue(func() *fold.Adviser { return new(fold.Office(a.Versions)) })
	for i := range s.Funds {
		fund, at, number := &s.Funds[i], -1, index.FundNumber(s.Funds[i].FundID)
		if of := a.Notices[fund.FundID]; of != nil {
			f.noticed[number] = of[0]
		}
		if fund.Status == catalogapi.FundClosed {
			in.closed = append(in.closed, number)
		} else {
			at = len(in.open)
			in.open = append(in.open, index.OpenFund{
				Number: number, AdviserCRD: crd, Strategy: f.word(&fund.Strategy), State: f.word(fund.State), Country: f.word(fund.Country),
				CountryCode: f.word(fund.CountryCode), VintageYear: fund.VintageYear, Quality: string(fund.VintageQuality), GAV: orUnknown(fund.GrossAssetValue),
			})
		}
		key := derive.NameKey(fund.Name)
		if !f.offered.named[key.Name] {
			in.addVintage(gp, fund.VintageYear)
			continue
		}
		b := fold.Bearer{FundID: strings.Clone(fund.FundID), CRD: crd, Key: key}
		b.At(office())
		b.City, b.State = strings.Clone(b.City), strings.Clone(b.State)
		f.bearers = append(f.bearers, bearer{b, chains[fund.FundID], fund.VintageYear, in, gp, at})
	}
}

// complete adds what an adviser's own filings do not state.
func (f *snapshotBuilder) complete(a *fold.Record, chains map[string][]int32) {
	a.Unlisted = f.unlisted[a.CRD]
	a.Notices = make(map[string][]fold.Notice, len(chains))
	for fund, of := range chains {
		a.Notices[fund] = []fold.Notice{f.offered.merged(of)}
	}
	f.corrected.Correct(a)
}

// joinNamed corrects the vintages of the funds that notices are joined to by the names of their issuers. All funds have been folded.
func (f *snapshotBuilder) joinNamed() {
	var all []fold.Bearer
	funds := map[string]*bearer{}
	numbered := map[int32]bool{}
	for _, by := range f.folders {
		maps.Copy(f.noticed, by.noticed)
		for i := range by.bearers {
			b := &by.bearers[i]
			all, funds[b.FundID] = append(all, b.Bearer), b
		}
		maps.Copy(numbered, by.numbered)
	}
	for fund, chains := range fold.Named(f.offered.issuers, numbered, all) {
		b := funds[fund]
		n := f.offered.merged(append(b.chains, chains...))
		f.noticed[index.FundNumber(fund)] = n
		if gp := &b.in.gps[b.gp]; n.FilingDate.After(gp.LatestFiledOn) {
			gp.LatestFiledOn = n.FilingDate
		}
		if n.FirstSale == nil {
			continue
		}
		if b.vintage = int64(n.FirstSale.Year()); b.at >= 0 {
			of := &b.in.open[b.at]
			of.VintageYear, of.Quality = b.vintage, string(catalogapi.VintageFormD)
		}
	}
	for _, b := range funds {
		b.in.addVintage(b.gp, b.vintage)
	}
}

// word is a text that many share, in memory of its own; empty for nil.
func (f *foldWorker) word(s *string) string {
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
