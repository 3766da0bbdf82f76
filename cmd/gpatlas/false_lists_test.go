package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// The columns of pensions.
const (
	ofLP = iota
	ofState
	ofFund
	ofManager
	ofVintage
	ofCommitted
	ofCalled
	ofPaid
	ofValue
	ofIRR
	ofMultiple
	ofDay
	ofType
	ofCity
)

// pensions is a list of twelve invented LPs. Each has ten to sixteen funds. Some funds are new in 2026.
func pensions(year int) [][]string {
	rows := [][]string{{
		"pension_fund_name", "pension_fund_state", "fund_name", "general_partner", "vintage_year", "commitment_mm", "capital_called_mm",
		"capital_distributed_mm", "remaining_value_mm", "net_irr", "net_multiple", "as_of_date", "entity_type", "city",
	}}
	kinds := []string{"pension", "endowment", "insurance", "corporate"}
	for lp := range 12 {
		for fund := range 10 + lp%7 {
			if fund%8 == 7 && year == 2025 {
				continue
			}
			n := lp*37 + fund*11
			called := float64(20 + n%90*7)
			value, paid := called*(0.4+float64(n%13)/10), called*float64(n%7)/10+float64(year-2025)
			multiple := (value + paid) / called
			vintage := 2008 + n%15
			figure := func(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }
			state, city := []string{"MA", "NY", "TX", ""}[lp%4], fmt.Sprintf("City %d", lp)
			if lp%5 == 0 {
				city = ""
			}
			rows = append(rows, []string{
				fmt.Sprintf("Invented System %02d", lp), state, fmt.Sprintf("Mossgate Growth %d", n), fmt.Sprintf("Mossgate %d", n%31),
				strconv.Itoa(vintage), figure(called * 1.3), figure(called), figure(paid), figure(value), figure(float64(n%19)/50 - 0.1), figure(multiple),
				strconv.Itoa(year) + "-03-31", kinds[lp%4], city,
			})
		}
	}
	return rows
}

func copied(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for i := range rows {
		out[i] = slices.Clone(rows[i])
	}
	return out
}

func exchanged(a, b int) func([][]string) {
	return func(rows [][]string) {
		for _, r := range rows[1:] {
			r[a], r[b] = r[b], r[a]
		}
	}
}

// moved moves a column by one row.
func moved(column int) func([][]string) {
	return func(rows [][]string) {
		last := rows[len(rows)-1][column]
		for _, r := range rows[1:] {
			r[column], last = last, r[column]
		}
	}
}

// underOthers gives each owner's rows the name and state of the next owner.
func underOthers(rows [][]string) {
	next, states := map[string]string{}, map[string]string{}
	for _, r := range rows[1:] {
		states[r[ofLP]] = r[ofState]
	}
	for i := range 12 {
		next[fmt.Sprintf("Invented System %02d", i)] = fmt.Sprintf("Invented System %02d", (i+1)%12)
	}
	for _, r := range rows[1:] {
		r[ofLP] = next[r[ofLP]]
		r[ofState] = states[r[ofLP]]
	}
}

// lists loads lists into a catalog.
type listLoader struct {
	t    *testing.T
	db   *database.DB
	deps dataops.Deps
	dir  string
}

func newListLoader(t *testing.T) *listLoader {
	t.Helper()
	db := dbtest.New(t)
	return &listLoader{t, db, lists(db), t.TempDir()}
}

func (l *listLoader) load(name string, rows [][]string, accept ...string) (dataops.Summary, string, error) {
	l.t.Helper()
	var text, out bytes.Buffer
	require.NoError(l.t, csv.NewWriter(&text).WriteAll(rows))
	path := filepath.Join(l.dir, name)
	require.NoError(l.t, os.WriteFile(path, text.Bytes(), 0o600))
	sum, err := dataops.Ingest(l.t.Context(), l.deps, []string{path}, dataops.IngestOptions{Accept: accept, Out: &out})
	return sum, out.String(), err
}

func (l *listLoader) mustLoad(name string, rows [][]string, accept ...string) dataops.Summary {
	l.t.Helper()
	sum, _, err := l.load(name, rows, accept...)
	require.NoError(l.t, err)
	return sum
}

// shown is what responses show of LPs and their investments, but for the IDs.
func (l *listLoader) shown() []string {
	l.t.Helper()
	list, err := database.Values[string](l.t.Context(), l.db, "read", `
		SELECT concat_ws('|', l.name, l.state, l.entity_type, l.city, l.country, l.investment_count, l.total_committed, l.as_of, i.match_crd, (to_jsonb(f) - 'investment_id')::text)
		FROM people.lps l LEFT JOIN people.lp_investments i ON i.lp_id = l.id LEFT JOIN people.lp_figures f ON f.investment_id = i.id
		WHERE l.investment_count > 0 AND f.investment_id IS NOT NULL ORDER BY 1`, nil)
	require.NoError(l.t, err)
	return list
}

const list2025, list2026 = "pensions_20250331.csv", "pensions_20260331.csv"

// A list whose rows stand under other owners, or whose names were exchanged or moved, is stopped, both before and after the correct list of its day is
// loaded. If it was let pass, the correct list takes back what it brought: all is as if it had never been loaded.
func TestFalseListsAreTakenBack(t *testing.T) {
	t.Parallel()
	before, now := pensions(2025), pensions(2026)
	want := newListLoader(t)
	want.mustLoad(list2025, before)
	require.True(t, want.mustLoad(list2026, now).Changed)
	require.False(t, want.mustLoad(list2026, now).Changed)
	require.False(t, want.mustLoad(list2025, before).Changed)
	all := []string{"values_changed", "rows_lost", "keys_doubled", "rows_unusable"}
	for name, change := range map[string]func([][]string){
		"the lists of other owners":   underOthers,
		"funds and managers":          exchanged(ofFund, ofManager),
		"LPs and funds":               exchanged(ofLP, ofFund),
		"LPs moved by a row":          moved(ofLP),
		"states and cities exchanged": exchanged(ofState, ofCity),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := copied(now)
			change(wrong)
			l := newListLoader(t)
			l.mustLoad(list2025, before)
			only2025 := l.shown()
			_, _, err := l.load(list2026, wrong)
			require.ErrorContains(t, err, "values_changed")
			require.ErrorContains(t, err, "--accept")
			require.Equal(t, only2025, l.shown())

			l.mustLoad(list2026, wrong, all...)
			require.NotEqual(t, want.shown(), l.shown())
			sum, said, err := l.load(list2026, now, all...)
			require.NoError(t, err)
			require.NotEmpty(t, sum.Documents[0].CommitmentsBack)
			require.Contains(t, said, "commitments taken back: ")
			require.Equal(t, want.shown(), l.shown(), "as if the false list had never been loaded")
			require.False(t, l.mustLoad(list2026, now).Changed)

			ids := dump(t, l.db)
			_, _, err = l.load(list2026, wrong)
			require.ErrorContains(t, err, "rows_lost")
			l.mustLoad(list2026, wrong, all...)
			l.mustLoad(list2026, now, all...)
			require.Equal(t, want.shown(), l.shown(), "of a false list over the correct one nothing is left either")
			require.Len(t, dump(t, l.db), len(ids))
		})
	}
}

// A list takes back only what a document of its name and day brought, a few rows at once without a question, and nothing while rows of it cannot be used.
func TestAListTakesItsRowsBack(t *testing.T) {
	t.Parallel()
	l := newListLoader(t)
	now := pensions(2026)
	l.mustLoad(list2025, pensions(2025))
	l.mustLoad(list2026, now)
	other := copied(now[:1])
	for fund := range 4 {
		row := slices.Clone(now[1])
		row[ofFund] = fmt.Sprintf("Birch Estate %d", fund)
		other = append(other, row)
	}
	l.mustLoad("estate_20260331.csv", other)
	clean := l.shown()

	extra := copied(now)
	for _, fund := range []string{"Nowhere I", "Nowhere II"} {
		row := slices.Clone(now[1])
		row[ofFund] = fund
		extra = append(extra, row)
	}
	l.mustLoad(list2026, extra)
	require.Len(t, l.shown(), len(clean)+2)
	damaged := copied(now)
	damaged[5][ofCommitted] = "a lot"
	sum := l.mustLoad(list2026, damaged)
	require.Empty(t, sum.Documents[0].CommitmentsBack)
	require.Len(t, sum.Documents[0].Warnings, 1)
	require.Contains(t, sum.Documents[0].Warnings[0], "3 commitments that were loaded from this document before are missing now, and 1 of its rows cannot be used. Nothing is taken back")
	require.Len(t, l.shown(), len(clean)+2)
	sum, said, err := l.load(list2026, now)
	require.NoError(t, err)
	require.Equal(t, clean, l.shown())
	require.Len(t, sum.Documents[0].CommitmentsBack, 2)
	require.Contains(t, said, list2026+": 2 commitments taken back: Nowhere I of Invented System 00, MA on 2026-03-31, Nowhere II of")

	// A sum in every edition is no row that cannot be used, also of a list of few rows.
	l.mustLoad(list2026, withTotal(extra))
	require.Len(t, l.shown(), len(clean)+2)
	sum = l.mustLoad(list2026, withTotal(now))
	require.Len(t, sum.Documents[0].CommitmentsBack, 2)
	require.EqualValues(t, 1, sum.Documents[0].Quarantined)
	require.Equal(t, clean, l.shown())
	l.mustLoad("estate_20260331.csv", withTotal(other))
	require.Equal(t, clean, l.shown())

	wrongDay := copied(now)
	for _, row := range wrongDay[1:] {
		row[ofDay] = "2026-06-30"
	}
	l.mustLoad(list2026, wrongDay, "rows_lost", "values_changed")
	require.NotEqual(t, clean, l.shown())
	_, _, err = l.load(list2026, now)
	require.ErrorContains(t, err, "it lacks", "the days of a document whose name has a date are its own")
	l.mustLoad(list2026, now, "rows_lost", "values_changed")
	require.Equal(t, clean, l.shown())

	_, _, err = l.load(list2026, now[:len(now)-20])
	require.ErrorContains(t, err, fmt.Sprintf("it lacks 20 of the %d commitments that were loaded from this document before: more than one in 20: Mossgate Growth", len(now)-1))
	var reason []string
	reason, err = database.Values[string](t.Context(), l.db, "read", "SELECT reason FROM dataops.alerts WHERE kind = 'rows_lost' AND resolved_at IS NULL", nil)
	require.NoError(t, err)
	require.Contains(t, reason[0], "of Invented System 11 on 2026-03-31", "the alert names them")
	require.Equal(t, clean, l.shown())

	// A document of the same name with other owners is another list.
	mine, yours := copied(now[:12]), copied(now[:12])
	for i := range mine[1:] {
		mine[i+1][ofLP], yours[i+1][ofLP], yours[i+1][ofFund] = "Elm Trust", "Oak Trust", "Oak "+strconv.Itoa(i)
		mine[i+1][ofFund] = "Elm " + strconv.Itoa(i)
	}
	l.mustLoad("commitments.csv", mine)
	l.mustLoad("commitments.csv", yours)
	require.Len(t, l.shown(), len(clean)+22)
}

// withTotal is a list with a sum of its first LP.
func withTotal(rows [][]string) [][]string {
	row := slices.Clone(rows[1])
	row[ofFund], row[ofCommitted] = "Portfolio Total", ""
	return slices.Insert(copied(rows), 1, row)
}

// Figures that were exchanged or moved by a row are stopped: what was paid since the beginning does not become less, and the multiple is that of the
// other figures.
func TestMovedFiguresStop(t *testing.T) {
	t.Parallel()
	l := newListLoader(t)
	now := pensions(2026)
	l.mustLoad(list2025, pensions(2025))
	for name, change := range map[string]func([][]string){
		"contributed moved": moved(ofCalled), "distributed moved": moved(ofPaid), "nav moved": moved(ofValue), "irr moved": moved(ofIRR), "multiple moved": moved(ofMultiple),
		"contributed and distributed": exchanged(ofCalled, ofPaid), "distributed and nav": exchanged(ofPaid, ofValue), "irr and multiple": exchanged(ofIRR, ofMultiple),
		"commitment and contributed": exchanged(ofCommitted, ofCalled), "managers moved": moved(ofManager), "vintages moved": moved(ofVintage),
	} {
		wrong := copied(now)
		change(wrong)
		_, _, err := l.load(list2026, wrong)
		require.ErrorContains(t, err, "values_changed", name)
	}
	l.mustLoad(list2026, now)
}

// A list that has funds of an LP under other names is stopped, and the alert names them. Other legal forms are no other names. The honest next edition
// under an undated name, in which LPs report on different days, loads.
func TestFundsUnderOtherNamesStop(t *testing.T) {
	t.Parallel()
	l := newListLoader(t)
	before, now := pensions(2025), pensions(2026)
	days := []string{"2024-12-31", "2025-03-31", "2025-06-30", "2025-09-30"}
	for _, rows := range [][][]string{before, now} {
		for _, r := range rows[1:] {
			lp, err := strconv.Atoi(r[ofLP][len(r[ofLP])-2:])
			require.NoError(t, err)
			r[ofDay] = days[lp%3+map[bool]int{true: 1}[r[ofDay] == "2026-03-31"]]
		}
	}
	l.mustLoad("commitments.csv", before)
	clean := l.shown()
	wrong := copied(now)
	for _, r := range wrong[1:10] {
		r[ofFund] = strings.Replace(r[ofFund], "Mossgate", "Birch", 1)
	}
	_, _, err := l.load("commitments.csv", wrong)
	require.ErrorContains(t, err, "values_changed")
	require.ErrorContains(t, err, "Birch Growth 0 (Mossgate Growth 0 before) of Invented System 00, MA")
	require.Equal(t, clean, l.shown())

	forms := copied(now)
	for _, r := range forms[1:] {
		r[ofFund] = strings.ToUpper(r[ofFund]) + ", L.P."
	}
	sum := l.mustLoad("commitments.csv", forms)
	require.Empty(t, sum.Documents[0].CommitmentsBack)
	require.Len(t, l.shown(), len(now)-1)
	require.False(t, l.mustLoad("commitments.csv", forms).Changed)
}
