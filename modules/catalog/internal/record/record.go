// Package record holds what an adviser filed as one value, which is stored in one row (catalog.records) and read by who folds it.
//
// A load writes the records of the advisers that it derives, in its transaction, out of the version tables. A Record has every edition
// of every filing, with the instants between which it counted, so that Record.At answers for any moment without a database. It
// has only what its own adviser filed: Complete adds what others said of the same funds. Corrections, lists that name an adviser no
// longer and notices of Form D concern several advisers, and stay in their tables.
package record

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/fold"
)

// Record is what one adviser filed.
type Record struct {
	CRD     string
	Filings []Filing // every edition, oldest first
	Funds   []Fund   // by Fund ID
}

// Filing is an edition of a filing, with what it states about the adviser.
type Filing struct {
	fold.AdviserVersion

	Full  bool      `gorm:"column:is_full"`      // a full withdrawal
	Says  bool      `gorm:"column:says"`         // an ADV-W states nothing
	Since time.Time `gorm:"column:processed_at"` // when the load began that brought it
	Until time.Time `gorm:"column:replaced_at"`  // when the load began that replaced it; zero: it is current
}

// Fund is what filings state about a fund.
type Fund struct {
	ID       string
	Versions []FundVersion // oldest first; of a filing, replaced ones come first and the current one last
}

// FundVersion is what an edition of a filing states about a fund. An edition that repeats the one before has none of its own.
type FundVersion struct {
	In int // the place of an edition of its filing in Record.Filings; of all versions of a filing the same
	fold.FiledFund
	Silent []string  `gorm:"column:silent"`      // the columns that its document did not have
	Unsaid bool      `gorm:"column:unsaid"`      // the edition did not name the fund
	Until  time.Time `gorm:"column:replaced_at"` // as of Filing
}

// Moment limits which filings count. The zero one is now.
type Moment struct {
	Day     time.Time    // filed up to this day; zero: no limit
	Through *fold.Filing // up to this filing of the adviser; nil: no limit
	Known   time.Time    // the newest Filing.Since that counts; zero: the current editions
}

// knows reports whether an edition was current.
func (m *Moment) knows(f *Filing) bool {
	if m.Known.IsZero() {
		return f.Until.IsZero()
	}
	return !f.Since.After(m.Known) && (f.Until.IsZero() || f.Until.After(m.Known))
}

// Counts reports whether a filing counts, as far as that does not depend on what was known.
func (m *Moment) Counts(f *fold.Filing) bool {
	return (m.Day.IsZero() || !f.FilingDate.After(m.Day)) && (m.Through == nil || fold.Order(f, m.Through) <= 0)
}

// last is the last place of an edition of the filings that count; below zero where none does.
func (r *Record) last(m *Moment) int {
	last := -1
	for i := range slices.Backward(r.Filings) {
		if f := &r.Filings[i]; m.knows(f) && m.Counts(&f.Filing) {
			for k := len(r.Filings) - 1; k > last; k-- {
				if r.Filings[k].Accession == f.Accession {
					last = k
				}
			}
		}
	}
	return last
}

// At is what counts of the record at a moment. It shares its texts and answers with the record.
func (r *Record) At(m Moment) *fold.Record { return r.AtInto(m, &fold.Record{}) }

// AtInto is At in the memory of a record that is done with.
func (r *Record) AtInto(m Moment, out *fold.Record) *fold.Record {
	*out = fold.Record{CRD: r.CRD, Filings: out.Filings[:0], Versions: out.Versions[:0], FundVersions: out.FundVersions[:0]}
	known := make([]*Filing, 0, len(r.Filings))
	for i := range r.Filings {
		if f := &r.Filings[i]; m.knows(f) {
			known = append(known, f)
		}
	}
	slices.SortStableFunc(known, func(a, b *Filing) int { return fold.Order(&a.Filing, &b.Filing) })
	for _, f := range known {
		out.Filings = append(out.Filings, fold.Filed{Filing: f.Filing, Full: f.Full, Restated: !f.Until.IsZero()})
	}
	if !m.Known.IsZero() {
		fold.MarkInitial(out.Filings)
	}
	n, of := 0, make(map[string]int, len(known)) // places in out.Filings
	for i, f := range known {
		if !m.Counts(&f.Filing) {
			continue
		}
		out.Filings[n] = out.Filings[i]
		of[f.Accession] = n
		if f.Says {
			version := f.AdviserVersion
			version.Filing = out.Filings[n].Filing
			out.Versions = append(out.Versions, version)
		}
		n++
	}
	out.Filings = out.Filings[:n]
	places := make([]int, len(r.Filings)) // by the place of an edition, that of its filing in out.Filings, or -1
	for i := range r.Filings {
		places[i] = -1
		if at, ok := of[r.Filings[i].Accession]; ok {
			places[i] = at
		}
	}
	r.fundsAt(&m, out, places)
	return out
}

// fundsAt adds what the filings that count state about funds.
func (r *Record) fundsAt(m *Moment, out *fold.Record, places []int) {
	total := 0
	for i := range r.Funds {
		total += len(r.Funds[i].Versions)
	}
	out.FundVersions = slices.Grow(out.FundVersions, total)
	for i := range r.Funds {
		f := &r.Funds[i]
		last := -1 // the filing whose version was found
		for k := range f.Versions {
			v := &f.Versions[k]
			at := places[v.In]
			if at < 0 || v.In == last || !v.Until.IsZero() && (m.Known.IsZero() || !v.Until.After(m.Known)) {
				continue
			}
			if last = v.In; !v.Unsaid {
				out.FundVersions = append(out.FundVersions, fold.FundVersion{
					Filing: out.Filings[at].Filing, FundID: f.ID, FiledFund: v.FiledFund, Silent: v.Silent,
				})
			}
		}
	}
}

// Complete adds to a record what the filings of others state about the funds that it names: a fund may move from one adviser to another.
func Complete(r *fold.Record, others []*fold.Record) {
	if len(others) == 0 {
		return
	}
	named := map[string]bool{}
	for i := range r.FundVersions {
		named[r.FundVersions[i].FundID] = true
	}
	for _, other := range others {
		naming := map[string]bool{}
		for i := range other.FundVersions {
			if v := &other.FundVersions[i]; named[v.FundID] {
				naming[v.Accession] = true
				r.FundVersions = append(r.FundVersions, *v)
			}
		}
		for i := range other.Filings {
			if naming[other.Filings[i].Accession] {
				r.Others = append(r.Others, other.Filings[i])
			}
		}
	}
}

// FundRow is a version with its fund and the filing that it is of.
type FundRow struct {
	FundVersion

	FundID    string `gorm:"column:fund_id"`
	Accession string `gorm:"column:accession"`
}

// New makes a record of rows, which come in any order.
func New(crd string, filings []Filing, funds []FundRow) *Record {
	r := &Record{CRD: crd, Filings: filings}
	for i := range filings {
		f := &filings[i]
		f.SubmittedAt, f.Since, f.Until = f.SubmittedAt.UTC(), f.Since.UTC(), f.Until.UTC()
	}
	slices.SortFunc(filings, func(a, b Filing) int {
		return cmp.Or(fold.Order(&a.Filing, &b.Filing), a.Since.Compare(b.Since))
	})
	places := make(map[string]int, len(filings))
	for i := range filings {
		if _, known := places[filings[i].Accession]; !known || filings[i].Until.IsZero() {
			places[filings[i].Accession] = i
		}
	}
	for i := range funds {
		v := &funds[i]
		v.In, v.Until = places[v.Accession], v.Until.UTC()
	}
	slices.SortFunc(funds, func(a, b FundRow) int {
		if c := cmp.Or(strings.Compare(a.FundID, b.FundID), cmp.Compare(a.In, b.In)); c != 0 {
			return c
		}
		switch { // the current one is the last
		case a.Until.IsZero():
			return 1
		case b.Until.IsZero():
			return -1
		}
		return a.Until.Compare(b.Until)
	})
	for i := range funds {
		if i == 0 || funds[i].FundID != funds[i-1].FundID {
			r.Funds = append(r.Funds, Fund{ID: funds[i].FundID})
		}
		f := &r.Funds[len(r.Funds)-1]
		f.Versions = append(f.Versions, funds[i].FundVersion)
	}
	return r
}
