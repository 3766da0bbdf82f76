package feed

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/markup"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// The roots of the two feeds. The third feed, of individuals, is no source of advisers.
const (
	rootSEC   = "IAPDFirmSECReport"
	rootState = "IAPDFirmStateReport"
)

// Format describes the feeds to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name:   string(catalogapi.SourceFeed),
		Looks:  "IAPD firm feed",
		Part:   format.Part{Name: "root element " + rootSEC + " or " + rootState, Endings: []string{".xml"}},
		Detect: detect,
		Open:   open,
	}
}

func detect(in *archive.Input) (bool, error) {
	m, err := only(in)
	return m != nil, err
}

// only returns the input's one feed. Beside it an archive may hold what is no XML.
func only(in *archive.Input) (*archive.Member, error) {
	var found *archive.Member
	for _, m := range in.Members {
		if m.Workbook || len(in.Members) > 1 && !strings.EqualFold(path.Ext(m.Name), ".xml") {
			continue
		}
		if found != nil {
			return nil, nil //nolint:nilnil // several XML files are no feed, which is no fault
		}
		found = m
	}
	if found == nil {
		return nil, nil //nolint:nilnil // as above
	}
	head, err := found.Head()
	if err != nil {
		return nil, err
	}
	if root := markup.Root(head); root != rootSEC && root != rootState {
		return nil, nil //nolint:nilnil // as above
	}
	return found, nil
}

// feed is an open feed. It is read twice, as a stream: once by open, which finds damage before anything is given and
// knows then which of a firm's elements is the one to give, and once for the firms themselves.
type feed struct {
	member *archive.Member
	opts   format.Options
	state  bool // the feed of state-registered advisers
	genOn  time.Time

	chosen   map[string]choice // by CRD number
	silent   []string          // what no firm of it has
	newest   time.Time
	repeated int64
	fill     table.Fill
	websites []*catalogapi.WebsiteRow // of firms with several, gathered while the firms are given
}

// choice is the element of a firm that is given.
type choice struct {
	number    int // 1 = the feed's first firm
	line      int
	submitted time.Time
}

var errNoFirm = errors.New("the feed contains no firm")

func open(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	m, err := only(in)
	if err != nil {
		return format.Opened{}, err
	}
	f := &feed{member: m, opts: opts, chosen: make(map[string]choice)}
	seen, firms := make([]bool, len(columns)), 0
	for c, err := range f.firms(ctx) {
		if err != nil {
			return format.Opened{}, err
		}
		firms++
		for i, cell := range c.cells {
			seen[i] = seen[i] || cell != nil
		}
		a := f.filing(c)
		if c.row.Fault() != "" {
			continue
		}
		if old, ok := f.chosen[a.CRD]; !ok || a.Submitted.After(old.submitted) {
			f.chosen[a.CRD] = choice{c.number, c.row.Line, a.Submitted}
		}
		if a.Submitted.After(f.newest) {
			f.newest = a.Submitted
		}
	}
	if firms == 0 {
		return format.Opened{}, fmt.Errorf("%s: %w", m.Name, errNoFirm)
	}
	f.silent = silent(seen)
	series := string(catalogapi.SourceFeed) + "/sec"
	if f.state {
		series = string(catalogapi.SourceFeed) + "/state"
	}
	return format.Opened{
		Document: catalogapi.Document{Source: catalogapi.SourceFeed, Filings: f.filings(ctx), Websites: f.addresses, Edition: f.edition},
		Series:   series,
		Layout:   map[string][]string{"firm": layout(seen)},
		Repeated: func() int64 { return f.repeated },
		Filled:   func() map[string]gate.Fill { return map[string]gate.Fill{"firm": f.fill.AddTo(gate.Fill{})} },
		Joined:   func() int64 { return -int64(len(f.websites)) },
		Snapshot: true,
	}, nil
}

// filings returns one filing per firm. The feed should name a firm once. If it does not, the element with the newest
// filing date counts (the first among equals) and the others are quarantined, as in a roster.
func (f *feed) filings(ctx context.Context) iter.Seq2[*catalogapi.AdviserFiling, error] {
	return func(yield func(*catalogapi.AdviserFiling, error) bool) {
		f.repeated, f.websites = 0, nil
		for c, err := range f.firms(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			a := f.filing(c)
			if best := f.chosen[a.CRD]; c.row.Fault() == "" && best.number != c.number {
				f.repeated++
				c.row.Fail(fmt.Sprintf("Info@FirmCrdNb %s is in the feed twice: firm %d (line %d) is used", a.CRD, best.number, best.line))
			}
			if fault := c.row.Fault(); fault != "" {
				f.opts.Reject(catalogapi.Rejected{File: f.member.Name, Line: c.row.Line, Reason: fault, Raw: c.raw()})
				continue
			}
			f.keepAddresses(a, c.websites)
			if !yield(a, nil) {
				return
			}
		}
	}
}

// keepAddresses puts the first web address into the filing. Where there are more (social pages among them, often first),
// all become rows, so that the loader can look for the firm's own.
func (f *feed) keepAddresses(a *catalogapi.AdviserFiling, websites []string) {
	if len(websites) == 0 {
		return
	}
	a.Website = catalogapi.Text(websites[0])
	if len(websites) == 1 {
		return
	}
	for _, w := range websites {
		f.websites = append(f.websites, &catalogapi.WebsiteRow{FilingKey: a.Key, Website: w, File: a.File, Line: a.Line})
	}
}

// addresses yields the web addresses that filings gathered.
func (f *feed) addresses(yield func(*catalogapi.WebsiteRow, error) bool) {
	for _, w := range f.websites {
		if !yield(w, nil) {
			return
		}
	}
}

// edition is the feed's own day, or where it has none that of its newest filing.
func (f *feed) edition() time.Time {
	if f.genOn.IsZero() {
		return f.newest
	}
	return f.genOn
}

// root takes the feed's kind and day from its first element.
func (f *feed) root(in *markup.Reader) error {
	f.state = in.Name() == rootState
	for _, a := range in.Attrs() {
		if a.Name != "GenOn" {
			continue
		}
		day, err := value.Date(a.Value)
		if err != nil {
			return fmt.Errorf("GenOn, the feed's day, %w: %q", err, a.Value)
		}
		f.genOn = day
	}
	return nil
}
