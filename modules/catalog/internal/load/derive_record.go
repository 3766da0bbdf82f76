package load

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strconv"
	"sync"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/record"
	"gpatlas/modules/catalog/internal/scan"
	"gpatlas/modules/catalog/internal/storedhistory"
)

// record folds one affected adviser, and writes down what that comes to, with its record and what is kept of its history.
func (w *foldWorker) record(of *derived) {
	r := of.complete()
	if len(r.Versions) == 0 {
		return // we know of its withdrawal alone, or of its filings nothing yet
	}
	state := r.State(w.today, fold.Provenance{})
	state.CanonicalGPID, _ = strconv.ParseInt(r.CRD, 10, 64) // of its own, until it is grouped; a CRD is a number
	kept := storedhistory.RowOf(r, state)
	firm, naming := fold.FirmOf(r.Versions)
	r.Overrides.Firm(r.CRD, &firm, w.today)
	w.adviser.Value = adviserRow{state.Adviser, catalogapi.Text(firm.Domain), firm.Stem, growthOf(kept.Timeline)}
	w.out[advisersOut].row(w.adviser.Fields)
	names := make(map[string]string, len(state.Funds)) // by Fund ID
	for i := range state.Funds {
		f := &state.Funds[i]
		names[f.FundID] = f.Name
		key := derive.NameKey(f.Name)
		w.fund.Value = fundRow{*f, catalogapi.Text(key.Name), key.Form}
		w.out[fundsOut].row(w.fund.Fields)
	}
	w.formerNames(r, names)
	if naming != nil {
		w.out[formsOut].rowOf(r.CRD, naming.Accession)
	}
	w.out[historiesOut].history(r.CRD, storedhistory.Encode(kept))
	w.out[recordsOut].record(of.filed, of.others)
}

// formerNames writes down the keys of the names that the adviser's funds bore in earlier filings.
func (w *foldWorker) formerNames(r *fold.Record, names map[string]string) {
	type former struct{ fund, name string }
	seen := map[former]bool{}
	for i := range r.FundVersions {
		v := &r.FundVersions[i]
		is := former{v.FundID, v.Name}
		if name, own := names[v.FundID]; !own || name == v.Name || seen[is] {
			continue
		}
		seen[is] = true
		if key := derive.NameKey(v.Name); key.Name != "" {
			w.out[formerOut].rowOf(v.FundID, key.Name)
		}
	}
}

// adviserRow is a row of catalog.advisers.
type adviserRow struct {
	fold.Adviser

	WebsiteDomain *string `gorm:"column:website_domain"`
	NameStem      string  `gorm:"column:name_stem"`
	growth
}

// fundRow is a row of catalog.funds.
type fundRow struct {
	fold.Fund

	NameKey  *string `gorm:"column:name_key"`
	NameForm string  `gorm:"column:name_form"`
}

// The tables that are filled.
const (
	advisersOut = iota
	fundsOut
	formerOut
	formsOut
	historiesOut
	recordsOut
	outs
)

// foldWorker folds some records, in their order. Its rows may be read when done is closed.
type foldWorker struct {
	today   time.Time
	records []*derived
	out     [outs]rowBuffer
	done    chan struct{}

	adviser *scan.Row[adviserRow]
	fund    *scan.Row[fundRow]
}

func newFolder(today time.Time) *foldWorker {
	return &foldWorker{
		today: today, done: make(chan struct{}), adviser: scan.NewRow[adviserRow](currentAdviser...), fund: scan.NewRow[fundRow](currentFund...),
	}
}

const (
	// foldRows is how many rows of records a worker gets at once.
	foldRows = 1000
	// foldBytes is how many bytes of a table are copied at once.
	foldBytes = 4 << 20
)

// fold folds the affected advisers and copies what they come to into the tables, in the order of advisers. The database waits
// for the fold, so all processors work.
func (s *session) fold(ctx context.Context, today time.Time, tables [outs]string) error {
	queue := make(chan *foldWorker, runtime.GOMAXPROCS(0))
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for w := range queue {
				for _, r := range w.records {
					w.record(r)
				}
				w.records = nil
				close(w.done)
			}
		})
	}
	var waiting []*foldWorker
	var full [outs][][]byte
	var size [outs]int
	copyDone := func(least int) error {
		for ; len(waiting) > 0; waiting = waiting[1:] {
			w := waiting[0]
			select {
			case <-w.done:
			default:
				return nil
			}
			for i := range w.out {
				full[i], size[i] = append(full[i], w.out[i].buf), size[i]+len(w.out[i].buf)
			}
		}
		for i, parts := range full {
			if size[i] > least {
				full[i], size[i] = nil, 0
				if err := s.copyParts(ctx, tables[i], parts); err != nil {
					return err
				}
			}
		}
		return nil
	}
	next, rows := newFolder(today), 0
	send := func() {
		queue <- next
		waiting = append(waiting, next)
		next, rows = newFolder(today), 0
	}
	err := s.records(ctx, func(r *derived) {
		next.records, rows = append(next.records, r), rows+r.rows
		if rows >= foldRows {
			send()
		}
	}, func() error { return copyDone(foldBytes) })
	send()
	close(queue)
	work.Wait()
	if err != nil {
		return err
	}
	if err := copyDone(0); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE n_adviser; ANALYZE n_fund; ANALYZE n_form") // unknown tables are joined row by row
}

// copyParts copies rows that were built in parts.
func (s *session) copyParts(ctx context.Context, table string, parts [][]byte) error {
	all := make([]io.Reader, len(parts))
	for i, part := range parts {
		all[i] = bytes.NewReader(part)
	}
	return s.copyIn(ctx, table, io.MultiReader(all...))
}

// history appends the row of an adviser.
func (r *rowBuffer) history(crd string, p storedhistory.Parts) {
	r.begin()
	r.plain(crd)
	r.integer(storedhistory.Encoding())
	for _, part := range [][]byte{p.States, p.Funds, p.Sources, p.FundSources} {
		r.bytes(part)
	}
	r.end()
}

// record appends the record of an adviser, with who else ever named one of its funds.
func (r *rowBuffer) record(of *record.Record, others []string) {
	r.begin()
	r.plain(of.CRD)
	r.integer(record.Encoding())
	r.list(others)
	r.bytes(record.Encode(of))
	r.end()
}
