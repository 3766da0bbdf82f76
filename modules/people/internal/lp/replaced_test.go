package lp_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/itertest"
)

// shownLists is what lists state, without IDs.
func (b *bench) shownLists(t *testing.T) []string {
	t.Helper()
	rows, err := database.Values[string](t.Context(), b.db, "read what is shown", `SELECT concat_ws('|', l.name, l.state, l.entity_type, l.city, l.as_of, l.total_committed,
	i.fund_key, f.committed, f.as_of, f.nav, c.as_of, c.committed, coalesce(c.contributed, -9), coalesce(c.nav, -9))
FROM people.lps l JOIN people.lp_investments i ON i.lp_id = l.id JOIN people.lp_figures f ON f.investment_id = i.id JOIN people.lp_commitments c ON c.investment_id = i.id
ORDER BY 1`, nil)
	require.NoError(t, err)
	return rows
}

func (b *bench) named(t *testing.T, run int64, before []int64, rows ...*peopleapi.Commitment) peopleapi.ListResult {
	t.Helper()
	r, err := b.service.Load(t.Context(), peopleapi.List{RunID: run, Before: before, Rows: itertest.Rows(rows...)})
	require.NoError(t, err)
	return r
}

// differs loads a list, and returns the fields in which it differs from the lists before.
func (b *bench) differs(t *testing.T, rows ...*peopleapi.Commitment) (fields []string) {
	t.Helper()
	b.loaded++
	_, err := b.service.Load(t.Context(), peopleapi.List{RunID: int64(b.loaded), Rows: itertest.Rows(rows...), Accept: func(_ context.Context, read peopleapi.ListRead) error {
		for _, f := range read.Changed {
			fields = append(fields, f.Field)
		}
		return nil
	}})
	require.NoError(t, err)
	return fields
}

const midyear = "2025-06-30"

// Guarantee: if a list under the name of a false one lacks what the false one replaced of another document, the other document's figures and what it
// states of the LP are shown again. The result says so. Loading any of them again changes nothing.
func TestReplacedFiguresComeBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, other, wrong := full(midyear), commitment("Mossgate Pension", "OR", "Quill I", midyear, 7), commitment("Larkspur Teachers", "MA", "Quill I", midyear, 900)
	wrong.City, wrong.EntityType = "Salem", "corporate"
	require.Equal(t, peopleapi.ListResult{New: 1}, b.named(t, 1, nil, ours))
	before := b.shownLists(t)
	require.Equal(t, peopleapi.ListResult{New: 1, Changed: 1, Replaced: []int64{1}}, b.named(t, 2, nil, other, wrong))
	require.NotContains(t, b.shownLists(t), before[0])
	require.Equal(t, peopleapi.ListResult{Unchanged: 2}, b.named(t, 3, []int64{2}, other, wrong), "the false one again replaces nothing")

	r := b.named(t, 4, []int64{2, 3}, other)
	require.Equal(t, []peopleapi.TakenBack{{LP: "Larkspur Teachers", State: "MA", Fund: "Quill I", AsOf: midyear, Restored: true}}, r.TakenBack)
	require.Empty(t, r.Replaced)
	after := b.shownLists(t)
	require.Contains(t, after, before[0])
	require.Equal(t, peopleapi.ListResult{Unchanged: 1}, b.named(t, 5, []int64{1}, ours))
	require.Equal(t, peopleapi.ListResult{Unchanged: 1}, b.named(t, 6, []int64{2, 3, 4}, other))
	require.Equal(t, after, b.shownLists(t))
}

// Guarantee: lists of two owners under one name take nothing from each other, however often they are loaded and whatever their sizes are.
func TestOwnersOfOneName(t *testing.T) {
	t.Parallel()
	for _, size := range []int{2, 12, 60} {
		b := setup(t)
		small := []*peopleapi.Commitment{commitment("Larkspur Teachers", "MA", "Quill I", midyear, 1), commitment("Larkspur Teachers", "MA", "Quill II", midyear, 2)}
		var large []*peopleapi.Commitment
		for i := range size {
			large = append(large, commitment("Mossgate Pension", "OR", "Fund "+strconv.Itoa(i), midyear, int64(i+1)))
		}
		var before []int64
		var shown []string
		for run := int64(1); run <= 8; run++ {
			rows := small
			if run%2 == 0 {
				rows = large
			}
			require.Empty(t, b.named(t, run, before, rows...).TakenBack, "run %d", run)
			before = append(before, run)
			if run == 2 {
				shown = b.shownLists(t)
			}
		}
		require.Equal(t, shown, b.shownLists(t))
	}
}

// Guarantee: an LP most of whose commitments differ from those of the day before is noticed, however many other LPs the list has.
func TestCommitmentsShiftedForOneLP(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var list func(on string, shift int) []*peopleapi.Commitment
	list = func(on string, shift int) (rows []*peopleapi.Commitment) {
		if on == "2026-03-31" {
			rows = list("2025-12-31", 3) // the days before are repeated
		}
		for i := range 20 {
			rows = append(rows, commitment("Larkspur Teachers", "MA", "Fund "+strconv.Itoa(i), on, int64(50+7*((i+shift)%20))))
		}
		for i := range 100 {
			rows = append(rows, commitment("Mossgate Pension", "OR", "Fund "+strconv.Itoa(i), on, 100))
		}
		return rows
	}
	const other = "lps, with other commitments than before"
	for _, c := range []struct {
		on    string
		shift int
		want  bool
	}{{midyear, 0, false}, {midyear, 1, true}, {"2025-09-30", 1, false}, {"2025-12-31", 3, true}, {"2026-03-31", 4, true}} {
		fields := b.differs(t, list(c.on, c.shift)...)
		require.Equal(t, c.want, slices.Contains(fields, other), "%s: %v", c.on, fields)
	}
}

// Guarantee: an LP half of whose commitments become empty is noticed, in the list of the same day and of the next one. committed_known shows that a
// sum is partial.
func TestCommitmentsEmptyForOneLP(t *testing.T) {
	t.Parallel()
	for _, on := range []string{midyear, "2025-12-31"} {
		for _, c := range []struct {
			empty int
			want  bool
		}{{5, false}, {6, true}, {12, true}} {
			b := setup(t)
			list := func(on string, empty int) (rows []*peopleapi.Commitment) {
				for i := range 12 {
					rows = append(rows, commitment("Larkspur Teachers", "MA", "Fund "+strconv.Itoa(i), on, 10), commitment("Mossgate Pension", "OR", "Fund "+strconv.Itoa(i), on, 10))
					if i < empty {
						rows[2*i].Committed = nil
					}
				}
				return rows
			}
			b.load(t, list(midyear, 0)...)
			require.Equal(t, c.want, slices.Contains(b.differs(t, list(on, c.empty)...), "lps, with other commitments than before"), "%s: %d empty", on, c.empty)
			total := "null"
			if c.empty < 12 {
				total = strconv.Itoa((12 - c.empty) * 10_000_000)
			}
			b.requireFields(t, "/v1/lps/1", `{"investment_count":12,"committed_known":`+strconv.Itoa(12-c.empty)+`,"total_committed":`+total+`}`)
			b.requireFields(t, "/v1/lps/2", `{"investment_count":12,"committed_known":12,"total_committed":120000000}`)
		}
	}
}

// Guarantee: a contribution or distribution of zero differs from an amount before by more than 100 times. The other way round it has begun.
func TestPaidBecomesZero(t *testing.T) {
	t.Parallel()
	b := setup(t)
	row := func(on string, paid int64) *peopleapi.Commitment {
		c := commitment("Larkspur Teachers", "MA", "Quill I", on, 10)
		c.Contributed, c.Distributed = &paid, &paid
		return c
	}
	require.Empty(t, b.differs(t, row("2025-03-31", 0)))
	require.Empty(t, b.differs(t, row(midyear, 5)))
	require.Subset(t, b.differs(t, row("2025-12-31", 0)), []string{"commitments.contributed, 100 times", "commitments.distributed, 100 times"})
}

// Guarantee: an LP that a list lacks is named, with the LP that has most of its commitments there, under another name or state. It is not named if
// the other one had them before.
func TestRenamedLPs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		investor, state string
		moved           int
		want            []peopleapi.Renamed
	}{
		"name":            {"Larkspur System", "MA", 8, []peopleapi.Renamed{{LP: "Larkspur Teachers", State: "MA", Now: "Larkspur System", NowState: "MA", Had: 8, Moved: 8}}},
		"state":           {"Larkspur Teachers", "", 5, []peopleapi.Renamed{{LP: "Larkspur Teachers", State: "MA", Now: "Larkspur Teachers", Had: 8, Moved: 5}}},
		"few":             {"Larkspur System", "MA", 4, nil},
		"listed":          {"LARKSPUR Teachers", "MA", 8, nil},
		"had them before": {"Ashkettle Endowment", "TX", 8, nil},
	} {
		b := setup(t)
		list := func(investor, state, on string, same int) (rows []*peopleapi.Commitment) {
			for i := range 8 {
				millions := int64(10 + i)
				if i >= same {
					millions += 100
				}
				rows = append(rows, commitment(investor, state, "Fund "+strconv.Itoa(i), on, millions))
			}
			return rows
		}
		b.load(t, list("Larkspur Teachers", "MA", midyear, 8)...)
		b.load(t, list("Ashkettle Endowment", "TX", midyear, 8)...)
		b.load(t, list("Mossgate Pension", "OR", midyear, 0)...)
		var got []peopleapi.Renamed
		rows := append(list(c.investor, c.state, "2025-12-31", c.moved), list("Mossgate Pension", "OR", "2025-12-31", 0)...)
		if name != "had them before" {
			rows = append(rows, list("Ashkettle Endowment", "TX", "2025-12-31", 8)...)
		}
		_, err := b.service.Load(t.Context(), peopleapi.List{RunID: 4, Rows: itertest.Rows(rows...), Accept: func(_ context.Context, read peopleapi.ListRead) error {
			got = read.Renamed
			return nil
		}})
		require.NoError(t, err)
		require.ElementsMatch(t, c.want, got, name)
	}
}

// Guarantee: whatever a false list had replaced and added, the responses after the correct one of its name are as if the false one had never been
// loaded. Two other documents state some of the same commitments, before it or after, and are loaded again. Each has columns of its own.
func TestRepairedListsLeaveNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		list := func(city string, always int64) (l peopleapi.List) {
			has := func(field string) bool {
				if random.IntN(3) > 0 {
					return true
				}
				l.Lacks = append(l.Lacks, field)
				return false
			}
			nav, called := has(peopleapi.FieldNAV), has(peopleapi.FieldContributed)
			var rows []*peopleapi.Commitment
			add := func(investor, fund string, millions int64) {
				c := commitment(investor, "MA", fund, midyear, millions)
				if c.City = city; random.IntN(3) == 0 {
					c.City = ""
				}
				if c.NAV = nil; nav && random.IntN(4) > 0 {
					c.NAV = new(random.Int64N(3))
				}
				if called {
					c.Contributed = new(random.Int64N(3))
				}
				rows = append(rows, c)
			}
			for _, investor := range []string{"Larkspur Teachers", "Mossgate Pension"} {
				for _, fund := range []string{"Quill I", "Quill II"} {
					if random.IntN(2) == 0 {
						add(investor, fund, random.Int64N(4))
					}
				}
			}
			if always > 0 { // lists of one owner share names
				add("Ashkettle Endowment", "Quill VIII", always)
				add("Birchway Endowment", "Quill IX", always)
				add("Cindervale Endowment", "Quill VII", always)
			}
			l.Rows = itertest.Rows(rows...)
			return l
		}
		first, second, wrong, correct := list("Boston", 0), list("Salem", 0), list("Wrongtown", 1), list("Lynn", 2)
		shown := map[bool][]string{}
		for _, falseToo := range []bool{false, true} {
			_, err := database.Run(t.Context(), b.db, "start again", "TRUNCATE people.lps CASCADE", nil)
			require.NoError(t, err)
			load := func(run int64, l peopleapi.List, before ...int64) {
				l.RunID, l.Before = run, before
				_, err := b.service.Load(t.Context(), l)
				require.NoError(t, err)
			}
			for at := range 4 {
				if falseToo && at == int(seed%4) {
					load(50+int64(at), wrong)
				}
				switch at {
				case 0:
					load(1, first)
				case 1:
					load(60, second)
				case 2:
					load(70, first, 1)
				}
			}
			load(400, correct, 50, 51, 52, 53)
			shown[falseToo] = b.shownLists(t)
		}
		require.Equal(t, shown[false], shown[true], "seed %d", seed)
	}
}

// Guarantee: the next edition under an undated name takes nothing back of LPs that report a later day, although other LPs report their old day now, nor
// of LPs that left. What the list has of an LP and day is corrected, and so is what stood under another name or on another day of the same list.
func TestListsByLPAndDay(t *testing.T) {
	t.Parallel()
	const early, last = "2025-03-31", "2025-12-31"
	list := func(days ...string) (rows []*peopleapi.Commitment) { // "LP on day"
		for _, d := range days {
			investor, on, _ := strings.Cut(d, " on ")
			for i := range 8 {
				rows = append(rows, commitment(investor, "MA", "Fund "+strconv.Itoa(i), on, 10))
			}
		}
		return rows
	}
	for name, c := range map[string]struct {
		first, second []*peopleapi.Commitment
		back          int
	}{
		"the next edition":               {list("Ash on "+midyear, "Birch on "+early, "Cinder on "+early), list("Ash on "+last, "Birch on "+midyear, "Cinder on "+early), 0},
		"an LP has left":                 {list("Ash on "+midyear, "Birch on "+early)[:12], append(list("Birch on " + midyear)[:2], commitment("Birch", "MA", "Fund 9", midyear, 10)), 0},
		"a fund of the day":              {list("Ash on "+midyear, "Birch on "+early), list("Ash on "+midyear, "Birch on "+early)[1:], 1},
		"another LP's name":              {list("Wrong on "+midyear, "Birch on "+midyear), list("Ash on "+midyear, "Birch on "+midyear), 8},
		"the only LP's name":             {list("Wrong on " + midyear), list("Ash on " + midyear), 8},
		"rows under another LP":          {list("Birch on "+last, "Birch on "+midyear), list("Birch on "+last, "Ash on "+midyear), 8},
		"an earlier day of another LP":   {list("Ash on "+midyear, "Birch on "+midyear), list("Ash on "+midyear, "Birch on "+early), 8},
		"its day stays, the others move": {list("Ash on "+midyear, "Birch on "+midyear), list("Ash on "+midyear, "Birch on "+last), 0},
	} {
		b := setup(t)
		b.named(t, 1, nil, c.first...)
		r := b.named(t, 2, []int64{1}, c.second...)
		require.Len(t, r.TakenBack, c.back, name)
		shown := b.shownLists(t)
		again := b.named(t, 3, []int64{1, 2}, c.second...)
		require.Equal(t, peopleapi.ListResult{Unchanged: int64(len(c.second))}, again, name)
		require.Equal(t, shown, b.shownLists(t), name)
	}
}
