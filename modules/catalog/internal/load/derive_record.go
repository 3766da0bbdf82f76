package load

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/keep"
)

// record folds one affected adviser, of which r is complete, and writes down what that comes to. It is called once for each
// of them, by several workers at once, with what is kept of its history.
func (w *folder) record(r *fold.Record) {
	if len(r.Versions) == 0 {
		return // we know of its withdrawal alone, or of its filings nothing yet
	}
	state := r.State(w.today, fold.Provenance{})
	w.out[advisersOut].row(adviserLayout, &adviserRow{
		Adviser: state.Adviser, WebsiteDomain: domainOf(state.Website), NameStem: derive.NameStem(state.LegalName),
	})
	names := make(map[string]string, len(state.Funds)) // by Fund ID
	for i := range state.Funds {
		f := &state.Funds[i]
		names[f.FundID] = f.Name
		key := derive.NameKey(f.Name)
		row := fundRow{Fund: *f, NameKey: orNull(key.Name), NameForm: key.Form}
		w.out[fundsOut].row(fundLayout, &row)
	}
	w.formerNames(r, names)
	if _, naming := fold.FirmOf(r.Versions); naming != nil {
		w.out[formsOut].rowOf(r.CRD, naming.Accession)
	}
	w.out[historiesOut].history(r.CRD, keep.Encode(keep.RowOf(r, state)))
}

// formerNames writes down the keys of the names that the adviser's funds bore in earlier filings.
func (w *folder) formerNames(r *fold.Record, names map[string]string) {
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

func domainOf(website *string) *string {
	if website == nil {
		return nil
	}
	return orNull(derive.WebsiteDomain(*website))
}

// orNull is a text that is null where it is empty.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// adviserRow is a row of catalog.advisers.
type adviserRow struct {
	fold.Adviser

	WebsiteDomain *string `gorm:"column:website_domain"`
	NameStem      string  `gorm:"column:name_stem"`
}

// fundRow is a row of catalog.funds.
type fundRow struct {
	fold.Fund

	NameKey  *string `gorm:"column:name_key"`
	NameForm string  `gorm:"column:name_form"`
}

var (
	adviserLayout = layoutOf[adviserRow](slices.Concat([]string{"crd"}, adviserColumns))
	fundLayout    = layoutOf[fundRow](slices.Concat([]string{"fund_id"}, filedFundColumns, derivedFundColumns))
)

// The tables that are filled.
const (
	advisersOut = iota
	fundsOut
	formerOut
	formsOut
	historiesOut
	outs
)

// folder is a worker that folds, with the rows that it has made and not yet handed over.
type folder struct {
	today time.Time
	out   [outs]rowBuffer
}

// folded is how many bytes of rows a worker hands over at once.
const folded = 4 << 20

// fold folds the affected advisers and copies what they come to into the tables, what is kept of their histories into one of
// that name. The database waits for the fold, so all processors work.
func (s *session) fold(ctx context.Context, today time.Time, histories string) error {
	tables := [outs]string{"n_adviser", "n_fund", "d_former", "n_form", histories}
	var work sync.WaitGroup
	var lock sync.Mutex
	var full [outs][][]byte // what the workers handed over
	hand := func(w *folder, least int) {
		lock.Lock()
		defer lock.Unlock()
		for i := range w.out {
			if len(w.out[i].buf) > least {
				full[i] = append(full[i], w.out[i].buf)
				w.out[i] = rowBuffer{}
			}
		}
	}
	queue := make(chan []*fold.Record, runtime.GOMAXPROCS(0))
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			w := &folder{today: today}
			for some := range queue {
				for _, r := range some {
					w.record(r)
				}
				hand(w, folded)
			}
			hand(w, 0)
		})
	}
	copyAll := func() error {
		lock.Lock()
		ready := full
		full = [outs][][]byte{}
		lock.Unlock()
		for i, parts := range ready {
			if err := s.copyParts(ctx, tables[i], parts); err != nil {
				return err
			}
		}
		return nil
	}
	var next []*fold.Record
	rows := 0 // of next
	err := s.records(ctx, func(r *fold.Record) {
		next, rows = append(next, r), rows+len(r.Filings)+len(r.FundVersions)
		if rows >= foldRows {
			queue <- next
			next, rows = nil, 0
		}
	}, copyAll)
	queue <- next
	close(queue)
	work.Wait()
	if err != nil {
		return err
	}
	if err := copyAll(); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE n_adviser; ANALYZE n_fund; ANALYZE n_form") // unknown tables are joined row by row
}

// foldRows is how many rows of records a worker gets at once.
const foldRows = 1000

// copyParts copies rows that were built in parts.
func (s *session) copyParts(ctx context.Context, table string, parts [][]byte) error {
	if len(parts) == 0 {
		return nil
	}
	all := make([]io.Reader, len(parts))
	for i, part := range parts {
		all[i] = bytes.NewReader(part)
	}
	return s.copyIn(ctx, table, io.MultiReader(all...))
}

// history appends the row of an adviser.
func (r *rowBuffer) history(crd string, p keep.Parts) {
	r.begin()
	r.plain(crd)
	r.integer(keep.Encoding)
	for _, part := range [][]byte{p.States, p.Funds, p.Sources, p.FundSources} {
		r.bytes(part)
	}
	r.end()
}
