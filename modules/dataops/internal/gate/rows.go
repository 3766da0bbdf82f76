package gate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// Filer is one adviser with its newest filing of a document.
type Filer struct {
	CRD, FilingID string
	Submitted     time.Time
}

// Filers are the advisers of one kind in a document, and how many rows the filing of each has in the tables of that kind.
type Filers struct {
	Kind   string // ia or era: an adviser may be both
	Filers []Filer
	Tables map[string][]int32 // by the table's name, in the order of Filers
}

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

// The limits of lost rows. Every second row that is lost leaves half, give or take what advisers add and chance takes, so the
// limits are a little above half. Months of the invented market with all their rows stay far from them: the same advisers
// keep more than nine tenths of their rows.
const (
	keptOf, keptParts = 3, 2 // of three rows that the same advisers had, two must remain
	keptRowsMin       = 8    // fewer rows prove nothing
	meanOf            = 0.6  // of the rows per filing of the series
	meanErrors        = 3    // and lower by so many standard errors
	varianceLeast     = 0.25 // the least variance, as a share of the mean: a few equal filings do not prove that all are
)

// Rows looks for tables that have lost rows. First each adviser's rows are compared with those of the filing of that adviser
// which is known: that holds however advisers differ and whoever files in a month. Where too few are known, the rows per
// filing are compared with those of the series.
func Rows(filed []Filers, known func(kind, crd string) *Filed, series map[string]Spread) []Finding {
	var found []Finding
	for _, g := range filed {
		before := make([]*Filed, len(g.Filers))
		for i := range g.Filers {
			if f := known(g.Kind, g.Filers[i].CRD); f != nil && f.comparable(&g.Filers[i]) {
				before[i] = f
			}
		}
		for _, table := range slices.Sorted(maps.Keys(g.Tables)) {
			reason := lostByAdviser(table, g.Tables[table], before)
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

// lostByAdviser compares the same advisers. One adviser alone may lose all its rows.
func lostByAdviser(table string, rows []int32, before []*Filed) string {
	var had, kept, lostMost, ofHad, ofKept int64 // the last three: of the adviser that lost most
	advisers := 0
	for i, f := range before {
		if f == nil || f.Rows[table] == 0 {
			continue
		}
		p := int64(f.Rows[table])
		k := min(p, int64(rows[i]))
		had, kept, advisers = had+p, kept+k, advisers+1
		if p-k > lostMost {
			lostMost, ofHad, ofKept = p-k, p, k
		}
	}
	fell := func(kept, had int64) bool { return kept*keptOf < had*keptParts }
	if had < keptRowsMin || !fell(kept, had) || !fell(kept-ofKept, had-ofHad) {
		return ""
	}
	return fmt.Sprintf("%s has only %d of the %d rows that the same %d advisers had in their filings before", table, kept, had, advisers)
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
