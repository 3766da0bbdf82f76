package lplist

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
	"gpatlas/modules/people/peopleapi"
)

// Name is the kind of such lists.
const Name = "lp_list"

// Format describes the lists to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name:    Name,
		Looks:   "list of commitments",
		Columns: []string{columns[colLP].Name, columns[colFund].Name, columns[colCommitted].Name},
		Also:    []string{"LP", "Fund", "Commitment ($M)"},
		Names: func(header string) string {
			if h := read(header); h.column >= 0 {
				return columns[h.column].Name
			}
			return ""
		},
		Detect: detect,
		Open:   open,
	}
}

func detect(in *archive.Input) (bool, error) {
	if len(in.Members) != 1 || in.Members[0].Workbook {
		return false, nil
	}
	hs, err := header(in.Members[0])
	return err == nil && hs != nil && hs.whole(), err
}

// header reads the header as written; nil if there is none.
func header(m *archive.Member) (headings, error) {
	if names, err := format.Header(m); err != nil || names == nil {
		return nil, err // not a text
	}
	head, err := m.Head()
	if err != nil {
		return nil, err
	}
	names, err := table.HeaderTexts(head)
	if err != nil {
		return nil, err
	}
	hs, _ := readHeader(names)
	return hs, nil
}

var errNoDay = errors.New("the day of the figures is missing: the header has no column as_of_date, and the file name no day (yyyy-mm-dd)")

// list is an open list.
type list struct {
	ctx      context.Context //nolint:containedctx // the sequence takes no arguments; Open's context is its by contract
	opts     format.Options
	file     *table.File
	found    headings
	day      time.Time       // where the rows have none
	percent  bool            // numbers of the column of rates are percentages
	sums     map[int]bool    // lines of rows that are sums of others by their commitments
	lps      map[string]bool // the names of LPs in small letters
	named    int64           // rows that are sums by their names
	repeated int64
}

// open reads the list once through, for damage, charset and units.
func open(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	m := in.Members[0]
	found, err := header(m)
	if err != nil {
		return format.Opened{}, err
	}
	if err := found.check(); err != nil {
		return format.Opened{}, err
	}
	l := &list{ctx: ctx, opts: opts, found: found}
	if found[colAsOf] == nil {
		day, ok := value.DateInName(m.Name)
		if !ok {
			day, ok = value.DateInName(in.Name)
		}
		if !ok {
			return format.Opened{}, errNoDay
		}
		l.day = day
		if !opts.NotAfter.IsZero() && l.day.After(opts.NotAfter) {
			return format.Opened{}, fmt.Errorf("the day in the file name is in the future: %s", l.day.Format(time.DateOnly))
		}
	}
	l.file = &table.File{Name: m.Name, Open: m.Open, Columns: columns, Reject: opts.Reject, Repair: func(header []string) []string {
		_, names := readHeader(header)
		return names
	}}
	look := survey{found: found, lps: make(map[string]bool), sums: newSums()}
	if err := l.file.Inspect(ctx, look.row, nil); err != nil {
		return format.Opened{}, err
	}
	if l.percent, err = look.units(); err != nil {
		return format.Opened{}, err
	}
	l.sums, l.lps = look.sums.found(), look.sums.lps
	return format.Opened{
		Commitments: l.rows(),
		Unlisted:    found.unlisted(),
		Series:      look.series(l.file.Charset),
		Layout:      map[string][]string{"": found.names()},
		Repeated:    func() int64 { return l.repeated },
		Sums:        func() int64 { return l.named },
		Filled:      func() map[string]gate.Fill { return map[string]gate.Fill{"": l.file.Fill.AddTo(gate.Fill{})} },
	}, nil
}

// rows streams the list. A row that repeats LP, fund and day of an earlier one is quarantined: the first rules.
func (l *list) rows() iter.Seq2[*peopleapi.Commitment, error] {
	type key struct {
		lp, state, fund string
		day             int64
	}
	return func(yield func(*peopleapi.Commitment, error) bool) {
		seen := make(map[key]struct{})
		l.repeated, l.named = 0, 0
		for row, err := range l.file.Rows(l.ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			c := l.commitment(row)
			if l.sums[row.Line] {
				l.fail(row, colFund, "is a sum: its commitment is that of other rows together")
			}
			k := key{state: c.State, day: c.AsOf.Unix()}
			k.lp, k.fund = c.Keys()
			if _, again := seen[k]; again && row.Fault() == "" {
				l.repeated++
				row.Fail(fmt.Sprintf("The row repeats an earlier one: the same LP, fund and day (%s)", c.AsOf.Format(time.DateOnly)))
			}
			if row.Fault() != "" {
				l.opts.Reject(catalogapi.Rejected{File: row.File, Line: row.Line, Reason: row.Fault(), Raw: table.RawText(row.Raw(), l.file.Charset)})
				continue
			}
			seen[k] = struct{}{}
			if !yield(c, nil) {
				return
			}
		}
	}
}
