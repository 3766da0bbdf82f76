package filing_test

import (
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

type marketPage struct {
	Data []struct {
		CRD       string
		Accession string `json:"accession_number"`
		Date      string `json:"filing_date"`
	}
	Meta struct {
		NextCursor *string `json:"next_cursor"`
	}
}

func pageOf(t *testing.T, host *httpapitest.Host, query url.Values) (p marketPage, accessions []string) {
	t.Helper()
	got := host.Do(t, httpapitest.Scenario{Path: "/v1/filings?" + query.Encode()})
	require.NoError(t, json.Unmarshal([]byte(got.Body), &p))
	for _, r := range p.Data {
		accessions = append(accessions, r.Accession)
	}
	return p, accessions
}

// each is the filings of the view that lists those of one manager: market.sql has the rule of one source a day in other words, to read a page in its order.
const each = "SELECT f.accession FROM catalog.pub_listed_filing f JOIN catalog.advisers a USING (crd) WHERE f.source <> 'form_d'"

// Every filter, alone and together, finds what SQL finds, in its order.
func TestMarketFilters(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	left, err := database.Values[int](t.Context(), c.DB, "count", "SELECT count(*) FROM catalog.filings JOIN catalog.advisers USING (crd) WHERE accession NOT IN ("+each+")", nil)
	require.NoError(t, err)
	require.Positive(t, left[0], "days with several sources")
	for query, where := range map[string]string{
		"": "", "form_type=ADV": "form_type = 'ADV'", "form_type=ADV-W": "form_type = 'ADV-W'", "form_type=ADV/A": "form_type = 'ADV/A'",
		"amendment_type=annual": "amendment_type = 'annual'", "form_type=ADV/A&amendment_type=initial": "false",
		"state=MA": "a.state = 'MA'", "state=MA,New+York": "a.state IN ('MA', 'NY')",
		"strategy=buyout": "primary_strategy = 'buyout'", "strategy=VC&state=CA": "primary_strategy = 'venture' AND a.state = 'CA'",
		"crd=900001,900003": "crd IN ('900001', '900003')", "crd=900001&strategy=venture": "false", "from=2026-01-01": "filing_date >= '2026-01-01'",
		"to=2020-12-31": "filing_date <= '2020-12-31'", "as_of=2026-06-30&from=2026-06-01": "filing_date BETWEEN '2026-06-01' AND '2026-06-30'",
		"processed_after=2020-01-01": "true", "processed_after=2099-01-01": "false",
	} {
		if where == "" {
			where = "true"
		}
		want, err := database.Values[string](t.Context(), c.DB, "read", each+" AND "+where+" ORDER BY filing_date DESC, accession DESC", nil)
		require.NoError(t, err)
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		values.Set("limit", "100")
		p, got := pageOf(t, host, values)
		require.Equal(t, want, append([]string{}, got...), query)
		require.Nil(t, p.Meta.NextCursor, query)
	}
	first, _ := pageOf(t, host, url.Values{"limit": {"2"}})
	for query, contains := range map[string]string{
		"form_type=D": "Invalid form_type", "state=Narnia": "Invalid state", "state=TX,": "Invalid state", "strategy=x": "Invalid strategy", "crd=012": "Invalid crd",
		"from=2026-02-01&to=2026-01-01": "Invalid from", "as_of=2099-01-01": "Invalid as_of", "limit=101": "Invalid limit", "cursor=x": "Invalid cursor",
		"limit=3&state=MA&cursor=" + *first.Meta.NextCursor: "Invalid cursor", "q=x": "q", "cursor=" + *first.Meta.NextCursor + "x": "Invalid cursor",
	} {
		host.Do(t, httpapitest.Scenario{Name: query, Path: "/v1/filings?" + query, Status: http.StatusBadRequest, Contains: []string{contains}})
	}
}

// V39: a walk by the cursor while documents are loaded meets every filing that was there when it began, once, in its order.
func TestMarketWalkDuringLoads(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	loader := load.New(c.DB, c.Clock, slog.New(slog.DiscardHandler))
	rng := rand.New(rand.NewPCG(39, 43))
	put := func(n int) {
		var filings []*catalogapi.AdviserFiling
		for i := range 20 {
			id := strconv.Itoa(n*100 + i + 50_000)
			filings = append(filings, &catalogapi.AdviserFiling{
				Key: id, FilingID: id, CRD: strconv.Itoa(910_000 + rng.IntN(12)), Submitted: time.Date(2026, time.Month(1+rng.IntN(10)), 1+rng.IntN(28), 0, 0, 0, 0, time.UTC),
				Statement: catalogapi.Statement{LegalName: "Walked LLC", State: new("MA")}, File: "f", Line: 2,
			})
		}
		_, err := loader.LoadDocument(t.Context(), catalogapi.Document{Name: strconv.Itoa(n), Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filings...)}, catalogapi.LoadOptions{RunID: 1})
		require.NoError(t, err)
	}
	put(0)
	before, err := database.Values[string](t.Context(), c.DB, "read", each+" ORDER BY filing_date DESC, accession DESC", nil)
	require.NoError(t, err)
	query := url.Values{"limit": {"3"}}
	var met []string
	seen := map[string]bool{}
	last := "9999"
	for n := 1; ; n++ {
		p, got := pageOf(t, host, query)
		for i, accession := range got {
			require.False(t, seen[accession], "%s again", accession)
			seen[accession] = true
			require.LessOrEqual(t, p.Data[i].Date, last)
			last = p.Data[i].Date
		}
		met = append(met, got...)
		if p.Meta.NextCursor == nil {
			break
		}
		query.Set("cursor", *p.Meta.NextCursor)
		if n <= 5 {
			put(n)
		}
	}
	require.Subset(t, met, before)
	require.Greater(t, len(met), len(before), "what came behind the cursor was met too")
	_, got := pageOf(t, host, url.Values{"limit": {"100"}, "crd": {"910001"}})
	want, err := database.Values[string](t.Context(), c.DB, "read", each+" AND crd = '910001' ORDER BY filing_date DESC, accession DESC", nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// Guarantee: the filings of few managers and of hundreds are read in two ways, with the same result.
func TestFilingsOfManyManagers(t *testing.T) {
	t.Parallel()
	_, c := newHost(t)
	store := filing.NewStore(c.DB)
	crds := []string{"900001", "900003"}
	want, err := store.PageOf(t.Context(), crds)
	require.NoError(t, err)
	require.NotEmpty(t, want)
	for n := range 400 {
		crds = append(crds, strconv.Itoa(1+n))
	}
	got, err := store.PageOf(t.Context(), crds)
	require.NoError(t, err)
	require.Equal(t, want, got)
}
