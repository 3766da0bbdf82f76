package adv

import (
	"context"
	"strconv"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/table"
)

// Format describes the archives to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name: string(catalogapi.SourceADVArchive),
		Looks: "Form ADV Part 1 archives (ADV_Filing_Data_….zip, or a folder with its tables IA_ADV_Base_A_….csv, " +
			"ERA_ADV_Base_….csv, IA_Schedule_D_7B1_….csv and so on)",
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

	seen     map[kind]numbers // filings given
	doubtful map[kind]numbers // filings of which a fund's row cannot be used
	drained  bool             // all filings were given
}

// open finds the tables and reads each once through, for damage, charset and missing columns.
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
		seen:     map[kind]numbers{ia: {}, era: {}},
		doubtful: map[kind]numbers{ia: {}, era: {}},
	}
	for _, id := range ordered(tables) {
		for _, p := range tables[id] {
			p.file.Reject = opts.Reject
			var visit func(*table.Row)
			var bad func(table.Bad)
			if id.name == funds {
				visit, bad = d.doubts(id.kind)
			}
			if err := p.file.Inspect(ctx, visit, bad); err != nil {
				return format.Opened{}, err
			}
		}
	}
	return format.Opened{Document: d.document()}, nil
}

func (d *document) document() catalogapi.Document {
	doc := catalogapi.Document{Source: catalogapi.SourceADVArchive, Filings: d.filings}
	if d.has(baseB) {
		doc.Organisation = sequence(d, baseB, d.organisation())
	}
	if d.has(websites) {
		doc.Websites = sequence(d, websites, website)
	}
	if d.has(filingTypes) {
		doc.Types = d.types
	}
	if d.has(funds) {
		doc.Funds = sequence(d, funds, fund)
	}
	if d.has(auditors) {
		doc.Auditors = sequence(d, auditors, auditor)
	}
	if d.has(formD) {
		doc.FormDNumbers = sequence(d, formD, formDNumber)
	}
	return doc
}

func (d *document) has(name string) bool {
	return len(d.tables[tableID{ia, name}])+len(d.tables[tableID{era, name}])+len(d.tables[tableID{"", name}]) > 0
}

// sequence streams a table of both kinds, all its pieces, through a conversion.
func sequence[T any](d *document, name string, convert func(*table.Row, kind) *T) func(func(*T, error) bool) {
	return func(yield func(*T, error) bool) {
		for _, k := range []kind{ia, era} {
			for _, p := range d.tables[tableID{k, name}] {
				for row, err := range p.file.Rows(d.ctx) {
					if err != nil {
						yield(nil, err)
						return
					}
					v := convert(row, k)
					if row.Fault() != "" {
						p.file.Quarantine(row)
						continue
					}
					if !yield(v, nil) {
						return
					}
				}
			}
		}
	}
}

// key joins a filing and its rows.
func key(k kind, filingID string) string { return string(k) + ":" + filingID }

// numbers is a set of FilingIDs.
type numbers map[uint64]struct{}

// add says whether the number is new. Numbers are at most 18 digits, by value.FilingID.
func (s numbers) add(filingID string) bool {
	n := number(filingID)
	if _, ok := s[n]; ok {
		return false
	}
	s[n] = struct{}{}
	return true
}

func (s numbers) has(filingID string) bool {
	_, ok := s[number(filingID)]
	return ok
}

func number(filingID string) uint64 {
	n, err := strconv.ParseUint(filingID, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// listed says whether the archive carries the whole list of the filing's private funds: its table of funds reaches over
// the days of the filings' table, or at least over the filing's own, and no row of the filing's list is unusable.
func (d *document) listed(k kind, p *piece, submitted time.Time, filingID string) bool {
	pieces := d.tables[tableID{k, funds}]
	day := submitted.Truncate(24 * time.Hour)
	return len(pieces) > 0 && !d.doubtful[k].has(filingID) && (covers(pieces, p.from, p.to) || covers(pieces, day, day))
}
