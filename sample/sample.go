package sample

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gpatlas/platform/apperr"
)

// The scales.
const (
	Small = "small" // 300 advisers, 2,000 funds, three years of filings: what a first start loads
	SEC   = "sec"   // 40,000 advisers, 250,000 funds, two years of filings: the size of the real thing, and more
	Ten   = "10x"   // 400,000 advisers, 2,500,000 funds, few filings of each: what grows with the catalog's size
)

// Scales lists the scales that are known, the smallest first.
func Scales() []string { return []string{Small, SEC, Ten} }

// DefaultSeed gives the catalog that the documentation speaks of.
const DefaultSeed uint64 = 20261031

// Options say what to write. The same options give the same bytes.
type Options struct {
	Scale string // one of Scales; empty = Small
	Dir   string // created where missing; files of the same names are replaced
	Seed  uint64 // 0 = DefaultSeed
	// Progress is told when an archive is complete; may be nil.
	Progress func(Progress)
}

// Progress is how far a Write has come.
type Progress struct {
	Archive  string // base name of the archive just completed
	Done     int    // archives completed
	Archives int    // archives in all
}

// Kind tells the files of a sample apart.
type Kind string

// The kinds, in the order in which they are written and best ingested.
const (
	KindADV   Kind = "adv"    // Form ADV Part 1 archive
	KindADVW  Kind = "advw"   // Form ADV-W archive
	KindFormD Kind = "form_d" // quarterly Form D data set
	KindFeed  Kind = "feed"   // IAPD's daily compilation of firms
	KindLP    Kind = "lp"     // list of commitments to funds
)

// Archive is one file written.
type Archive struct {
	Path    string
	Kind    Kind
	Bytes   int64
	Filings int // Form ADV filings, withdrawals, notices, or firms of the feed
	Funds   int // rows of Schedule D 7.B.(1)
	Tables  []Table
}

// Table is one table of an archive.
type Table struct {
	Name string // as in the member's name, without dates: "IA_Schedule_A_B", "OFFERING"
	Rows int    // without the header
}

// Rows counts the rows of all tables.
func (a Archive) Rows() int {
	sum := 0
	for _, t := range a.Tables {
		sum += t.Rows
	}
	return sum
}

// Summary counts what was written.
type Summary struct {
	Scale    string
	Archives []Archive // in the order to ingest them in: by kind, and then by period
	Advisers int       // advisers with at least one filing: all of them
	Funds    int       // funds in the last filings
	FundsAll int       // funds that any filing lists
	Filings  int       // of Form ADV
	FundRows int
	Rows     int // of all tables of all archives
	Bytes    int64
	Boards   []string // recorded job boards, in the folder "boards"; they are no archives to ingest
}

// scaleOf is what a scale stands for.
type scaleOf struct {
	name            string
	advisers, funds int
	flat            int // how flat the head of the funds' distribution is
	detailFrom      day
	filingsBefore   int
	newcomers       int
	leavers         int
	firstMonthly    day // filings before it are in one archive, those since in one a month
	firstQuarter    day // of the Form D data sets
	providers       int // percent of the usual number of firms that serve a fund
	notices         int // percent of the funds that file Form D, of those whose adviser names a file number
	staff           int // percent of the usual number of owners and officers
	personIDs       int // numbers set aside for the people of one adviser
}

func scaleNamed(name string) (scaleOf, error) {
	since2025 := dayOf(2025, time.January, 1)
	switch name {
	case Small, "":
		return scaleOf{
			Small, 300, 2_000, 5, dayOf(2023, time.November, 1), 6, 120, 70,
			since2025, since2025, 100, 52, 100, 24,
		}, nil
	case SEC:
		return scaleOf{
			SEC, 40_000, 250_000, 20, dayOf(2024, time.November, 1), 2, 85, 50,
			since2025, since2025, 100, 52, 100, 24,
		}, nil
	case Ten:
		// A few months alone, and fewer people and firms around a fund: some thirty million rows are enough to see what
		// grows with the number of advisers and funds.
		since := dayOf(2026, time.July, 1)
		return scaleOf{
			Ten, 400_000, 2_500_000, 40, since, 1, 20, 10,
			since, dayOf(2026, time.January, 1), 60, 30, 60, 4,
		}, nil
	default:
		return scaleOf{}, fmt.Errorf("scale: %q is unknown; %s are known", name, strings.Join(Scales(), ", "))
	}
}

// Write writes the archives of a scale into a folder. A file appears under its name only when it is complete; what
// was begun is removed when the context ends or anything fails.
func Write(ctx context.Context, o Options) (Summary, error) {
	s, err := scaleNamed(o.Scale)
	if err != nil {
		return Summary{}, err
	}
	if o.Dir == "" {
		return Summary{}, fmt.Errorf("dir: a folder to write to is needed")
	}
	if o.Seed == 0 {
		o.Seed = DefaultSeed
	}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return Summary{}, fmt.Errorf("cannot write to the folder %s: %w", o.Dir, apperr.Cause(err))
	}
	p := draft(o.Seed, s)
	sum := p.summary()
	jobs := p.jobs(o.Dir)
	for i, write := range jobs {
		if err := ctx.Err(); err != nil {
			return Summary{}, err
		}
		written, err := write(ctx)
		if err != nil {
			return Summary{}, fmt.Errorf("archive %d of %d: %w", i+1, len(jobs), err)
		}
		sum.add(written)
		if o.Progress != nil {
			o.Progress(Progress{filepath.Base(written.Path), i + 1, len(jobs)})
		}
	}
	if sum.Boards, err = p.writeBoards(filepath.Join(o.Dir, "boards")); err != nil {
		return Summary{}, fmt.Errorf("job boards: %w", err)
	}
	return sum, nil
}

// job writes one archive.
type job func(ctx context.Context) (Archive, error)

// jobs lists all archives in the order of the summary.
func (p *plan) jobs(dir string) []job {
	var list []job
	spans := periods(p.scale.firstMonthly)
	agenda := p.agenda(spans)
	next := firstFilingID
	for i, span := range spans {
		list = append(list, func(ctx context.Context) (Archive, error) {
			return p.archive(ctx, dir, i, span, agenda[i], &next)
		})
	}
	list = append(list, p.withdrawalJobs(dir)...)
	list = append(list, p.noticeJobs(dir)...)
	list = append(list, func(ctx context.Context) (Archive, error) { return p.feed(ctx, dir) })
	return append(list, p.lpJobs(dir)...)
}

func (s *Summary) add(a Archive) {
	s.Archives = append(s.Archives, a)
	s.Rows += a.Rows()
	s.Bytes += a.Bytes
	if a.Kind == KindADV {
		s.Filings += a.Filings
		s.FundRows += a.Funds
	}
}

func (p *plan) summary() Summary {
	sum := Summary{Scale: p.scale.name, Advisers: len(p.advisers)}
	for i := range p.advisers {
		a := &p.advisers[i]
		sum.FundsAll += len(a.funds)
		for k := range a.funds {
			if a.funds[k].listedIn(len(a.filings) - 1) {
				sum.Funds++
			}
		}
	}
	return sum
}
