package sample_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheSmallCatalogHasTheCountsItPromises(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	funds, ever := 0, map[string]bool{}
	for _, f := range c.last() {
		funds += len(f.funds)
	}
	rows := 0
	for _, f := range c.filings {
		rows += len(f.funds)
		for _, r := range f.funds {
			ever[r["Fund ID"]] = true
		}
	}
	require.Len(t, c.byCRD, 300)
	require.Equal(t, 2000, funds)
	require.Len(t, c.byCRD, c.summary.Advisers)
	require.Equal(t, c.summary.Funds, funds)
	require.Len(t, ever, c.summary.FundsAll)
	require.Len(t, c.filings, c.summary.Filings)
	require.Equal(t, c.summary.FundRows, rows)
}

func TestEveryFilingIsWhole(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	crd, sec := regexp.MustCompile(`^[789]\d{5}$`), regexp.MustCompile(`^80[12]-9\d{5}$`)
	var before time.Time
	previous := int64(0)
	for _, f := range c.filings {
		a := c.archives[f.month]
		id := f.number(t, "FilingID")
		require.Greater(t, id, previous, "numbers rise")
		previous = id
		at := submitted(t, f.record["DateSubmitted"])
		require.GreaterOrEqual(t, at.Format("20060102"), a.from)
		require.LessOrEqual(t, at.Format("20060102"), a.to)
		require.False(t, at.Before(before), "filings come in the order of their submission")
		before = at
		require.NotEmpty(t, strings.TrimSpace(f.record["1A"]))
		require.NotEmpty(t, strings.TrimSpace(f.record["1B1"]))
		require.Regexp(t, crd, f.record["1E1"])
		require.Regexp(t, sec, f.record["1D"])
		require.Equal(t, f.registered, strings.HasPrefix(f.record["1D"], "801-"))
		if f.record["1F1-Private"] == "Y" {
			require.Empty(t, f.record["1F1-City"]+f.record["1F1-State"]+f.record["1F1-Country"])
		} else {
			require.NotEmpty(t, f.record["1F1-City"])
			require.Equal(t, f.record["1F1-Country"] == "United States", f.record["1F1-State"] != "")
		}
		require.Contains(t, f.record["1F3"], "555", "telephone numbers of the block kept for fiction")
		require.NotNil(t, f.types)
		marks := 0
		for _, column := range []string{"Initial Application", "Initial Report", "Annual Updating Amendment", "Other-Than-Annual Amendment"} {
			if f.types[column] == "Y" {
				marks++
			}
		}
		require.Equal(t, 1, marks)
	}
}

func TestFundsAreIdentifiedAndBelongToOneAdviser(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	id, owner := regexp.MustCompile(`^805-[1-9]\d{9}$`), map[string]string{}
	types := map[string]int{}
	for _, f := range c.filings {
		listed, references := map[string]record{}, map[string]bool{}
		require.Equal(t, len(f.funds) > 0, f.record["7B"] == "Y")
		for _, r := range f.funds {
			require.Regexp(t, id, r["Fund ID"])
			require.NotEmpty(t, r["Fund Name"])
			require.NotContains(t, listed, r["Fund ID"])
			require.NotContains(t, references, r["ReferenceID"])
			listed[r["Fund ID"]], references[r["ReferenceID"]] = r, true
			if other, ok := owner[r["Fund ID"]]; ok {
				require.Equal(t, other, f.record["1E1"])
			}
			owner[r["Fund ID"]] = f.record["1E1"]
			types[r["Fund Type"]]++
			require.Equal(t, r["Country"] == "United States", r["State"] != "")
			require.Contains(t, r["3(c)(1) Exclusion"]+r["3(c)(7) Exclusion"], "Y")
		}
		for _, r := range f.funds {
			require.Equal(t, r["Feeder Fund"] == "Y", r["Master Fund ID"] != "")
			if m := r["Master Fund ID"]; m != "" {
				require.Contains(t, listed, m, "a feeder's master stands in the same list")
				require.Equal(t, "Y", listed[m]["Master Fund"])
				require.Equal(t, listed[m]["Fund Name"], r["Master Fund Name"])
			}
		}
	}
	require.Len(t, types, 7, "every fund type of the form occurs: %v", types)
}

// A monthly archive holds the month's filings, not everyone's; a filing's list of funds replaces the one before.
func TestMonthsAreDeltas(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	perMonth := make([]int, len(c.archives))
	for _, f := range c.filings {
		perMonth[f.month]++
	}
	require.Greater(t, perMonth[0], 800, "the years before")
	for month, n := range perMonth[1:] {
		march := month+1 == 3 || month+1 == 15
		require.Equal(t, march, n > 100, "archive %d has %d filings; annual amendments come in March", month+1, n)
	}
	var newcomers, closed, opened, moved, renamed, registered, silent, grown, shrunk, wound int
	for _, all := range c.byCRD {
		if all[0].month > 0 {
			newcomers++
		}
		if submitted(t, all[len(all)-1].record["DateSubmitted"]).Before(time.Date(2025, 10, 31, 0, 0, 0, 0, time.UTC)) {
			silent++
		}
		first := all[0].types
		require.Contains(t, first["Initial Application"]+first["Initial Report"], "Y", "an adviser's first filing is marked so")
		for i, f := range all[1:] {
			was := all[i]
			require.Equal(t, was.record["1E1"], f.record["1E1"])
			before, now := ids(was), ids(f)
			for _, id := range before {
				if !slices.Contains(now, id) {
					closed++
				}
			}
			for _, id := range now {
				if !slices.Contains(before, id) {
					opened++
				}
			}
			if was.record["1F1-City"] != f.record["1F1-City"] {
				moved++
			}
			if was.record["1A"] != f.record["1A"] {
				renamed++
				require.Equal(t, "Y", f.record["1C-Legal"])
			}
			if !was.registered && f.registered {
				registered++
				require.Equal(t, "Y", f.types["Initial Application"])
			}
			require.False(t, was.registered && !f.registered)
			if was.registered && f.registered {
				if f.number(t, "5F2c") > was.number(t, "5F2c") {
					grown++
				} else {
					shrunk++
				}
			}
		}
		for _, r := range all[len(all)-1].funds {
			if strings.Contains(strings.ToUpper(r["Fund Name"]), "IN LIQUIDATION") {
				wound++
			}
		}
	}
	for name, n := range map[string]int{
		"newcomers": newcomers, "closed funds": closed, "new funds": opened, "moves": moved,
		"new names": renamed, "registrations": registered, "gone silent": silent, "shrunk": shrunk, "wound up": wound,
	} {
		require.Positive(t, n, name)
	}
	require.Greater(t, grown, shrunk*3/2, "most grow")
	require.Less(t, silent, 60)
}

func ids(f *filing) []string {
	list := make([]string, len(f.funds))
	for i, r := range f.funds {
		list[i] = r["Fund ID"]
	}
	return list
}

// Annual amendments are due 90 days after the fiscal year's end; few are late.
func TestAnnualAmendmentsComeInTime(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	ends := map[string]time.Month{"DECEMBER": time.December, "MARCH": time.March, "JUNE": time.June, "SEPTEMBER": time.September}
	year := map[string]string{} // fiscal year's end by filing
	for _, a := range c.archives {
		for _, table := range []string{"IA_ADV_Base_B", "ERA_ADV_Base"} {
			for _, r := range a.table(table) {
				year[r["FilingID"]] = r["3B"]
			}
		}
	}
	annual, late := 0, 0
	for _, f := range c.filings {
		if f.types["Annual Updating Amendment"] != "Y" {
			require.Empty(t, f.types["Annual Updating Amendment Fiscal Year"])
			continue
		}
		annual++
		month := ends[year[f.record["FilingID"]]]
		require.NotZero(t, month)
		end := time.Date(int(f.types.number(t, "Annual Updating Amendment Fiscal Year")), month+1, 0, 0, 0, 0, 0, time.UTC)
		days := submitted(t, f.record["DateSubmitted"]).Sub(end).Hours() / 24
		require.Greater(t, days, 0.0)
		require.Less(t, days, 110.0)
		if days > 91 {
			late++
		}
	}
	require.Greater(t, annual, len(c.filings)/2)
	require.Less(t, late, annual/20)
}

func TestAmountsArePlausible(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	var assets []int64
	for _, f := range c.filings {
		own, gav := int64(0), map[string]int64{}
		feeders := map[string]int64{}
		for _, r := range f.funds {
			v := r.number(t, "Gross Asset Value")
			require.GreaterOrEqual(t, v, int64(0))
			require.Less(t, v, int64(60e9), r["Fund Name"])
			owners := r.number(t, "Owners")
			require.Positive(t, owners)
			if r["3(c)(7) Exclusion"] == "N" {
				require.LessOrEqual(t, owners, int64(100), "3(c)(1) allows a hundred owners")
			}
			gav[r["Fund ID"]] = v
			if m := r["Master Fund ID"]; m != "" {
				feeders[m] += v
			} else {
				own += v
			}
		}
		for m, sum := range feeders {
			require.LessOrEqual(t, sum, gav[m]+gav[m]/50, "feeders hold shares of their master")
		}
		if !f.registered {
			require.Empty(t, f.record["5F2c"]+f.record["5A"], "exempt advisers do not file item 5")
			continue
		}
		total := f.number(t, "5F2c")
		require.Equal(t, total, f.number(t, "5F2a")+f.number(t, "5F2b"))
		require.GreaterOrEqual(t, total, own)
		require.Less(t, total, int64(1e12))
		require.Positive(t, f.number(t, "5A"))
		require.Less(t, f.number(t, "5A"), int64(5000))
		assets = append(assets, total)
	}
	slices.Sort(assets)
	median := assets[len(assets)/2]
	require.Greater(t, median, int64(150e6))
	require.Less(t, median, int64(900e6))
	require.Greater(t, assets[len(assets)-1], int64(100e9), "the tail is long")
}

// A few advisers have most of the funds: Zipf's law with a flattened head.
func TestFundCountsFallLikeZipf(t *testing.T) {
	t.Parallel()
	var counts []int
	for _, f := range theSmallOne(t).last() {
		counts = append(counts, len(f.funds))
	}
	slices.Sort(counts)
	slices.Reverse(counts)
	tenth := 0
	for _, n := range counts[:30] {
		tenth += n
	}
	require.Greater(t, tenth, 2000*4/10)
	require.Less(t, tenth, 2000*7/10)
	require.LessOrEqual(t, counts[150], 4)
	require.InDelta(t, counts[0]*6, counts[30]*36, 60, "rank times count is even, but for the head")
	require.Less(t, counts[0], 150)
}

func TestPeopleWillFindSomethingOfEverything(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	var abroad, exempt, otherName, accents, social, mixed, noFunds int
	domains, countries := map[string]int{}, map[string]bool{}
	for _, f := range c.last() {
		country := f.record["1F1-Country"]
		if country != "" && country != "United States" {
			abroad++
		}
		countries[country] = true
		if !f.registered {
			exempt++
		}
		if f.record["1A"] != f.record["1B1"] {
			otherName++
		}
		if strings.ContainsFunc(f.record["1A"], func(r rune) bool { return r > 0x7f }) {
			accents++
		}
		if f.record["1A"] != strings.ToUpper(f.record["1A"]) {
			mixed++
		}
		if len(f.funds) == 0 {
			noFunds++
		}
		first := ""
		for _, kind := range []string{"IA", "ERA"} {
			for _, r := range c.archives[f.month].table(kind + "_Schedule_D_1I") {
				if r["FilingID"] != f.record["FilingID"] {
					continue
				}
				site := strings.ToLower(r["Website"])
				if first == "" && strings.Contains(site, "linkedin") {
					social++
				}
				first = site
			}
		}
		if first != "" {
			require.Contains(t, first, ".example", "the last site is the firm's own")
			domains[strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(first, "/"), "https://"), "http://"), "www.")]++
		}
	}
	shared := 0
	for _, n := range domains {
		if n > 1 {
			shared++
		}
	}
	require.InDelta(t, 45, abroad, 20)
	require.InDelta(t, 115, exempt, 35)
	require.Greater(t, len(countries), 12)
	for name, n := range map[string]int{"other business name": otherName, "accents": accents, "social page": social, "mixed case": mixed, "no funds": noFunds, "shared domain": shared} {
		require.Greater(t, n, 3, name)
	}
}
