package identity_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
)

const joinedSQL = `SELECT full_name || ': ' || coalesce(joined_after::text, '-') || ' ' || joined_before || ' ' || joined_monthly
FROM people.posts WHERE crd = @crd ORDER BY 1`

func joinings(t *testing.T, w *fixture.World, crd string) []string {
	t.Helper()
	list, err := database.Values[string](t.Context(), w.DB, "read joinings", joinedSQL, database.Args{"crd": crd})
	require.NoError(t, err)
	return list
}

// V33: who joined when, case by case.
func TestJoined(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	p := func(name, title, since string) fixture.Person {
		return fixture.Person{Name: name + ", X", Title: title, Since: since}
	}
	w.Load(t,
		fixture.Filed("900101", "2018-03-15", people{p("FIRST", "PARTNER", ""), p("DATED", "PARTNER", "2011-04"), p("PROMOTED", "VICE PRESIDENT", ""), p("BACK", "PARTNER", "2010-01")}),
		fixture.Filed("900101", "2019-03-15", people{p("FIRST", "PARTNER", ""), p("PROMOTED", "PARTNER", "2018-11"), p("DATED", "PARTNER", "2011-04"), p("EARLIER", "", "")}),
		fixture.Filed("900101", "2020-03-15", people{
			p("FIRST", "PARTNER", ""), p("PROMOTED", "PARTNER", "2018-11"), p("DATED", "MANAGING PARTNER", "2019-12"), p("NEW", "PARTNER", ""), p("NEW MONTH", "PARTNER", "2019-08"),
			p("OLD TITLE", "PARTNER", "2012-06"), p("OLD YEAR", "PARTNER", "2018"), p("BACK", "PARTNER", "2010-01"), p("BACK NEW", "PARTNER", "2020-02"), p("SAME MONTH", "", "2020-03"),
		}),
		fixture.Filed("900101", "2021-03-15", people{p("NEW", "PARTNER", "2019-09")}))
	w.LoadNotices(t, fixture.Noticed("0009999999-21-000001", "2021-04-01", "900101", named("Notice", "Only")))
	require.Equal(t, []string{
		"X Back New: 2019-03-15 2020-02-29 true",   // the month is after the filing without the person
		"X Back: 2019-03-15 2020-03-15 false",      // returned; the month is of the stint before
		"X Dated: - 2011-04-30 true",               // the first schedule shows who was there, but a month is stated
		"X Earlier: 2018-03-15 2019-03-15 false",   // and left
		"X First: - 2018-03-15 false",              // nothing is known of joining
		"X New Month: 2019-03-15 2019-08-31 true",  //
		"X New: 2019-03-15 2019-09-30 true",        // a later filing states the month
		"X Old Title: - 2012-06-30 true",           // no filing is older than the title
		"X Old Year: - 2018-12-31 true",            // a year alone: 2018-03-15 is not before it
		"X Promoted: - 2018-03-15 true",            // a promotion is no joining
		"X Same Month: 2019-03-15 2020-03-15 true", // the month ends after the filing
	}, joinings(t, w, "900101")[1:])
	require.Equal(t, "Notice Only: - 2021-04-01 false", joinings(t, w, "900101")[0])
}

// V33: a notice shows that the person was there before the first schedule that names them.
func TestJoinedByANotice(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2018-03-15", people{{Name: "OTHER, X"}}), fixture.Filed("900101", "2019-03-15", people{{Name: "OTHER, X"}}),
		fixture.Filed("900101", "2020-03-15", people{{Name: "OTHER, X"}, {Name: "LARKSPUR, ADA"}}))
	w.LoadNotices(t, fixture.Noticed("0009999999-18-000001", "2018-09-01", "900101", named("Ada", "Larkspur")))
	require.Equal(t, "Ada Larkspur: 2018-03-15 2018-09-01 false", joinings(t, w, "900101")[0])
}

// V33: random presence and months, against an oracle that works on years and texts.
func TestJoinedAgainstAnOracle(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	draw := rand.New(rand.NewPCG(33, 8))
	const years = 8
	filed := func(y int) string { return fmt.Sprintf("%d-03-15", 2012+y) }
	schedules := make([]people, years)
	type filing struct {
		there bool
		since string // a month
	}
	persons := map[string][years]filing{}
	for i := range 120 {
		last := fmt.Sprintf("LARK%c%c", 'A'+i/26, 'A'+i%26)
		var list [years]filing
		for y := range years {
			if draw.IntN(3) == 0 {
				continue
			}
			list[y].there = true
			if draw.IntN(2) == 0 {
				list[y].since = fmt.Sprintf("%d-%02d", 2010+draw.IntN(y+2), 1+draw.IntN(12))
			}
			schedules[y] = append(schedules[y], fixture.Person{Name: last + ", ADA", Title: "PARTNER", Since: list[y].since})
		}
		persons["Ada Lark"+string(rune('a'+i/26))+string(rune('a'+i%26))] = list
	}
	var filings []fixture.Filing
	for y, s := range schedules {
		filings = append(filings, fixture.Filed("900101", filed(y), append(s, fixture.Person{Name: "ALWAYS, X"})))
	}
	w.Load(t, filings...)
	var want []string
	for name, list := range persons {
		last := years - 1
		for last >= 0 && !list[last].there {
			last--
		}
		if last < 0 {
			continue
		}
		first := last
		for first > 0 && list[first-1].there {
			first--
		}
		left := first - 1
		for left >= 0 && !list[left].there {
			left--
		}
		month := ""
		for y := first; y <= last; y++ {
			if since := list[y].since; since != "" && (left < 0 || since+"-01" > filed(left)) && (month == "" || since < month) {
				month = since
			}
		}
		before, after := filed(first), "-"
		limit := before
		if month != "" {
			begun, err := time.Parse("2006-01", month)
			require.NoError(t, err)
			before = min(before, begun.AddDate(0, 1, -1).Format(time.DateOnly))
			limit = min(limit, month+"-01")
		}
		for y := left + 1; y < first; y++ {
			if filed(y) < limit {
				after = filed(y)
			}
		}
		want = append(want, fmt.Sprintf("%s: %s %s %t", name, after, before, month != ""))
	}
	require.Greater(t, len(want), 100)
	require.ElementsMatch(t, append(want, "X Always: - 2012-03-15 false"), joinings(t, w, "900101"))
}
