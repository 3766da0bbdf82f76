package roster

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/table"
)

// Format describes the rosters to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name:    string(catalogapi.SourceRoster),
		Looks:   "monthly roster",
		Columns: telling,
		Detect:  detect,
		Open:    open,
	}
}

// detect takes a single workbook, or a single text with the roster's headers. Beside it an archive may hold what is no
// table (a readme).
func detect(in *archive.Input) (bool, error) {
	m := only(in)
	if m == nil {
		return false, nil
	}
	if m.Workbook {
		return true, nil
	}
	head, err := m.Head()
	if err != nil {
		return false, err
	}
	header, err := table.Header(head)
	if errors.Is(err, table.ErrBinary) {
		return false, nil
	}
	for _, name := range telling {
		if !slices.Contains(header, table.Fold(name)) {
			return false, err
		}
	}
	return true, err
}

// only returns the input's one workbook or CSV file.
func only(in *archive.Input) *archive.Member {
	if len(in.Members) == 1 {
		return in.Members[0]
	}
	var found *archive.Member
	for _, m := range in.Members {
		if m.Workbook || strings.EqualFold(path.Ext(m.Name), ".csv") {
			if found != nil {
				return nil
			}
			found = m
		}
	}
	return found
}

// rows is a roster's text or sheet.
type rows interface {
	Rows(ctx context.Context) iter.Seq2[*table.Row, error]
	Quarantine(row *table.Row)
}

func open(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	m := only(in)
	var src rows
	var header []string
	var fill *table.Fill
	var said evidence
	if m.Workbook {
		s, err := openSheet(in, m, opts.Reject)
		if err != nil {
			return format.Opened{}, err
		}
		if said, err = s.ask(ctx); err != nil {
			return format.Opened{}, err
		}
		src, header, fill = s, s.header, &s.fill
	} else {
		f := &table.File{Name: m.Name, Open: m.Open, Columns: columns, Reject: opts.Reject}
		if err := f.Inspect(ctx, said.add, nil); err != nil {
			return format.Opened{}, err
		}
		src, header, fill = f, textHeader(m), &f.Fill
	}
	r := &reader{src: src, opts: opts, names: []string{m.Name, in.Name}}
	switch list, told := said.regime(); {
	case exemptName(in.Name), exemptName(m.Name):
		r.list = catalogapi.ExemptReporting
	case told:
		r.list = list
	default:
		r.list = byColumns(header)
	}
	return format.Opened{
		Document: catalogapi.Document{Source: catalogapi.SourceRoster, Filings: r.filings(ctx), Edition: func() time.Time { return r.edition }},
		Series:   series(r.list),
		Layout:   map[string][]string{"": header},
		Reads:    func(_, header string) string { return known(header) },
		Repeated: func() int64 { return r.repeated },
		Filled:   func() map[string]gate.Fill { return map[string]gate.Fill{"": fill.AddTo(gate.Fill{})} },
		Doubt:    func() string { return r.doubt },
		Snapshot: true,
	}, nil
}

// textHeader is the header of a text, folded. The text was read before, so that it has one.
func textHeader(m *archive.Member) []string {
	head, err := m.Head()
	if err != nil {
		return nil
	}
	header, err := table.Header(head)
	if err != nil {
		return nil
	}
	return header
}

// rowsMax bounds a roster: it is held in memory until its last row has been seen, and real ones have some 17,000.
const rowsMax = 500_000

type reader struct {
	src      rows
	opts     format.Options
	list     catalogapi.Registration // of registered or of exempt advisers; empty = of both, or not known
	repeated int64                   // rows left out because their firm is listed twice
	names    []string                // of the file
	silent   []string                // what it has no column for
	edition  time.Time               // once it was read
	doubt    string                  // about the edition, once it was read; empty = none
}

// filings returns one filing per firm. A roster should name a firm once. If it does not, the row with the newest filing
// date counts (the first among equals) and the others are quarantined. For that the converted rows are gathered first.
func (r *reader) filings(ctx context.Context) iter.Seq2[*catalogapi.AdviserFiling, error] {
	return func(yield func(*catalogapi.AdviserFiling, error) bool) {
		firms, err := r.gather(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		for i, f := range firms {
			firms[i] = nil // let the consumer decide how long it lives
			if f != nil && !yield(f, nil) {
				return
			}
		}
	}
}

func (r *reader) gather(ctx context.Context) ([]*catalogapi.AdviserFiling, error) {
	var firms []*catalogapi.AdviserFiling
	var newest time.Time
	place := make(map[string]int)
	for row, err := range r.src.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if r.silent == nil {
			r.silent = row.Silent()
		}
		f := r.filing(row)
		if row.Fault() != "" {
			r.src.Quarantine(row)
			continue
		}
		if f.Submitted.After(newest) {
			newest = f.Submitted
		}
		i, known := place[f.CRD]
		switch {
		case !known:
			place[f.CRD] = len(firms)
			firms = append(firms, f)
		case f.Submitted.After(firms[i].Submitted):
			r.repeated++
			r.opts.Reject(superseded(firms[i], f))
			firms[i] = nil
			place[f.CRD] = len(firms)
			firms = append(firms, f)
		default:
			r.repeated++
			row.Fail(fmt.Sprintf("Organization CRD# %s repeats row %d, whose filing is as new or newer", f.CRD, firms[i].Line))
			r.src.Quarantine(row)
		}
		if len(firms) > rowsMax {
			return nil, fmt.Errorf("%s: it has more than %d rows, too many for a roster", row.File, rowsMax)
		}
	}
	r.edition, r.doubt = edition(newest, r.opts.NotAfter, r.names...)
	return firms, nil
}

// superseded quarantines a row that was good until a newer one of its firm came. Its text is gone; what identifies it is given.
func superseded(old, by *catalogapi.AdviserFiling) catalogapi.Rejected {
	return catalogapi.Rejected{
		File: old.File, Line: old.Line,
		Reason: fmt.Sprintf("Organization CRD# %s is repeated by row %d, whose filing is newer", old.CRD, by.Line),
		Raw:    strings.Join([]string{old.CRD, old.LegalName, old.Submitted.Format("01/02/2006")}, ","),
	}
}
