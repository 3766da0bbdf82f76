package gate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Filer is one adviser with its newest filing of a document.
type Filer struct {
	CRD, FilingID string
	Submitted     time.Time
}

// Filers are the advisers of one kind in a document, and how many rows the filing of each has in the tables of that kind.
type Filers struct {
	Kind   string // ia or era: an adviser may be both; form_d: notices, which have no CRD and are not kept
	Filers []Filer
	Tables map[string][]int32 // by the table's name, in the order of Filers
	Due    []Due
}

// Due names filings that must have rows in at least one of some tables.
type Due struct {
	Why     string // for the message
	Tables  []string
	Filings []bool // in the order of Filers
}

// Named says that the filings are those of advisers, whose next ones are compared with them.
func (g *Filers) Named() bool { return g.Kind != Notices }

// Notices is the kind of the notices of Form D.
const Notices = "form_d"

// Of gives the rows of one of the advisers by table, without those that are none.
func (g *Filers) Of(i int) map[string]int32 {
	rows := make(map[string]int32, len(g.Tables))
	for table, of := range g.Tables {
		if of[i] > 0 {
			rows[table] = of[i]
		}
	}
	return rows
}

// Filed is the newest filing of an adviser that is known, with its rows by table. A table that is missing here had none.
type Filed struct {
	FilingID  string
	Submitted time.Time
	Rows      map[string]int32
}

// comparable says whether the filing that is known can be compared with one of a document: it is not newer, or it is the same.
func (f *Filed) comparable(with *Filer) bool {
	return f.FilingID == with.FilingID || !f.Submitted.After(with.Submitted)
}

// Spread says how many rows of a table the filings of a document have: their number, the sum and the sum of squares.
type Spread struct{ Filings, Rows, Squares int64 }

// Add joins two documents.
func (s Spread) Add(o Spread) Spread {
	return Spread{s.Filings + o.Filings, s.Rows + o.Rows, s.Squares + o.Squares}
}

func spreadOf(rows []int32) Spread {
	s := Spread{Filings: int64(len(rows))}
	for _, n := range rows {
		s.Rows, s.Squares = s.Rows+int64(n), s.Squares+int64(n)*int64(n)
	}
	return s
}

func (s Spread) mean() float64 { return float64(s.Rows) / float64(s.Filings) }

func (s Spread) variance() float64 {
	return float64(s.Squares)/float64(s.Filings) - s.mean()*s.mean()
}

// Spreads gives the spread of each table.
func Spreads(filed []Filers) map[string]Spread {
	out := make(map[string]Spread)
	for _, g := range filed {
		for table, rows := range g.Tables {
			out[table] = spreadOf(rows)
		}
	}
	return out
}

// The limits of lost rows. In the invented market the same advisers keep 95 to 99 of 100 rows in tables of more than 100, and
// as many gain rows as lose some; no document of it is stopped. Damage takes rows from many and gives none.
const (
	keptOf, keptParts = 3, 2 // of three rows that the same advisers had, two must remain
	keptRowsMin       = 8    // fewer rows prove nothing

	lostShare   = 0.1 // of the rows may go in any case
	lostErrors  = 3   // and so many standard errors more
	fellMin     = 6   // advisers that have fewer rows than before
	fellPerRose = 3   // for each that has more

	mostFellMin     = 5 // if more than half of the advisers have fewer rows
	mostFellPerRose = 4

	runChance   = 1e-5 // how unlikely it must be that filings in a row have no rows by chance
	emptiedMin  = 0.02 // the least chance that a filing has no rows
	runRowsMin  = 8    // filings of unknown advisers count if as many of the others,
	runRowsHalf = 0.5  // and at least half of them, have rows

	dueShare  = 0.01 // of the filings whose answers require rows may have none,
	dueErrors = 3    // and so many standard errors more,
	dueMin    = 3    // but at least so many must have none

	meanOf        = 0.6  // of the rows per filing of the series
	meanErrors    = 3    // and lower by so many standard errors
	varianceLeast = 0.25 // the least variance, as a share of the mean: a few equal filings do not prove that all are
)

// Rows looks for tables that have lost rows. First each adviser's rows are compared with those of the filing of that adviser
// which is known: that holds however advisers differ and whoever files in a month. Then the end of the document is looked at,
// whose filings have no rows if the table was cut. Where too few are known, the rows per filing are compared with those of
// the series.
func Rows(filed []Filers, known func(kind, crd string) *Filed, series map[string]Spread) []Finding {
	var found []Finding
	for _, g := range filed {
		before := make([]*Filed, len(g.Filers))
		for i := range g.Filers {
			if f := known(g.Kind, g.Filers[i].CRD); f != nil && f.comparable(&g.Filers[i]) {
				before[i] = f
			}
		}
		order := g.order()
		for _, d := range g.Due {
			if reason := lostDue(d, g.Tables, len(g.Filers)); reason != "" {
				found = append(found, Finding{Check: RowsLost, Reason: reason})
			}
		}
		for _, table := range slices.Sorted(maps.Keys(g.Tables)) {
			reason := lostByAdviser(table, g.Tables[table], before)
			if reason == "" {
				reason = lostInRun(table, g.Tables[table], before, order)
			}
			if reason == "" {
				reason = lostByFiling(table, g.Tables[table], series[table])
			}
			if reason != "" {
				found = append(found, Finding{Check: RowsLost, Reason: reason})
			}
		}
	}
	return found
}

// order gives the filings in the order of the tables: by FilingID, and notices as they stand in the set.
func (g *Filers) order() []int {
	order := make([]int, len(g.Filers))
	for i := range order {
		order[i] = i
	}
	if g.Named() {
		slices.SortFunc(order, func(a, b int) int {
			x, y := g.Filers[a].FilingID, g.Filers[b].FilingID
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
		})
	}
	return order
}

// lostByAdviser compares the same advisers. One adviser alone may lose all its rows.
func lostByAdviser(table string, rows []int32, before []*Filed) string {
	var had, kept, lostMost, ofHad, ofKept int64 // the last three: of the adviser that lost most
	advisers, fell, rose := 0, 0, 0
	for i, f := range before {
		if f == nil {
			continue
		}
		p := int64(f.Rows[table])
		k := min(p, int64(rows[i]))
		if int64(rows[i]) > p {
			rose++
		}
		if p == 0 {
			continue
		}
		had, kept, advisers = had+p, kept+k, advisers+1
		if k < p {
			fell++
		}
		if p-k > lostMost {
			lostMost, ofHad, ofKept = p-k, p, k
		}
	}
	all := func(lost func(kept, had int64) bool) bool { return lost(kept, had) && lost(kept-ofKept, had-ofHad) }
	third := func(kept, had int64) bool { return kept*keptOf < had*keptParts }
	tenth := func(kept, had int64) bool { return float64(had-kept) > lostShare*float64(had) }
	beyondChance := func(kept, had int64) bool {
		usual := lostShare * float64(had)
		return float64(had-kept) > usual+lostErrors*math.Sqrt(usual)
	}
	switch {
	case had >= keptRowsMin && all(third):
	case fell >= fellMin && fell >= fellPerRose*rose && all(beyondChance):
	case fell >= mostFellMin && fell >= mostFellPerRose*rose && 2*fell > advisers && all(tenth):
	default:
		return ""
	}
	return fmt.Sprintf("%s has only %d of the %d rows that the same %d advisers had in their filings before", table, kept, had, advisers)
}

// lostInRun looks for filings without rows that follow one another: a table of which a part was cut has none for the filings of
// that part. Filings count of advisers that had rows before, and of unknown advisers where most have rows.
func lostInRun(table string, rows []int32, before []*Filed, order []int) string {
	of := func(filings []int) (t emptied) {
		for _, i := range filings {
			t.add(rows[i] == 0, before[i], table)
		}
		return t
	}
	all, worst, from := of(order), "", 0
	if all.rows() == 0 {
		return ""
	}
	least := math.Log(runChance)
	for to := 0; to <= len(order); to++ {
		if to < len(order) && rows[order[to]] == 0 {
			continue
		}
		run := of(order[from:to])
		likely := run.chance(all)
		if from > 0 && to < len(order) {
			likely += math.Log(float64(len(order))) // it may begin anywhere
		}
		if likely <= least {
			least = likely
			worst = fmt.Sprintf("%s has no rows for %s, of which %d would have some: a part of the table may be missing",
				table, place(from, to, len(order)), run.had+run.unknown)
		}
		from = to + 1
	}
	return worst
}

func place(from, to, of int) string {
	switch {
	case from == 0:
		return fmt.Sprintf("the first %d filings", to)
	case to == of:
		return fmt.Sprintf("the last %d filings", to-from)
	}
	return fmt.Sprintf("%d filings in a row", to-from)
}

// emptied counts filings of advisers that had rows before, those of unknown advisers, and how many of both have none.
type emptied struct{ had, hadNone, unknown, unknownNone int }

func (e *emptied) add(none bool, before *Filed, table string) {
	one := 0
	if none {
		one = 1
	}
	switch {
	case before == nil:
		e.unknown, e.unknownNone = e.unknown+1, e.unknownNone+one
	case before.Rows[table] > 0:
		e.had, e.hadNone = e.had+1, e.hadNone+one
	}
}

// rows says how many filings have rows.
func (e *emptied) rows() int { return e.had - e.hadNone + e.unknown - e.unknownNone }

// chance is the logarithm of how likely it is that a run has no rows, by the filings outside of it. Unknown advisers are left out
// where few of the others have rows.
func (e *emptied) chance(all emptied) float64 {
	one := func(none, of int) float64 { return math.Log(max(emptiedMin, float64(none+1)/float64(of+2))) }
	others, none := all.unknown-e.unknown, all.unknownNone-e.unknownNone
	if with := others - none; with < runRowsMin || float64(with) < runRowsHalf*float64(others) {
		e.unknown = 0
	}
	return float64(e.had)*one(all.hadNone-e.hadNone, all.had-e.had) + float64(e.unknown)*one(none, others)
}

// lostDue looks for filings whose answers require rows that are not there. It needs no earlier filing.
func lostDue(d Due, tables map[string][]int32, filings int) string {
	due, without := 0, 0
	for i := range filings {
		if !d.Filings[i] {
			continue
		}
		due++
		none := true
		for _, table := range d.Tables {
			of, there := tables[table]
			if !there {
				return "" // it says nothing of any filing
			}
			none = none && of[i] == 0
		}
		if none {
			without++
		}
	}
	usual := dueShare * float64(due)
	if without < dueMin || float64(without) <= usual+dueErrors*math.Sqrt(usual) {
		return ""
	}
	return fmt.Sprintf("%s: %d of the %d filings that %s have no rows", strings.Join(d.Tables, " and "), without, due, d.Why)
}

// lostByFiling compares the mean of rows per filing with that of the series, by its standard error.
func lostByFiling(table string, rows []int32, series Spread) string {
	if series.Rows == 0 || len(rows) == 0 {
		return ""
	}
	now := spreadOf(rows)
	mean, usual, least := now.mean(), series.mean(), series.mean()*varianceLeast
	variance := max(series.variance(), least)
	deviation := math.Sqrt(variance/float64(series.Filings) + max(variance, now.variance())/float64(now.Filings))
	if mean >= usual*meanOf || usual-mean < meanErrors*deviation {
		return ""
	}
	return fmt.Sprintf("%s has %.2f rows for each of its %d filings; earlier documents of the series had %.2f", table, mean, len(rows), usual)
}
