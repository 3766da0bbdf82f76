package gate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Filer is one adviser with its newest filing of a document.
type Filer struct {
	CRD, FilingID string
	Submitted     time.Time
}

// CompareFilings orders filings of an adviser: by time of submission, then by number.
func CompareFilings(a, b time.Time, aID, bID string) int {
	return cmp.Or(a.Compare(b), cmp.Compare(len(aID), len(bID)), cmp.Compare(aID, bID))
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

// Named reports whether the filings are of advisers, so that their next ones are compared with them.
func (g *Filers) Named() bool { return g.Kind != Notices }

// Notices is the kind of the notices of Form D.
const Notices = "form_d"

// Of returns an adviser's number of rows by table, without tables in which it has none.
func (g *Filers) Of(i int) map[string]int32 {
	rows := make(map[string]int32, len(g.Tables))
	for table, of := range g.Tables {
		if of[i] > 0 {
			rows[table] = of[i]
		}
	}
	return rows
}

// Filed is an earlier filing of an adviser, or an earlier edition of the same filing, with its rows by table. A table that is missing
// here had none.
type Filed struct {
	FilingID  string
	Submitted time.Time
	Rows      map[string]int32
}

// comparable reports whether the filing that is known can be compared with one of a document: it is not newer, or it is the same.
func (f *Filed) comparable(with *Filer) bool {
	return f.FilingID == with.FilingID || !f.Submitted.After(with.Submitted)
}

// Spread is how many rows of a table the filings of a document have: the number of filings, the sum and the sum of squares.
type Spread struct{ Filings, Rows, Squares int64 }

// Add joins two documents.
func (s Spread) Add(o Spread) Spread {
	return Spread{s.Filings + o.Filings, s.Rows + o.Rows, s.Squares + o.Squares}
}

// without is the reverse of Add.
func (s Spread) without(o Spread) Spread {
	return Spread{s.Filings - o.Filings, s.Rows - o.Rows, s.Squares - o.Squares}
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

// Spreads returns the spread of each table.
func Spreads(filed []Filers) map[string]Spread {
	out := make(map[string]Spread)
	for _, g := range filed {
		for table, rows := range g.Tables {
			out[table] = spreadOf(rows)
		}
	}
	return out
}

// Counted is a document of a series that was loaded, with the spread and the values of each table.
type Counted struct {
	RunID    int64
	Document string
	Spreads  map[string]Spread
	Filled   map[string]Fill
}

// total joins what the documents have in a table.
func total(series []Counted, table string) (sum Spread) {
	for _, d := range series {
		sum = sum.Add(d.Spreads[table])
	}
	return sum
}

// The limits of lost rows. In the invented market the same advisers keep 95 to 99 of 100 rows in tables of more than 100, and
// as many gain rows as lose some; no document of it is stopped. A damaged document loses rows of many advisers and
// gains none.
const (
	keptOf, keptParts = 3, 2 // of three rows that the same advisers had, two must remain
	keptRowsMin       = 8    // fewer rows prove nothing

	oneRowsMin = 30 // of so many rows, even if one adviser had the others

	someOf, someParts = 4, 3 // of four rows three must remain
	someLostMin       = 10   // if so many are gone,
	othersLostMin     = 3    // and so many of them are not of the adviser that lost most

	againFellMin = 2    // filings that were loaded before may have fewer rows than then: one of them, if it keeps some,
	againLostMin = 3    // or fewer rows than these in all,
	againShare   = 0.01 // or so small a share of the rows

	lostShare   = 0.1 // of the rows may go in any case
	lostErrors  = 3   // and so many standard errors more
	fellMin     = 6   // advisers that have fewer rows than before
	fellPerRose = 3   // for each that has more

	manyRowsMin     = 100  // if there were so many rows,
	manyLostShare   = 0.15 // so large a share of them is gone
	manyFellPerRose = 2    // and many more advisers have fewer rows than have more, beyond chance

	mostFellMin     = 5 // if more than half of the advisers have fewer rows
	mostFellPerRose = 4

	manyOf, manyParts = 5, 4 // a filing that keeps at most four of five rows has lost many

	runChance   = 1e-5 // how unlikely it must be that filings in a row have lost rows by chance,
	runDoubt    = 1e-3 // and how unlikely for an alert: at the head or the end,
	runWithin   = 1e-4 // and in between, where many runs are looked at
	runPrior    = 2    // filings of other tables that count with those of the table
	emptiedMin  = 0.02 // the least chance that a filing has no rows: in the invented markets 4,906 of 718,771 lost all their 1 to 4,
	emptiedTen  = 10   // 26 of 85,416 their 5 to 9, and none of 34,966 their 10 and more: each step is rarer by so much
	runMin      = 2    // filings: one adviser alone may lose all its rows
	runRowsMin  = 8    // filings of unknown advisers count if as many of the others,
	runRowsHalf = 0.5  // and at least half of them, have rows

	noticesMin  = 50 // sets are compared if there should be so many notices
	quarterDays = 90

	dueShare  = 0.01 // of the filings whose answers require rows may have none,
	dueErrors = 3    // and so many standard errors more,
	dueMin    = 3    // but at least so many must have none

	meanOf        = 0.6  // of the rows per filing of the series
	meanErrors    = 3    // and lower by so many standard errors
	varianceLeast = 0.25 // the least variance, as a share of the mean: a few equal filings do not prove that all are
)

// Known returns the filing of an adviser that one of a document is compared with; nil if none is known.
type Known func(kind string, f *Filer) *Filed

// before returns, in the order of Filers, the filings that these can be compared with.
func (g *Filers) before(known Known) []*Filed {
	before := make([]*Filed, len(g.Filers))
	for i := range g.Filers {
		if f := known(g.Kind, &g.Filers[i]); f != nil && f.comparable(&g.Filers[i]) {
			before[i] = f
		}
	}
	return before
}

// Rows looks for tables that have lost rows. Filings that were loaded before must have the rows that they had. Each adviser's rows
// are compared with those of its previous filing, which known returns. This works however advisers differ, and whichever of them
// file in a month. Consecutive filings without rows show that a part was cut. Where too few are known, the rows per filing are compared with those of
// the series. Filings whose answers require rows must have some.
func Rows(filed []Filers, known Known, series []Counted) []Finding {
	var found []Finding
	for _, g := range filed {
		before := g.before(known)
		runs := g.runs(before)
		if reason := fewNotices(&g, series); reason != "" {
			found = append(found, Finding{Check: RowsLost, Reason: reason})
		}
		for _, d := range g.Due {
			if reason := lostDue(d, g.Tables, len(g.Filers)); reason != "" {
				found = append(found, Finding{Check: RowsLost, Reason: reason})
			}
		}
		for _, table := range slices.Sorted(maps.Keys(g.Tables)) {
			reason := lostAgain(table, g.Tables[table], g.Filers, before)
			if reason == "" {
				reason = lostByAdviser(table, g.Tables[table], before)
			}
			if reason == "" {
				if r := runs[table]; r.lost() {
					reason = r.reason(table)
				}
			}
			if reason == "" {
				reason = lostByFiling(table, spreadOf(g.Tables[table]), total(series, table))
			}
			if reason != "" {
				found = append(found, Finding{Check: RowsLost, Reason: reason})
			}
		}
	}
	return found
}

// order returns the filings in the order of the tables: by FilingID, and notices in the order of the set.
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
