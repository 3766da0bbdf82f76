package sample_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// seat is one person's time at one adviser.
type seat struct{ from, to string }

func TestPeopleComeGoAndSitAtSeveralFirms(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	individual := regexp.MustCompile(`^[\p{Lu}]+, [\p{Lu}]+(, [\p{Lu}]+)?$`)
	seats := map[string]map[string]seat{} // by OwnerID, then CRD
	names := map[string]string{}
	joined, left, blank, people, indirect := 0, 0, 0, 0, 0
	for crd, all := range c.byCRD {
		var before []string
		for i, f := range all {
			var now []string
			for _, r := range f.children["Schedule_A_B"] {
				require.Contains(t, []string{"I", "DE", "FE"}, r["DE/FE/I"])
				require.Equal(t, r["Schedule"] == "B", r["Entity in Which"] != "")
				require.Contains(t, []string{"NA", "A", "B", "C", "D", "E", "F"}, r["Ownership Code"])
				if r["Schedule"] == "B" {
					indirect++
				}
				if r["DE/FE/I"] != "I" {
					continue
				}
				require.Regexp(t, individual, r["Full Legal Name"])
				now = append(now, r["Full Legal Name"])
				people++
				id := r["OwnerID"]
				if !regexp.MustCompile(`^9\d{6}$`).MatchString(id) {
					blank++
					require.True(t, id == "" || f.month == 0, "junk is in old files only: %s", id)
					continue
				}
				if seats[id] == nil {
					seats[id], names[id] = map[string]seat{}, r["Full Legal Name"]
				}
				require.Equal(t, names[id], r["Full Legal Name"], "a number is one person's")
				s, ok := seats[id][crd]
				if !ok {
					s.from = f.day(t)
				}
				s.to = f.day(t)
				seats[id][crd] = s
			}
			require.NotEmpty(t, now)
			if i > 0 {
				joined += missing(now, before)
				left += missing(before, now)
			}
			before = now
		}
	}
	require.Positive(t, indirect)
	require.Greater(t, joined, 50)
	require.Greater(t, left, 50)
	require.InDelta(t, 25, blank*100/people, 8, "per cent of the people have no number")
	several, alumni := 0, 0
	for _, firms := range seats {
		if len(firms) < 2 {
			continue
		}
		several++
		list := make([]seat, 0, len(firms))
		for _, s := range firms {
			list = append(list, s)
		}
		slices.SortFunc(list, func(a, b seat) int { return strings.Compare(a.from, b.from) })
		for i := range list[1:] {
			if list[i].to < list[i+1].from {
				alumni++
			}
		}
	}
	require.Greater(t, several, 10, "people at several firms")
	require.Positive(t, alumni, "people who left one firm and came to another")
}

func missing(list, from []string) int {
	n := 0
	for _, s := range list {
		if !slices.Contains(from, s) {
			n++
		}
	}
	return n
}

// An organization's advisers name each other, with the numbers they file under.
func TestSistersAreNamedWithTheirNumbers(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	known, sisters := map[string]bool{}, 0
	for crd, all := range c.byCRD {
		known[crd] = true
		known[all[len(all)-1].record["1D"]] = true
	}
	for _, f := range c.last() {
		for _, r := range f.children["Schedule_D_7A"] {
			if r["5b"] != "Y" {
				continue
			}
			sisters++
			require.True(t, known[r["CRD Number"]], "%s is an adviser of the catalog", r["Legal Name"])
			require.NotEqual(t, f.record["1E1"], r["CRD Number"])
			require.Equal(t, "Y", r["Common Control"])
			require.True(t, strings.HasPrefix(r["SEC Number or Other"], "80"))
		}
	}
	require.Greater(t, sisters, 20)
	reported := map[string]bool{}
	for _, f := range c.filings {
		for _, r := range f.funds {
			reported[r["Fund ID"]] = true
		}
	}
	elsewhere := 0
	for _, f := range c.filings {
		for _, r := range f.children["Schedule_D_7B2"] {
			elsewhere++
			require.True(t, reported[r["Fund ID"]], "another adviser reports it")
		}
	}
	require.Positive(t, elsewhere)
}

// People rise: titles change over the filings, the month of a title is never before that of the title before it, and few are
// named before they are principals or directors, as in real schedules.
func TestPeopleRise(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	type naming struct{ title, acquired, filed string }
	named := map[string][]naming{} // by CRD and name
	people, junior := 0, 0
	for crd, all := range c.byCRD {
		for _, f := range all {
			for _, r := range f.children["Schedule_A_B"] {
				if r["DE/FE/I"] != "I" || r["Schedule"] != "A" {
					continue
				}
				people++
				if r["Title or Status"] == "ASSOCIATE" {
					junior++
				}
				who := crd + " " + r["Full Legal Name"]
				named[who] = append(named[who], naming{r["Title or Status"], r["Status Acquired"], f.day(t)})
			}
		}
	}
	rose, ranks := 0, map[string]int{"VICE PRESIDENT": 1, "PRINCIPAL": 2, "PARTNER": 3, "MANAGING PARTNER": 4}
	for who, list := range named {
		for i := range list[1:] {
			before, now := list[i], list[i+1]
			if before.filed == now.filed {
				break // has several titles side by side
			}
			if before.title == now.title {
				require.Equal(t, before.acquired[len(before.acquired)-2:], now.acquired[len(now.acquired)-2:], who)
				continue
			}
			rose++
			if ranks[before.title] > 0 && ranks[now.title] > 0 {
				require.Equal(t, ranks[before.title]+1, ranks[now.title], "%s: one step at a time", who)
			}
			acquired, err := time.Parse("01/2006", now.acquired)
			if err != nil {
				acquired, err = time.Parse("Jan-06", now.acquired)
			}
			require.NoError(t, err)
			filed, err := time.Parse(time.DateOnly, now.filed)
			require.NoError(t, err)
			require.False(t, acquired.After(filed), who)
			require.GreaterOrEqual(t, acquired.Format("2006-01"), before.filed[:7], "%s: after the filing with the title before", who)
		}
	}
	require.Greater(t, rose, 100)
	require.Less(t, junior*100, people*2, "associates are almost never in a Schedule A")
}
