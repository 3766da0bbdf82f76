package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops"
	"gpatlas/modules/people"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/realdata"
)

// lists is what lists of commitments are loaded with.
func lists(db *database.DB) dataops.Deps {
	clk, log := clock.Fixed(time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)), slog.New(slog.DiscardHandler)
	return dataops.Deps{
		DB: db, Loader: catalogtest.NewLoader(db, clk), People: people.NewResolver(db, clk, log), Lists: people.NewLists(db, clk, log), Clock: clk, Log: log,
	}
}

// investment is what the raw rows of a list say of an investment at its latest date, by plain arithmetic.
type investment struct {
	asOf                                     string
	committed, contributed, distributed, nav *int64
	irr, multiple                            string
}

// rawList reads a list of the normalized form with nothing but encoding/csv and fractions.
func rawList(t *testing.T, path string) (rows [][]string, latest map[[2]string]investment) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	rows, err = csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	dollars := func(text string) *int64 {
		if text == "" {
			return nil
		}
		r, ok := new(big.Rat).SetString(text)
		require.True(t, ok, text)
		n, err := strconv.ParseInt(r.Mul(r, big.NewRat(1_000_000, 1)).FloatString(0), 10, 64)
		require.NoError(t, err)
		return &n
	}
	latest = map[[2]string]investment{}
	for _, row := range rows[1:] {
		key := [2]string{row[at["pension_fund_name"]], withoutForm(row[at["fund_name"]])}
		if asOf := row[at["as_of_date"]]; asOf > latest[key].asOf {
			latest[key] = investment{
				asOf: asOf, committed: dollars(row[at["commitment_mm"]]), contributed: dollars(row[at["capital_called_mm"]]),
				distributed: dollars(row[at["capital_distributed_mm"]]), nav: dollars(row[at["remaining_value_mm"]]),
				irr: row[at["net_irr"]], multiple: row[at["net_multiple"]],
			}
		}
	}
	return rows, latest
}

// withoutForm leaves out the legal form as the real list writes it: five funds have it on one day and not on the other.
func withoutForm(fund string) string { return strings.TrimSuffix(fund, ", LP*") }

// lpPage and investmentPage are answers of the operations on LPs.
type lpPage struct {
	Data []struct {
		ID              int64
		Name            string
		EntityType      string `json:"entity_type"`
		State, Country  string
		InvestmentCount int    `json:"investment_count"`
		TotalCommitted  int64  `json:"total_committed"`
		AsOf            string `json:"as_of"`
	}
	Meta struct{ Total int }
}

type investmentPage struct {
	Data []struct {
		FundName                                 string `json:"fund_name"`
		GPCRD                                    *string
		VintageYear                              *int `json:"vintage_year"`
		Committed, Contributed, Distributed, NAV *int64
		NetIRRPercent                            *float64 `json:"net_irr_percent"`
		Multiple                                 *float64
		AsOf                                     string `json:"as_of"`
	}
	Meta struct{ Total int }
}

// TestRealListOfCommitments loads the real list: all five LPs and 2,147 investments, each with the figures of its latest date as
// plain arithmetic over the raw rows gives them, over HTTP. Loading it again, and its rows in another order, changes nothing.
func TestRealListOfCommitments(t *testing.T) {
	t.Parallel()
	path := realdata.File(t, "lp/commitments.csv")
	rows, latest := rawList(t, path)
	require.Len(t, rows, 2_490, "with the header")
	require.Len(t, latest, 2_147)
	db := dbtest.New(t)
	deps := lists(db)
	load := func(path string) dataops.Summary {
		sum, err := dataops.Ingest(t.Context(), deps, []string{path}, dataops.IngestOptions{})
		require.NoError(t, err)
		require.Zero(t, sum.Quarantined)
		require.Equal(t, int64(2_489), sum.Read)
		require.Equal(t, "lp_list", sum.Documents[0].Source)
		return sum
	}
	sum := load(path)
	require.True(t, sum.Changed)
	require.Equal(t, int64(2_489), sum.Commitments.New)
	before := dump(t, db)
	sum = load(path)
	require.False(t, sum.Changed)
	require.Equal(t, int64(2_489), sum.Commitments.Unchanged)
	rand.New(rand.NewPCG(4, 2)).Shuffle(len(rows)-1, func(i, j int) { rows[i+1], rows[j+1] = rows[j+1], rows[i+1] })
	shuffled := filepath.Join(t.TempDir(), "shuffled.csv")
	file, err := os.Create(shuffled)
	require.NoError(t, err)
	require.NoError(t, csv.NewWriter(file).WriteAll(rows))
	require.NoError(t, file.Close())
	require.False(t, load(shuffled).Changed)
	require.Equal(t, before, dump(t, db), "IDs and figures stay")

	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	anybody := caller{t: t, base: h.base}
	get := func(path string, into any) {
		t.Helper()
		got := anybody.call("GET", path, "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.NoError(t, json.Unmarshal([]byte(got.body), into))
	}
	var lps lpPage
	get("/v1/lps?per_page=100", &lps)
	require.Equal(t, 5, lps.Meta.Total)
	seen := 0
	for _, lp := range lps.Data {
		require.Equal(t, "pension", lp.EntityType)
		require.Equal(t, "United States", lp.Country)
		var committed int64
		count, asOf := 0, ""
		for key, want := range latest {
			if key[0] == lp.Name {
				count, committed, asOf = count+1, committed+*want.committed, max(asOf, want.asOf)
			}
		}
		require.Equal(t, count, lp.InvestmentCount)
		require.Equal(t, committed, lp.TotalCommitted)
		require.Equal(t, asOf, lp.AsOf)
		for page := 1; (page-1)*100 < count; page++ {
			var list investmentPage
			get(fmt.Sprintf("/v1/lps/%d/investments?per_page=100&page=%d", lp.ID, page), &list)
			require.Equal(t, count, list.Meta.Total)
			for _, got := range list.Data {
				want, ok := latest[[2]string{lp.Name, withoutForm(got.FundName)}]
				require.True(t, ok)
				require.Equal(t, want.asOf, got.AsOf)
				require.Equal(t, want.committed, got.Committed)
				require.Equal(t, want.contributed, got.Contributed)
				require.Equal(t, want.distributed, got.Distributed)
				require.Equal(t, want.nav, got.NAV)
				require.Equal(t, want.irr == "", got.NetIRRPercent == nil)
				require.Equal(t, want.multiple == "", got.Multiple == nil)
				if got.NetIRRPercent != nil {
					fraction, err := strconv.ParseFloat(want.irr, 64)
					require.NoError(t, err)
					require.InDelta(t, fraction*100, *got.NetIRRPercent, 1e-9)
				}
				if got.Multiple != nil {
					written, err := strconv.ParseFloat(want.multiple, 64)
					require.NoError(t, err)
					require.Equal(t, strconv.FormatFloat(written, 'f', -1, 64), strconv.FormatFloat(*got.Multiple, 'f', -1, 64), "as it was written")
				}
				seen++
			}
		}
	}
	require.Equal(t, len(latest), seen)
}

// TestNextEditionOfTheRealList: the next edition of the real list loads under the same undated name, without a question. One LP has left, another one has
// sold half of its funds, each of the others reports another day, and a tenth of the funds is new.
func TestNextEditionOfTheRealList(t *testing.T) {
	t.Parallel()
	l := newListLoader(t)
	rows, _ := rawList(t, realdata.File(t, "lp/commitments.csv"))
	at, count := map[string]int{}, map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	for _, r := range rows[1:] {
		count[r[0]]++
	}
	lps := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return count[a] - count[b] })
	gone, half := lps[0], lps[2]
	next := map[string]string{"2024-03-31": "2024-06-30", "2025-03-31": "2025-06-30", "2025-06-30": "2025-09-30", "2025-09-30": "2025-12-31"}
	edition := [][]string{rows[0]}
	for i, r := range rows[1:] {
		if r[0] == gone || r[0] == half && i%2 == 0 {
			continue
		}
		now := slices.Clone(r)
		now[at["as_of_date"]] = next[r[at["as_of_date"]]]
		edition = append(edition, now)
		if i%10 == 1 {
			added := slices.Clone(now)
			added[at["fund_name"]], added[at["general_partner"]], added[at["vintage_year"]] = fmt.Sprintf("Mossgate Growth %d", i), "Mossgate", "2025"
			edition = append(edition, added)
		}
	}
	l.mustLoad("commitments.csv", rows)
	sum := l.mustLoad("commitments.csv", edition)
	require.Empty(t, sum.Documents[0].CommitmentsBack)
	require.False(t, l.mustLoad("commitments.csv", edition).Changed)
}

// dump is everything that is kept of LPs, IDs included.
func dump(t *testing.T, db *database.DB) (all []string) {
	t.Helper()
	for _, table := range []string{"lps", "lp_investments", "lp_commitments", "lp_figures"} {
		lines, err := database.Values[string](t.Context(), db, "dump", "SELECT (x.*)::text FROM people."+table+" x ORDER BY 1", nil)
		require.NoError(t, err)
		all = append(all, lines...)
	}
	return all
}

// TestRealManagersOfCommitments matches the real list against the real rosters. They name advisers and 28 funds only, so all
// matches are by the names of managers. The figures were checked by eye: each of the 13 managers is the right one, while of the
// 660 with a name alone many would not be.
func TestRealManagersOfCommitments(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	var paths []string
	for _, name := range []string{
		"sec-roster/ia070124-exempt.xlsx", "sec-roster/sec_advisers.csv", "adv-private-funds/funds_2024-07-10_with_crd.csv", "lp/commitments.csv",
	} {
		paths = append(paths, realdata.File(t, name))
	}
	_, err := dataops.Ingest(t.Context(), lists(db), paths, dataops.IngestOptions{})
	require.NoError(t, err)
	counts, err := database.Values[string](t.Context(), db, "count matches", `
		SELECT coalesce(match_method || ' ' || match_confidence, 'none') || ': ' || count(*) || ' of ' || count(DISTINCT match_crd)
		FROM people.lp_investments GROUP BY match_method, match_confidence ORDER BY 1`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"manager_name 0.85: 75 of 13", "none: 2072 of 0"}, counts)
}

// TestListsThroughTheGate: lists of commitments are runs like other documents. Bad rows go to the quarantine, a column that is lost
// stops the list with an alert until the operator accepts it, and a command may mix them with other documents.
func TestListsThroughTheGate(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	deps, dir := lists(db), t.TempDir()
	write := func(name, header string, rows int, more ...string) string {
		var text strings.Builder
		text.WriteString(header + "\n")
		for i := range rows {
			fmt.Fprintf(&text, "Larkspur Teachers,MA,Mossgate Growth %d,100,5\n", i)
		}
		for _, line := range more {
			text.WriteString(line + "\n")
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
		return path
	}
	values := func(query string) []string {
		t.Helper()
		list, err := database.Values[string](t.Context(), db, "read", query, nil)
		require.NoError(t, err)
		return list
	}
	const header = "LP,State,Fund,Commitment ($M),NAV ($M)"
	roster := filepath.Join(dir, "roster.csv")
	require.NoError(t, os.WriteFile(roster, []byte("Organization CRD#,Legal Name,Latest ADV Filing Date\n900101,MOSSGATE CAPITAL LLC,06/30/2026\n"), 0o600))
	var out bytes.Buffer
	sum, err := dataops.Ingest(t.Context(), deps, []string{write("list 2026-03-31.csv", header, 25, "Larkspur Teachers,MA,Mossgate Buyout,a lot,5"), roster}, dataops.IngestOptions{Out: &out})
	require.NoError(t, err)
	require.Equal(t, int64(25), sum.Commitments.New)
	require.Equal(t, int64(1), sum.Advisers.New)
	require.Contains(t, out.String(), "commitments")
	require.Equal(t, []string{`list 2026-03-31.csv 27 Commitment ($M) is not an amount: "a lot"`}, values("SELECT concat_ws(' ', file, line, reason) FROM dataops.quarantine"))
	require.Equal(t, []string{"lp_list lp_list/larkspur teachers, MA completed 26 1"},
		values("SELECT concat_ws(' ', source, series, state, rows_read, quarantined) FROM dataops.ingestion_runs WHERE source = 'lp_list'"))
	// A list of other LPs, and of several, has columns that the others lack: they are not compared with it.
	others := filepath.Join(dir, "others 2026-03-31.csv")
	require.NoError(t, os.WriteFile(others, []byte("LP,State,City,LP Type,Fund,Commitment ($M),NAV ($M)\nQuill Trust,OR,Salem,corporate,Mossgate Growth 1,1,1\nBirch Trust,OR,Salem,other,Mossgate Growth 1,1,1\n"), 0o600))
	more := filepath.Join(dir, "more 2026-03-31.csv")
	require.NoError(t, os.WriteFile(more, []byte("LP,Fund,Commitment ($M)\nElm Trust,Mossgate Growth 1,1\nAsh Trust,Mossgate Growth 1,1\n"), 0o600))
	for _, path := range []string{others, more} {
		_, err = dataops.Ingest(t.Context(), deps, []string{path}, dataops.IngestOptions{})
		require.NoError(t, err)
	}
	// One list of several LPs is compared with the list of one of them that its figures follow.
	mixed := filepath.Join(dir, "mixed 2026-06-30.csv")
	require.NoError(t, os.WriteFile(mixed, []byte("LP,State,Fund,Commitment ($M)\nLarkspur Teachers,MA,Mossgate Growth 1,100\nOak Trust,OR,Mossgate Growth 1,1\n"), 0o600))
	_, err = dataops.Ingest(t.Context(), deps, []string{mixed}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "a column is missing that list 2026-03-31.csv (run 1) had: remaining_value_mm")
	_, err = database.Run(t.Context(), db, "forget the alert", "DELETE FROM dataops.alerts", nil)
	require.NoError(t, err)
	before := dump(t, db)

	shorter := write("list 2026-06-30.csv", "LP,State,Fund,Commitment ($M),Comment", 25)
	_, err = dataops.Ingest(t.Context(), deps, []string{shorter}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "column_lost")
	require.ErrorContains(t, err, "remaining_value_mm")
	require.Equal(t, []string{"column_lost"}, values("SELECT kind FROM dataops.alerts"))
	blank := strings.ReplaceAll(header, "Commitment", "commitment") + "\n" + strings.Repeat("Larkspur Teachers,MA,Mossgate Growth %d,100,\n", 25)
	numbers := make([]any, 25)
	for i := range numbers {
		numbers[i] = i
	}
	emptied := filepath.Join(dir, "emptied 2026-06-30.csv")
	require.NoError(t, os.WriteFile(emptied, fmt.Appendf(nil, blank, numbers...), 0o600))
	_, err = dataops.Ingest(t.Context(), deps, []string{emptied}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "columns that earlier documents fill have no values: remaining_value_mm (0 of 25 rows; usually 100 %)")
	_, err = dataops.Ingest(t.Context(), deps, []string{write("empty 2026-06-30.csv", header, 0)}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "nothing that can be loaded")
	_, err = dataops.Ingest(t.Context(), deps, []string{write("twice 2026-06-30.csv", header, 3, strings.Repeat("Larkspur Teachers,MA,Mossgate Growth 1,100,5\n", 12))}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "keys_doubled")
	require.Equal(t, 1, strings.Count(err.Error(), "twice 2026-06-30.csv"), "the file is named once")
	without := deps
	without.Lists = nil
	_, err = dataops.Ingest(t.Context(), without, []string{shorter}, dataops.IngestOptions{Accept: []string{"column_lost"}})
	require.ErrorContains(t, err, "module people is left out")
	require.Equal(t, before, dump(t, db), "nothing of these was loaded")

	sum, err = dataops.Ingest(t.Context(), deps, []string{shorter}, dataops.IngestOptions{Accept: []string{"column_lost"}})
	require.NoError(t, err)
	require.Equal(t, int64(25), sum.Commitments.New)
	require.Equal(t, []string{"25 2026-06-30"}, values("SELECT investment_count || ' ' || as_of FROM people.lps WHERE name = 'Larkspur Teachers'"))
}
