package sample

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// The scales.
const (
	Small = "small" // 300 advisers, 2,000 funds, three years of filings: what a first start loads
	SEC   = "sec"   // 40,000 advisers, 250,000 funds, two years of filings: the size of the real thing, and more
)

// DefaultSeed gives the catalogue that the documentation speaks of.
const DefaultSeed uint64 = 20261031

// Options say what to write. The same options give the same bytes.
type Options struct {
	Scale string // Small or SEC; empty = Small
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

// Archive is one file written.
type Archive struct {
	Path    string
	Bytes   int64
	Filings int
	Funds   int // rows of Schedule D 7.B.(1)
}

// Summary counts what was written.
type Summary struct {
	Scale    string
	Archives []Archive // in the order of their periods, which is the order to ingest them in
	Advisers int       // advisers with at least one filing: all of them
	Funds    int       // funds in the last filings
	FundsAll int       // funds that any filing lists
	Filings  int
	FundRows int
	Bytes    int64
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
}

func scaleNamed(name string) (scaleOf, error) {
	switch name {
	case Small, "":
		return scaleOf{Small, 300, 2_000, 5, dayOf(2023, time.November, 1), 6, 120, 70}, nil
	case SEC:
		return scaleOf{SEC, 40_000, 250_000, 20, dayOf(2024, time.November, 1), 2, 85, 50}, nil
	default:
		return scaleOf{}, fmt.Errorf("scale: %q is unknown; %s and %s are known", name, Small, SEC)
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
		return Summary{}, fmt.Errorf("dir: %w", err)
	}
	p := draft(o.Seed, s)
	sum := p.summary()
	spans := periods()
	next := firstFilingID
	agenda := p.agenda(spans)
	for i, span := range spans {
		if err := ctx.Err(); err != nil {
			return Summary{}, err
		}
		written, err := p.archive(ctx, o.Dir, i, span, agenda[i], &next)
		if err != nil {
			return Summary{}, fmt.Errorf("archive of %s: %w", span.from.compact(), err)
		}
		sum.Archives = append(sum.Archives, written)
		sum.Filings += written.Filings
		sum.FundRows += written.Funds
		sum.Bytes += written.Bytes
		if o.Progress != nil {
			o.Progress(Progress{filepath.Base(written.Path), i + 1, len(spans)})
		}
	}
	return sum, nil
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
