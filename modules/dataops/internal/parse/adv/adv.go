package adv

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/table"
)

// Format describes the archives to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name:  string(catalogapi.SourceADVArchive),
		Looks: "Form ADV archive",
		Part: format.Part{
			Name:    "IA_ADV_Base_A_*.csv or ERA_ADV_Base_*.csv",
			Endings: []string{"/", ".csv"},
		},
		Detect: detect,
		Open:   open,
	}
}

func detect(in *archive.Input) (bool, error) {
	for _, m := range in.Members {
		if _, _, _, ok := identify(m.Name); ok {
			return true, nil
		}
	}
	return (in.Packed || in.Folder) && archiveName.MatchString(in.Name), nil
}

// document is an open archive.
type document struct {
	ctx    context.Context //nolint:containedctx // the sequences take no arguments; Open's context is theirs by contract
	opts   format.Options
	tables map[tableID][]*piece

	named    map[kind]numbers    // filings that the tables of filings have a row of
	seen     map[kind]numbers    // filings given
	doubtful map[tableID]numbers // filings with an unusable row, by table
	drained  bool                // all filings were given
	joined   int64               // rows given as part of another, less those given twice
	repeated int64               // filings left out because their FilingID had been read before
	given    int64               // filings given
	misdated int64               // filings given whose day is outside those of their table
	filed    map[kind]*filed     // rows by table
}

// open finds the tables and checks them as far as they must be read for that.
func open(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	tables, err := choose(in)
	if err == nil {
		err = joinable(tables)
	}
	if err != nil {
		return format.Opened{}, err
	}
	d := &document{
		ctx: ctx, opts: opts, tables: tables,
		named:    map[kind]numbers{ia: {}, era: {}},
		seen:     map[kind]numbers{ia: {}, era: {}},
		doubtful: map[tableID]numbers{},
		filed:    map[kind]*filed{ia: newFiled(), era: newFiled()},
	}
	for _, id := range ordered(tables) {
		if err := d.check(id); err != nil {
			return format.Opened{}, err
		}
	}
	drop := func(of func(p *piece) bool) {
		for id := range tables {
			tables[id] = slices.DeleteFunc(tables[id], of)
		}
		maps.DeleteFunc(tables, func(_ tableID, pieces []*piece) bool { return len(pieces) == 0 })
	}
	drop(func(p *piece) bool { return len(p.header) == 0 }) // as if the file were missing
	columns, missing := layout(tables), lacks(tables)
	drop(func(p *piece) bool { return p.unusable })
	d.orphans()
	return format.Opened{
		Document: d.document(),
		Series:   series(tables),
		Layout:   columns,
		Reads:    reads(tables),
		Lacks:    missing,
		Repeated: func() int64 { return d.repeated },
		Misdated: func() (outside, filings int64) { return d.misdated, d.given },
		Joined:   func() int64 { return d.joined },
		Filed:    d.filers,
		Filled:   d.filled,
	}, nil
}

// monthsMax is how many days the table of filings reaches over in an archive of the series that comes month by month.
const monthsMax = 100

// series keeps the archive of the years 2011 to 2024 apart from the months that follow it: it has columns of older forms,
// which the months rightly lack.
func series(tables map[tableID][]*piece) string {
	for _, k := range []kind{ia, era} {
		for _, p := range tables[base(k)] {
			if p.to.Sub(p.from) > monthsMax*24*time.Hour {
				return string(catalogapi.SourceADVArchive) + "/history"
			}
		}
	}
	return string(catalogapi.SourceADVArchive)
}

// check reads the headers of a table's pieces, and some tables once through: see inspected. All else is read once only; damage in it ends the
// load when it is met.
func (d *document) check(id tableID) error {
	read := inspected()[id.name]
	for _, p := range d.tables[id] {
		p.file.Reject, p.file.Ended = d.opts.Reject, !d.opts.Unended
		fault, err := p.peek()
		switch {
		case err != nil:
			return err
		case fault != nil && (needed(id.name) || p.file.Ended && errors.As(fault, new(*table.CutError))):
			return fmt.Errorf("%s: %w", p.file.Name, fault)
		case fault != nil:
			p.unusable = true
			p.passOver(fault, d.opts.Reject)
		default:
			p.file.ByRow = id.name != funds
			if read == nil {
				continue
			}
			if err := d.inspect(id, p, read); err != nil {
				return err
			}
		}
	}
	return nil
}

// orphans passes over the marketers' websites of a kind that has no marketers.
func (d *document) orphans() {
	for _, k := range []kind{ia, era} {
		id := tableID{k, marketerSites}
		if len(d.tables[tableID{k, marketers}]) > 0 {
			continue
		}
		for _, p := range d.tables[id] {
			p.passOver(errNoMarketers, d.opts.Reject)
		}
		delete(d.tables, id)
	}
}

var errNoMarketers = errors.New("the table of marketers that it belongs to is missing or unusable")

func (d *document) document() catalogapi.Document {
	doc := catalogapi.Document{
		Source:       catalogapi.SourceADVArchive,
		Edition:      d.edition,
		Filings:      d.filings,
		Organization: sequence(d, plain(baseB, d.organization())),
		Websites:     sequence(d, plain(websites, website)),
		Identifiers: sequence(d, plain(ciks, identifier(catalogapi.IdentifierCIK)),
			plain(otherCRDs, identifier(catalogapi.IdentifierCRD))),
		Offices:    sequence(d, plain(offices, office)),
		Affiliates: sequence(d, plain(affiliates, affiliate())),
		Owners:     sequence(d, plain(owners, owner)),
		Disclosures: sequence(d, plain(drpCriminal, disclosure(catalogapi.DisclosureCriminal)),
			plain(drpRegulatory, disclosure(catalogapi.DisclosureRegulatory)),
			plain(drpCivil, disclosure(catalogapi.DisclosureCivil))),
		Implicated:   sequence(d, plain(drpAffiliates, implicated)),
		Funds:        sequence(d, plain(funds, d.fund())),
		SubAdvised:   sequence(d, plain(subAdvisedFunds, subAdvised)),
		Auditors:     sequence(d, plain(auditors, auditor)),
		FormDNumbers: sequence(d, plain(formD, formDNumber)),
		Feeders:      d.feeders(),
		Providers:    d.providers(),
	}
	if d.has(filingTypes) {
		doc.Types = d.types
	}
	return doc
}

func (d *document) has(name string) bool {
	return len(d.tables[tableID{ia, name}])+len(d.tables[tableID{era, name}])+len(d.tables[tableID{"", name}]) > 0
}

// listed reports whether the archive carries the whole list of the filing's private funds: its table of funds reaches over
// the days of the filings' table, or at least over the filing's own, and no row of the filing's list is unusable.
func (d *document) listed(k kind, p *piece, submitted time.Time, filingID string) bool {
	pieces := d.tables[tableID{k, funds}]
	day := submitted.Truncate(24 * time.Hour)
	return len(pieces) > 0 && !d.broken(k, filingID, funds) && (covers(pieces, p.from, p.to) || covers(pieces, day, day))
}
