package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"gpatlas/modules"
	"gpatlas/modules/analytics"
	"gpatlas/modules/catalog"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/testscale"
)

// questions are what the operations that take as_of or known_at are asked besides the moment; one that is not here is asked
// without more. An operation that needs more must be added.
var questions = map[string][]string{
	"/v1/gps/{crd}":                   {"", "include=provenance"},
	"/v1/funds/{fund_id}":             {"", "include=provenance"},
	"/v1/gps/{crd}/affiliates":        {"", "direction=names_me"},
	"/v1/gps/{crd}/sub-advised-funds": {"", "direction=names_me"},
	"/v1/gps/{crd}/offerings":         {"", "history=true"},
	"/v1/funds/{fund_id}/offerings":   {"", "history=true"},
	"/v1/gps/{crd}/related":           {"limit=25", "similarity_factors=strategy,fund_count"},
	"/v1/search/aggregate": {
		"group_by=strategy", "group_by=vintage", "group_by=geography", "group_by=state", "group_by=aum_band",
		"group_by=strategy&min_vintage=2012", "group_by=vintage&strategy=PE&max_vintage=2016", "group_by=geography&min_aum=1000000",
		"group_by=strategy&former=true", "group_by=vintage&former=true", "group_by=registration_status", "group_by=aum_band&max_employees=40",
		"group_by=strategy,state&measures=total_aum.median,employees.max", "group_by=vintage,manager_type&measures=fund_gav.p75&former=true", "group_by=strategy,aum_band&fund_size_min=1000&measures=fund_gav.sum",
	},
	// In the order of a list: the present sorts equal funds by IDs of its own.
	"/v1/funds": {
		"fund_id=" + paperFunds() + "&sort=as_sent", "fund_id=" + paperFunds() + "&sort=as_sent&former=true", "fund_id=" + paperFunds() + "&sort=as_sent&min_vintage=2012",
		"fund_id=" + paperFunds() + "&sort=as_sent&exclude_strategy=hedge&vintage_quality=first_filing,form_d", "fund_id=" + paperFunds() + "&sort=as_sent&min_gav=1000&limit=2&offset=1",
	},
}

// paperFunds lists all random funds.
func paperFunds() string {
	var ids []string
	for i := range catalogtest.PaperFunds {
		ids = append(ids, catalogtest.PaperFundID(i))
	}
	return strings.Join(ids, ",")
}

// momentous are the operations that take a moment, as_of or known_at, from the document of the service, with the addresses to ask.
func momentous(t *testing.T, moment string) map[string][]string {
	t.Helper()
	app, err := describe()
	require.NoError(t, err)
	document, err := app.API.JSON()
	require.NoError(t, err)
	var api struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name string }
		}
	}
	require.NoError(t, json.Unmarshal(document, &api))
	out := map[string][]string{}
	for path, methods := range api.Paths {
		for method, operation := range methods {
			var names []string
			for _, p := range operation.Parameters {
				names = append(names, p.Name)
			}
			if !slices.Contains(names, "as_of") && !slices.Contains(names, "known_at") || path == "/v1/filings" {
				continue // a list of filings by their day has no state of a moment: its as_of is an upper limit
			}
			require.Equal(t, "get", method, path)
			require.Contains(t, names, "as_of", path)
			if offerings := strings.HasSuffix(path, "/offerings"); slices.Contains(names, moment) {
				out[path] = addresses(path)
			} else {
				require.True(t, offerings, "%s does not take %s", path, moment)
			}
		}
	}
	if moment == "as_of" {
		for path := range questions {
			require.Contains(t, out, path)
		}
	}
	return out
}

// addresses are those of an operation, for all random advisers or funds.
func addresses(path string) (out []string) {
	var filled []string
	switch {
	case strings.Contains(path, "{crd}"):
		for i := range catalogtest.PaperAdvisers {
			filled = append(filled, strings.ReplaceAll(path, "{crd}", catalogtest.PaperCRD(i)))
		}
	case strings.Contains(path, "{fund_id}"):
		for i := range catalogtest.PaperFunds {
			filled = append(filled, strings.ReplaceAll(path, "{fund_id}", catalogtest.PaperFundID(i)))
		}
	default:
		filled = []string{path}
	}
	more := questions[path]
	if more == nil {
		more = []string{""}
	}
	for _, address := range filled {
		for _, q := range more {
			out = append(out, address+"?"+q)
		}
	}
	return out
}

// library is a catalog of its own with the operations on it.
type library struct {
	t      *testing.T
	db     *database.DB
	loader catalogapi.Loader
	host   *httpapitest.Host
	runs   int64
}

func newLibrary(t *testing.T, clk clock.Clock, papers ...*catalogtest.Archive) *library {
	t.Helper()
	return openLibrary(t, dbtest.New(t), 0, clk, papers...)
}

// openLibrary puts more papers into the database of a library, which has had some, and serves it until the test ends.
func openLibrary(t *testing.T, db *database.DB, had int, clk clock.Clock, papers ...*catalogtest.Archive) *library {
	t.Helper()
	l := &library{t: t, db: db, runs: int64(had)}
	var manifests []module.Manifest
	var data catalogapi.DataSource
	app := fx.New(
		fx.WithLogger(func() fxevent.Logger { return fxevent.NopLogger }),
		fx.Supply(module.Process{Name: "library", Web: true}, slog.New(slog.DiscardHandler), l.db, catalog.Config{}, analytics.Config{}),
		fx.Provide(func() clock.Clock { return clk }, func() prometheus.Registerer { return prometheus.NewRegistry() }),
		modules.Of(catalog.Module, analytics.Module),
		fx.Populate(&l.loader, &data, &manifests),
	)
	require.NoError(t, app.Err())
	l.putAll(papers)
	require.NoError(t, app.Start(t.Context()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		require.NoError(t, app.Stop(ctx))
	})
	require.Eventually(t, func() bool { return !data.Freshness().BuiltAt.IsZero() }, time.Minute, 5*time.Millisecond)
	var routes []httpapi.Route
	for _, m := range manifests {
		routes = append(routes, m.Routes...)
	}
	l.host = httpapitest.New(t, routes...)
	return l
}

func (l *library) put(p *catalogtest.Archive) {
	l.t.Helper()
	l.runs++
	_, err := l.loader.LoadDocument(l.t.Context(), p.Document(), catalogapi.LoadOptions{RunID: l.runs, Reject: func(catalogapi.Rejected) {}})
	require.NoError(l.t, err)
}

// putAll loads papers as one batch, which comes to the same as one by one and is much faster.
func (l *library) putAll(papers []*catalogtest.Archive) {
	l.t.Helper()
	_, err := l.loader.LoadBatch(l.t.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
		for _, p := range papers {
			if p == nil {
				continue
			}
			l.runs++
			doc := l.loader.Prepare(ctx, p.Document(), catalogapi.LoadOptions{RunID: l.runs, Reject: func(catalogapi.Rejected) {}})
			if _, err := load(ctx, doc); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(l.t, err)
}

func (l *library) count(sql string) (n int) {
	l.t.Helper()
	require.NoError(l.t, l.db.Conn(l.t.Context(), func(c *pgx.Conn) error { return c.QueryRow(l.t.Context(), sql).Scan(&n) }))
	return n
}

// now is the database's clock, by which documents are processed.
func (l *library) now() (at time.Time) {
	l.t.Helper()
	require.NoError(l.t, l.db.Conn(l.t.Context(), func(c *pgx.Conn) error {
		return c.QueryRow(l.t.Context(), "SELECT clock_timestamp()").Scan(&at)
	}))
	return at
}

// passing is what says nothing of the catalog: our own numbers, when an index was built, the moment that was asked for.
var passing = regexp.MustCompile(`"id":\d+,|"calculated_at":"[^"]*",|,"as_of":"[^"]*"|,"known_at":"[^"]*"`)

// ask gives the answer without what says nothing of the catalog; empty if nothing is known.
func (l *library) ask(address, moment string) string {
	l.t.Helper()
	path := strings.TrimRight(strings.Replace(address+"&"+moment, "?&", "?", 1), "?&")
	answer := l.host.Ask(l.t, httpapitest.Scenario{Path: path, As: &auth.Principal{Kind: auth.Key, UserID: 1}})
	if answer.Status == http.StatusNotFound {
		return ""
	}
	require.Equal(l.t, http.StatusOK, answer.Status, "%s: %s", path, answer.Body)
	return passing.ReplaceAllString(answer.Body, "")
}

var dates = regexp.MustCompile(`"\d{4}-\d{2}-\d{2}"`)

// TestNothingComesFromLater asks every operation that takes as_of or known_at of a moment, and compares its answers with those
// of a second catalog that holds only what had been filed, or was known, by then.
func TestNothingComesFromLater(t *testing.T) {
	t.Parallel()
	t.Run("as_of", func(t *testing.T) {
		t.Parallel()
		operations := momentous(t, "as_of")
		today := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
		w := catalogtest.NewWriter(20261128)
		var papers []*catalogtest.Archive
		for n := range 16 { // in any order of their days
			day := today.AddDate(0, 0, -w.IntN(5000))
			papers = append(papers, w.Filings(day), w.Notices(day, true), w.Withdrawals(day))
			if n%4 == 3 {
				papers = append(papers, w.Restated(papers[3*w.IntN(3)], day), w.Restated(papers[1+w.IntN(8)], day))
			}
		}
		whole := newLibrary(t, clock.Fixed(today), papers...)
		require.Greater(t, whole.count("SELECT count(*) FROM catalog.offering_funds WHERE matched_by = 'name'"), 3)
		require.Greater(t, whole.count("SELECT count(*) FROM catalog.fund_former_names"), 3)
		require.Positive(t, whole.count("SELECT count(*) FROM catalog.advisers WHERE not_listed_since IS NOT NULL"))
		asked := map[string]int{}
		for range testscale.Rounds(t, 2) {
			day := today.AddDate(0, 0, -500-w.IntN(3500))
			var held []*catalogtest.Archive
			for _, p := range papers {
				held = append(held, p.Until(day))
			}
			then := newLibrary(t, clock.Fixed(today), held...)
			moment := "as_of=" + day.Format(time.DateOnly)
			for i := range catalogtest.PaperAdvisers { // it has days of its own
				address := fmt.Sprintf("/v1/gps/%s/diff?from=%s&to=%s", catalogtest.PaperCRD(i), day.AddDate(-2, 0, 0).Format(time.DateOnly), day.Format(time.DateOnly))
				require.Equal(t, then.ask(address, ""), whole.ask(address, ""), address)
			}
			for path, addresses := range operations {
				for _, address := range addresses {
					got := whole.ask(address, moment)
					require.Equal(t, then.ask(address, moment), got, "%s&%s", address, moment)
					for _, date := range dates.FindAllString(got, -1) {
						require.LessOrEqual(t, strings.Trim(date, `"`), day.Format(time.DateOnly), "%s&%s: %s", address, moment, got)
					}
					if got != "" {
						asked[path]++
					}
				}
			}
		}
		for path := range operations {
			require.Positive(t, asked[path], path)
		}
	})
	t.Run("known_at", func(t *testing.T) {
		t.Parallel()
		operations := momentous(t, "known_at")
		w := catalogtest.NewWriter(20261123)
		now := time.Now().UTC()
		clk := clock.Fixed(now.Add(time.Hour)) // documents are processed by the database's clock
		today := now.Truncate(24 * time.Hour)
		var papers []*catalogtest.Archive
		whole := newLibrary(t, clk)
		var instants []time.Time
		for n := range 12 {
			day := today.AddDate(0, 0, -w.IntN(5000))
			papers = append(papers, w.Filings(day), w.Notices(day, true), w.Withdrawals(day))
			if n%3 == 2 {
				for _, p := range slices.Concat([]*catalogtest.Archive{papers[3*w.IntN(2)]}, papers[1:3], papers[4:6], papers[7:9]) {
					papers = append(papers, w.Restated(p, day))
				}
			}
		}
		for _, p := range papers {
			whole.put(p)
			instants = append(instants, whole.now())
		}
		var moments []int
		for range testscale.Rounds(t, 4) {
			moments = append(moments, 5+w.IntN(len(papers)-5))
		}
		slices.Sort(moments) // so that one database is enough, which gets the papers up to each
		asked, db, had := map[string]int{}, dbtest.New(t), 0
		for _, n := range moments {
			t.Run(strconv.Itoa(n), func(t *testing.T) { //nolint:paralleltest // each adds to what the one before has put there
				then := openLibrary(t, db, had, clk, papers[had:n+1]...)
				had = n + 1
				moment := "known_at=" + url.QueryEscape(instants[n].Format(time.RFC3339Nano))
				for path, addresses := range operations {
					for _, address := range addresses {
						got := whole.ask(address, moment)
						require.Equal(t, then.ask(address, ""), got, "%s&%d", address, n)
						if got != "" {
							asked[path]++
						}
					}
				}
			})
		}
		for path := range operations {
			require.Positive(t, asked[path], path)
		}
	})
}

// What is answered of an instant stays so: a load that began before it and ends after it is in none of its answers, also when
// it has not been seen yet at the first question. While a load that has ended its work is committed, the question waits.
func TestKnownAtWithinALoad(t *testing.T) {
	t.Parallel()
	w := catalogtest.NewWriter(20261124)
	now := time.Now().UTC()
	today := now.Truncate(24 * time.Hour)
	l := newLibrary(t, clock.Fixed(now.Add(time.Hour)), w.Filings(today.AddDate(-1, 0, 0)), w.Filings(today.AddDate(0, -6, 0)))
	addresses := momentous(t, "known_at")
	said := func(at time.Time) map[string]string {
		out := map[string]string{}
		for _, of := range addresses {
			for _, address := range of {
				out[address] = l.ask(address, "known_at="+url.QueryEscape(at.Format(time.RFC3339Nano)))
			}
		}
		return out
	}
	for range 3 {
		for _, p := range []*catalogtest.Archive{w.Filings(today.AddDate(0, -1, 0)), w.Notices(today, true), w.Withdrawals(today)} {
			var within time.Time
			var before map[string]string
			l.runs++
			_, err := l.loader.LoadDocument(t.Context(), p.Document(), catalogapi.LoadOptions{
				RunID: l.runs, Reject: func(catalogapi.Rejected) {},
				Accept: func(context.Context, catalogapi.Staged) error {
					within = l.now()
					before = said(within)
					return nil
				},
			})
			require.NoError(t, err)
			require.Equal(t, before, said(within), "the load was not known yet")

			answered := make(chan map[string]string, 1)
			p = w.Filings(today)
			require.NoError(t, l.db.InTx(t.Context(), func(ctx context.Context) error {
				l.runs++
				_, err := l.loader.LoadDocument(ctx, p.Document(), catalogapi.LoadOptions{RunID: l.runs, Reject: func(catalogapi.Rejected) {}})
				require.NoError(t, err)
				within = l.now()
				go func() { answered <- said(within) }()
				require.Eventually(t, func() bool {
					return l.count("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())") > 0
				}, time.Minute, time.Millisecond, "the question waits for the commit")
				return nil
			}))
			before = <-answered
			require.Equal(t, before, said(within))
			require.Equal(t, said(l.now()), before, "it was known at its end")
		}
	}
}
