package sample

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// firstFilingID is where the numbers of filings begin; they rise with the time of submission.
const firstFilingID int64 = 800_001

// entry is one filing of one adviser in an archive.
type entry struct{ adviser, filing int32 }

// agenda deals all filings out to the archives' periods, in the order of their submission.
func (p *plan) agenda(spans []period) [][]entry {
	days := make([][]entry, len(spans))
	for i := range p.advisers {
		for k, f := range p.advisers[i].filings {
			at := sort.Search(len(spans), func(n int) bool { return spans[n].to >= f.on })
			days[at] = append(days[at], entry{int32(i), int32(k)}) // #nosec G115 -- indexes of small lists
		}
	}
	for _, list := range days {
		slices.SortFunc(list, func(x, y entry) int {
			fx, fy := p.advisers[x.adviser].filings[x.filing], p.advisers[y.adviser].filings[y.filing]
			return cmp.Or(cmp.Compare(fx.on, fy.on), cmp.Compare(fx.second, fy.second), cmp.Compare(x.adviser, y.adviser))
		})
	}
	return days
}

// archive writes one period's filings.
func (p *plan) archive(ctx context.Context, dir string, i int, span period, entries []entry, next *int64) (Archive, error) {
	span0 := span.from.compact() + "_" + span.to.compact()
	base := "ADV_Filing_Data_" + span0
	w := newWriter(p, dialectOf(i))
	err := w.open(dir)
	defer func() { _ = w.close() }() // temporary files: nothing is lost with them
	if err != nil {
		return Archive{}, err
	}
	r := newRandom(p.seed, forMonth, uint64(i)) // #nosec G115 -- an index
	for n, e := range entries {
		if n%256 == 0 && ctx.Err() != nil {
			return Archive{}, ctx.Err()
		}
		*next += int64(r.between(1, 7))
		w.filing(&p.advisers[e.adviser], int(e.filing), *next)
		if w.err != nil {
			return Archive{}, w.err
		}
	}
	var names []string
	for _, l := range layouts {
		name := l.name + "_" + span0 + ".csv"
		if w.line.dialect.folder {
			name = base + "/" + name
		}
		names = append(names, name)
	}
	path := filepath.Join(dir, base+".zip")
	size, err := zipTogether(path, names, w.spools, span.published())
	done := Archive{Path: path, Kind: KindADV, Bytes: size, Filings: len(entries), Funds: w.spools[iaFunds].rows + w.spools[eraFunds].rows}
	for t, s := range w.spools {
		done.Tables = append(done.Tables, Table{layouts[t].name, s.rows})
	}
	return done, err
}

// writer turns filings into rows of all tables.
type writer struct {
	plan              *plan
	line              line
	baseA, baseB, era *sheet
	spools            []*spool
	posts             []post // of the filing at hand
	offices           []officeSince
	kin               []affiliate
	events            []event
	err               error // the first that occurred
}

func newWriter(p *plan, d dialect) *writer {
	return &writer{plan: p, line: line{dialect: d}, baseA: newSheet(headerBaseA), era: newSheet(headerERA), baseB: newSheet(headerBaseB)}
}

func (w *writer) open(dir string) error {
	for n, l := range layouts {
		header := slices.Clone(l.header)
		if w.line.dialect.older {
			for i, name := range header {
				header[i] = cmp.Or(olderSpelling[name], name)
			}
		}
		for i, name := range header {
			if strings.Contains(name, ",") {
				header[i] = `"` + name + `"`
			}
		}
		text := strings.Join(header, ",") + "\r\n"
		if w.line.dialect.mark {
			text = "\ufeff" + text
		}
		s, err := w.plan.newTable(dir, n, text)
		if err != nil {
			return err
		}
		w.spools = append(w.spools, s)
	}
	return nil
}

func (w *writer) close() error {
	var errs []error
	for _, s := range w.spools {
		errs = append(errs, s.remove())
	}
	return errors.Join(errs...)
}

// put ends the row and sends it to a table.
func (w *writer) put(t tableKind) {
	if err := w.spools[t].row(w.line.end()); err != nil && w.err == nil {
		w.err = err
	}
}
