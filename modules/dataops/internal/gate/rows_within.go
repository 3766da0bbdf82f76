package gate

import (
	"fmt"
	"math"
	"strings"
)

// lostInRun looks for filings without rows that follow one another: a table that was cut has none for the filings of
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
			likely += math.Log(float64(all.had + all.unknown)) // it may begin anywhere
		}
		if likely <= least && run.had+run.unknown >= runMin {
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
type emptied struct {
	had, hadNone, unknown, unknownNone int
	steps                              int // how many of those that had rows had 5 or more, and again 10 or more
}

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
		if before.Rows[table] >= 5 {
			e.steps++
		}
		if before.Rows[table] >= 10 {
			e.steps++
		}
	}
}

// rows returns how many filings have rows.
func (e *emptied) rows() int { return e.had - e.hadNone + e.unknown - e.unknownNone }

// chance is the logarithm of how likely it is that a run has no rows, by the filings outside of it. Unknown advisers are left out
// where few of the others have rows.
func (e *emptied) chance(all emptied) float64 {
	one := func(none, of int) float64 { return math.Log(max(emptiedMin, float64(none+1)/float64(of+2))) }
	others, none := all.unknown-e.unknown, all.unknownNone-e.unknownNone
	if with := others - none; with < runRowsMin || float64(with) < runRowsHalf*float64(others) {
		e.unknown = 0
	}
	return float64(e.had)*one(all.hadNone-e.hadNone, all.had-e.had) + float64(e.unknown)*one(none, others) - float64(e.steps)*math.Log(emptiedTen)
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
