package gate

import (
	"fmt"
	"math"
)

// run is a part of a table in which filings that follow one another have lost rows. A table that was cut has none for the filings of
// that part, and a part of the rows for the filing at each end of it. Filings count of advisers that had rows before, and of unknown
// advisers where most have rows.
type run struct {
	from, to, of  int     // the filings without rows, in the order of the table
	none, partly  int     // filings that would have rows and have none; filings that have lost many, but not all
	hadRows, rows int64   // of these, before and now
	chance        float64 // the logarithm of how likely it is that such a run is no damage
}

// lost reports whether the run stops a document: one adviser alone may lose rows.
func (r *run) lost() bool { return r.chance <= math.Log(runChance) && r.none+r.partly >= runMin }

// doubtful reports whether the run is suspicious, but not enough to stop the document.
func (r *run) doubtful() bool {
	least := runDoubt
	if r.within() {
		least = runWithin
	}
	return r.chance <= math.Log(least) && !r.lost()
}

// within reports whether the run is neither the head nor the end of the table.
func (r *run) within() bool { return r.from > 0 && r.to < r.of }

func (r *run) reason(table string) string {
	if r.partly == 0 {
		return fmt.Sprintf("%s has no rows for %s, of which %d would have some: a part of the table may be missing", table, r.place(r.to-r.from, "filing"), r.none)
	}
	return fmt.Sprintf("%s has only %d of the %d rows that %s had before: a part of the table may be missing",
		table, r.rows, r.hadRows, r.place(r.none+r.partly, "adviser"))
}

func (r *run) place(n int, of string) string {
	many := fmt.Sprintf("%d %ss", n, of)
	if n == 1 {
		many = of
	}
	switch {
	case r.from == 0:
		return "the first " + many
	case r.to == r.of:
		return "the last " + many
	}
	return many + " in a row"
}

// runs returns the least likely run of each table.
func (g *Filers) runs(before []*Filed) map[string]run {
	counts, sum := make(map[string]tally, len(g.Tables)), tally{}
	for table, rows := range g.Tables {
		var t tally
		for i, f := range before {
			t.add(rows[i], f, table)
		}
		counts[table], sum = t, sum.plus(t, 1)
	}
	order, out := g.order(), make(map[string]run, len(g.Tables))
	for table, rows := range g.Tables {
		all := counts[table]
		if all.had+all.unknown > all.none+all.unknownNone { // a table without rows says nothing of any filing
			out[table] = worstRun(table, rows, before, order, all, sum.plus(all, -1))
		}
	}
	return out
}

// worstRun looks at each run without rows, with the filings beside it that have lost many. all are the filings of the table, usual those
// of the other tables.
func worstRun(table string, rows []int32, before []*Filed, order []int, all, usual tally) (worst run) {
	for from, to := 0, 0; to <= len(order); to++ {
		if to < len(order) && rows[order[to]] == 0 {
			continue
		}
		first, last := from, to
		if from > 0 && lostMany(rows[order[from-1]], before[order[from-1]], table) {
			first--
		}
		if to < len(order) && lostMany(rows[order[to]], before[order[to]], table) {
			last++
		}
		var t tally
		r := run{from: from, to: to, of: len(order)}
		for _, i := range order[first:last] {
			t.add(rows[i], before[i], table)
			r.rows += int64(rows[i])
			if before[i] != nil {
				r.hadRows += int64(before[i].Rows[table])
			}
		}
		r.none, r.partly = t.none+t.unknown, t.many-t.none
		r.chance = t.chance(all, usual)
		if r.within() {
			r.chance += math.Log(float64(all.had + all.unknown)) // it may begin anywhere
		}
		if r.chance < worst.chance {
			worst = r
		}
		from = to + 1
	}
	return worst
}

// lostMany reports whether a filing has lost a fifth or more of its rows.
func lostMany(now int32, before *Filed, table string) bool {
	return before != nil && before.Rows[table] > 0 && int64(now)*manyOf <= int64(before.Rows[table])*manyParts
}

// tally counts filings of advisers that had rows before, how many of them have none and how many have lost many or all; those of
// unknown advisers, and how many of these have none.
type tally struct {
	had, none, many      int
	unknown, unknownNone int
	steps                int // how many of those that have lost many have lost 5 or more, and again 10 or more
}

func (t *tally) add(now int32, before *Filed, table string) {
	switch {
	case before == nil:
		t.unknown++
		if now == 0 {
			t.unknownNone++
		}
	case before.Rows[table] > 0:
		t.had++
		if now == 0 {
			t.none++
		}
		if lostMany(now, before, table) {
			t.many++
			for _, step := range []int32{5, 10} {
				if before.Rows[table]-now >= step {
					t.steps++
				}
			}
		}
	}
}

// plus adds or subtracts filings.
func (t tally) plus(o tally, sign int) tally {
	return tally{
		had: t.had + sign*o.had, none: t.none + sign*o.none, many: t.many + sign*o.many,
		unknown: t.unknown + sign*o.unknown, unknownNone: t.unknownNone + sign*o.unknownNone, steps: t.steps + sign*o.steps,
	}
}

// chance is the logarithm of how likely such a run is by the filings outside of it. Where these are few, the filings of the other tables
// count too. Unknown advisers are left out where few of the others have rows.
func (t tally) chance(all, usual tally) float64 {
	out := all.plus(t, -1)
	share := func(n, of, usually int) float64 {
		prior := float64(usually+1) / float64(usual.had+2)
		return math.Log(max(emptiedMin, (float64(n)+runPrior*prior)/(float64(of)+runPrior)))
	}
	likely := float64(t.none)*share(out.none, out.had, usual.none) + float64(t.many-t.none)*share(out.many, out.had, usual.many)
	if with := out.unknown - out.unknownNone; with >= runRowsMin && float64(with) >= runRowsHalf*float64(out.unknown) {
		likely += float64(t.unknown) * math.Log(max(emptiedMin, float64(out.unknownNone+1)/float64(out.unknown+2)))
	}
	return likely - float64(t.steps)*math.Log(emptiedTen)
}
