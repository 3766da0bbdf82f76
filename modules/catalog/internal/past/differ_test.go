package past_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
	"gpatlas/platform/testkit/testscale"
)

// watchable has values for each filter. Some of them match advisers that the writer makes.
var watchable = map[string][]any{
	"q":    {"larkspur", "harbor ridge", "mossgate advisers ltd", "larkspr", "hollow", "boston", "ons", "corrected", "900003", "larkspur.example.com", "021-7"},
	"city": {"Boston", "London;Toronto"}, "exclude_city": {"Boston"}, "state": {"MA", "NY,MA"}, "exclude_state": {"MA"},
	"country": {"United Kingdom", "US,CA"}, "exclude_country": {"US"}, "jurisdiction": {"UK", "US"},
	"min_aum": {1e6, 1e8}, "max_aum": {1e9, 1e10}, "aum_band": {"<100M", "100M-500M", "1B-10B"}, "min_total_gav": {1e5, 1e7}, "max_net_gav": {1e8},
	"min_aum_growth_1y": {0.0, 20.0}, "max_aum_growth_2y": {50.0}, "strategy": {"growth", "hedge,venture", "PE"}, "exclude_strategy": {"hedge"},
	"crd": {crd(1) + "," + crd(2) + "," + crd(3), crd(4)}, "exclude_crd": {crd(1)}, "registration_status": {"registered", "exempt_reporting"},
	"has_funds": {true, false}, "min_fund_count": {1.0, 2.0}, "max_fund_count": {1.0, 3.0}, "filed_after": {"2011-01-01", "2012-06-01"}, "filed_before": {"2012-01-01"},
	"year_founded_min": {1940.0, 2010.0}, "founded_year_basis": {"first_filing", "override"}, "vintage_min": {2005.0, 2010.0}, "vintage_max": {2009.0, 2012.0},
	"vintage_quality": {"form_d", "first_filing", "list"}, "launched_within_months": {6.0, 24.0}, "fund_size_min": {1e5, 1e7}, "fund_size_max": {1e8},
	"closed_fund_after": {"2010-06-01", "2012-01-01"}, "raising_now": {true}, "min_investors": {1.0}, "exemption_type": {"506b", "3c1,3c7"},
	"has_auditor": {true, false}, "has_disclosure": {true, false}, "disclosure_type": {"regulatory", "criminal,civil"}, "disclosed_after": {"2010-09-01", "2012-01-01"},
	"manager_type": {"hedge_fund", "pe_vc"}, "has_custodian": {true, false}, "has_administrator": {true, false}, "provider_role": {"auditor", "custodian,prime_broker"},
	"former": {true}, "sort": {"name", "aum"},
}

// searches are random ones, all valid and no two alike.
func searches(t *testing.T, d *gp.Differ, rng *rand.Rand, n int) (list []map[string]any) {
	t.Helper()
	names := make([]string, 0, len(watchable))
	for name := range watchable {
		names = append(names, name)
	}
	slices.Sort(names)
	list, seen := append(list, map[string]any{}), map[string]bool{"map[]": true}
	for len(list) < n {
		filters := map[string]any{}
		for range 1 + rng.IntN(4) {
			name := names[rng.IntN(len(names))]
			filters[name] = watchable[name][rng.IntN(len(watchable[name]))]
		}
		if filters["country"] != nil && filters["exclude_country"] != nil { // opposite ones are invalid, which only the places of a catalog show
			continue
		}
		if key := fmt.Sprint(filters); !seen[key] && d.CheckWatched(filters) == nil {
			list, seen[key] = append(list, filters), true
		}
	}
	return list
}

// whole is the whole catalog at some time, for full searches.
type whole struct {
	*index.Snapshot
	holder index.Holder
	rows   map[string]map[string]any // of catalog.advisers
}

func (c *catalog) whole(t *testing.T, when time.Time) *whole {
	t.Helper()
	w := &whole{Snapshot: c.current(t, when).Firm(), rows: map[string]map[string]any{}}
	w.holder.Swap(w.Snapshot)
	list, err := database.Select[struct {
		CRD string `db:"crd"`
		Row map[string]any
	}](t.Context(), c.db, "read advisers", "SELECT crd, to_jsonb(a) AS row FROM catalog.advisers a", nil)
	require.NoError(t, err)
	for _, r := range list {
		w.rows[r.CRD] = r.Row
	}
	return w
}

// found are the CRD numbers that a search finds on a day. Texts are not read more tolerantly where they find too little: this depends on all advisers.
func (w *whole) found(t *testing.T, filters map[string]any, when time.Time) map[string]bool {
	t.Helper()
	crds := map[string]bool{}
	if filters["q"] == nil {
		page, err := gp.NewSearcher(&w.holder, clock.Fixed(when)).SearchGPs(t.Context(), filters, 100, 0)
		require.NoError(t, err)
		for _, row := range page.Rows {
			var one struct{ CRD string }
			require.NoError(t, json.Unmarshal(row, &one))
			crds[one.CRD] = true
		}
		require.Len(t, crds, page.Total)
		return crds
	}
	var in gp.SearchInput
	require.Empty(t, httpapi.DecodeQuery(filters, &in))
	q, _, err := in.Query(clock.Fixed(when), w.Snapshot)
	require.NoError(t, err)
	w.Of(q.Former).Matching(q, func(crd string) { crds[crd] = true })
	return crds
}

// news is what full searches say has happened.
func news(t *testing.T, filters map[string]any, before, after *whole, when time.Time) (list []string) {
	t.Helper()
	was, is := before.found(t, filters, when), after.found(t, filters, when)
	for i := range advisers {
		crd := crd(i)
		switch {
		case is[crd] && !was[crd]:
			list = append(list, crd+" entered")
		case was[crd] && !is[crd]:
			list = append(list, crd+" left")
		case is[crd]:
			var fields []string
			for _, name := range index.WatchedFields() {
				if before.rows[crd][name] != after.rows[crd][name] {
					fields = append(fields, name)
				}
			}
			if fields != nil {
				list = append(list, crd+" changed "+strings.Join(fields, ","))
			}
		}
	}
	return list
}

// pages are disclosures and firms that serve funds, for some of the filings of a document.
func pages(rng *rand.Rand, n int, doc *catalogapi.Document) {
	var events []*catalogapi.DisclosureRow
	var firms []*catalogapi.ProviderRow
	var auditors []*catalogapi.AuditorRow
	for i := range advisers {
		key := strconv.Itoa(n*100 + i + 1)
		if rng.IntN(3) == 0 {
			family := []catalogapi.DisclosureFamily{catalogapi.DisclosureRegulatory, catalogapi.DisclosureCriminal, catalogapi.DisclosureCivil}[rng.IntN(3)]
			events = append(events, &catalogapi.DisclosureRow{FilingKey: key, Family: family, ReferenceID: strconv.Itoa(rng.IntN(3)), CaseNumber: strconv.Itoa(rng.IntN(2)), File: "d", Line: i + 2})
		}
		fund := fundID(i + advisers*rng.IntN(2))
		if rng.IntN(2) == 0 {
			role := []catalogapi.ProviderRole{catalogapi.RoleCustodian, catalogapi.RoleAdministrator, catalogapi.RolePrimeBroker}[rng.IntN(3)]
			firms = append(firms, &catalogapi.ProviderRow{FilingKey: key, ReferenceID: fund, Role: role, Name: "Quillback Trust Company NA", File: "p", Line: i + 2})
		}
		if rng.IntN(3) == 0 {
			auditors = append(auditors, &catalogapi.AuditorRow{FilingKey: key, ReferenceID: fund, Name: "Birch & Sloane LLP", File: "a", Line: i + 2})
		}
	}
	doc.Disclosures, doc.Providers, doc.Auditors = itertest.Rows(events...), itertest.Rows(firms...), itertest.Rows(auditors...)
}

// News are the difference of two full searches of the whole catalog, whatever was loaded between: filings of all sources, restated ones, notices,
// withdrawals, corrections and what a new day changes.
func TestNewsAreTheDifferenceOfTwoSearches(t *testing.T) {
	t.Parallel()
	c, rng := &catalog{dbtest.New(t), newWriter(29)}, rand.New(rand.NewPCG(29, 4))
	clk := clocktest.At("2010-03-01T09:00:00Z")
	d, operator := gp.NewDiffer(c.db, clk), newOperator(c.db, true)
	asked := searches(t, d, rng, 2000)
	compare := func() (got map[int][]string, calls int) {
		got = map[int][]string{}
		require.NoError(t, d.CompareGPs(t.Context(), func(_ context.Context, of catalogapi.Compared, c catalogapi.GPComparison) error {
			require.True(t, of.Last)
			calls++
			for i, filters := range asked {
				list, err := c.News(filters)
				require.NoError(t, err)
				for _, n := range list {
					got[i] = append(got[i], strings.TrimSpace(n.CRD+" "+n.What+" "+strings.Join(n.Fields, ",")))
				}
			}
			return nil
		}))
		return got, calls
	}
	_, calls := compare()
	require.Zero(t, calls, "an empty catalog")
	what := map[string]int{}
	var before *whole
	for n := range testscale.Rounds(t, 14) {
		for range 1 + rng.IntN(2) { // one comparison for several loads
			clk.Move(time.Duration(5+rng.IntN(60)) * 24 * time.Hour)
			loader, opts := load.New(c.db, clk, slog.New(slog.DiscardHandler)), catalogapi.LoadOptions{RunID: int64(n + 1), Reject: func(catalogapi.Rejected) {}}
			doc := c.w.document(n, clk.Now(), rng.IntN(2) == 0)
			if doc.Source == catalogapi.SourceADVArchive {
				pages(rng, n, &doc)
			}
			for i, doc := range []catalogapi.Document{doc, c.w.notices(n, clk.Now()), c.w.withdrawals(n, clk.Now())} {
				if i == 0 || rng.IntN(2) == 0 {
					_, err := loader.LoadDocument(t.Context(), doc, opts)
					require.NoError(t, err)
				}
			}
			_, err := loader.RefreshDerived(t.Context())
			require.NoError(t, err)
			operator.Act(t, clk.Now())
		}
		after := c.whole(t, clk.Now())
		if n%3 == 1 { // it fails, and is repeated
			failed := errors.New("stopped half way")
			require.ErrorIs(t, d.CompareGPs(t.Context(), func(context.Context, catalogapi.Compared, catalogapi.GPComparison) error { return failed }), failed)
		}
		got, calls := compare()
		if before == nil {
			require.Zero(t, calls, "the first load is no news")
		} else {
			require.Equal(t, 1, calls)
			for i, filters := range asked {
				require.Equal(t, news(t, filters, before, after, clk.Now()), got[i], "round %d: %v", n, filters)
				for _, line := range got[i] {
					what[strings.Fields(line)[1]]++
				}
			}
		}
		before = after
		_, calls = compare()
		require.Zero(t, calls, "nothing was loaded")
		clk.Move(400 * 24 * time.Hour) // time alone
		_, calls = compare()
		require.Zero(t, calls)
	}
	for _, kind := range []string{catalogapi.NewsEntered, catalogapi.NewsLeft, catalogapi.NewsChanged} {
		require.Greater(t, what[kind], 1000, kind)
	}
}

// Filters by firms whose names may be withheld cannot be watched.
func TestWatchedFilters(t *testing.T) {
	t.Parallel()
	d := gp.NewDiffer(nil, clocktest.At("2026-11-28T09:00:00Z"))
	require.NoError(t, d.CheckWatched(map[string]any{"state": "TX", "min_aum": 1e9}))
	require.ErrorContains(t, d.CheckWatched(map[string]any{"auditor_name": "Birch", "provider": "prv_ecjirbiebqv5m6pj"}), "Invalid provider")
	require.Error(t, d.CheckWatched(map[string]any{"min_amu": 1.0}))
}

// A filing that is restated with a page more changes no row of its adviser, and a search by disclosures all the same.
func TestNewsOfAPageAlone(t *testing.T) {
	t.Parallel()
	db, clk := dbtest.New(t), clocktest.At("2026-11-28T09:00:00Z")
	d := gp.NewDiffer(db, clk)
	loader, opts := load.New(db, clk, slog.New(slog.DiscardHandler)), catalogapi.LoadOptions{RunID: 1, Reject: func(catalogapi.Rejected) {}}
	for _, pages := range []int{0, 1} {
		f := &catalogapi.AdviserFiling{CRD: crd(1), Key: "1", FilingID: "1", Submitted: clk.Now(), Statement: catalogapi.Statement{LegalName: "Larkspur Capital LP"}, File: "f", Line: 1}
		page := &catalogapi.DisclosureRow{FilingKey: "1", Family: catalogapi.DisclosureRegulatory, CaseNumber: "7", File: "d", Line: 2}
		_, err := loader.LoadDocument(t.Context(), catalogapi.Document{
			Name: "doc", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(f), Disclosures: itertest.Rows([]*catalogapi.DisclosureRow{page}[:pages]...),
		}, opts)
		require.NoError(t, err)
		calls := 0
		require.NoError(t, d.CompareGPs(t.Context(), func(_ context.Context, _ catalogapi.Compared, c catalogapi.GPComparison) error {
			calls++
			list, err := c.News(map[string]any{"has_disclosure": true})
			require.NoError(t, err)
			require.Equal(t, []catalogapi.GPNews{{CRD: crd(1), Name: "Larkspur Capital LP", What: catalogapi.NewsEntered}}, list)
			return nil
		}))
		require.Equal(t, pages, calls)
	}
}
