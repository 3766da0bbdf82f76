package disclosure_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
)

// wantedSQL are the events of all managers in plain SQL: pages with one number in one family are one event, and a later filing whose archive had
// the family's table ends it.
const wantedSQL = `WITH filing AS (
	SELECT crd, accession, filing_date, coalesce(silent, '{}') AS silent, row_number() OVER (PARTITION BY crd ORDER BY version_order) AS n
	FROM catalog.pub_filing WHERE source = 'adv_archive'
), page AS (
	SELECT d.*, f.n, min(f.filing_date) OVER (PARTITION BY d.crd, d.family, d.reference_id) AS first,
		row_number() OVER (PARTITION BY d.crd, d.family, d.reference_id ORDER BY f.n DESC, d.seq) AS newest
	FROM catalog.disclosures d JOIN filing f USING (crd, accession)
), event AS (
	SELECT p.*, (SELECT min(f.filing_date) FROM filing f WHERE f.crd = p.crd AND f.n > p.n AND 'table:disclosures:' || p.family <> ALL (f.silent)) AS lapsed,
		CASE WHEN family = 'criminal' THEN 'criminal' WHEN family = 'civil_judicial' THEN 'civil' WHEN initiator_type = 'SRO' THEN 'disciplinary' ELSE 'regulatory' END AS type
	FROM page p WHERE newest = 1
)
SELECT concat_ws(' ', e.crd, a.legal_name, e.type, e.reference_id, e.accession, e.event_date, e.first, e.monetary_amount, coalesce(e.resolution, e.status), e.initiated_by, e.lapsed)
FROM event e JOIN catalog.advisers a USING (crd) WHERE %s ORDER BY %s DESC NULLS LAST, e.crd, e.type, e.reference_id`

func shown(r row) string {
	parts := []string{r.CRD, r.Firm, r.Type, *r.Reference, r.Accession}
	for _, part := range []*string{r.EventDate, &r.DisclosedAt} {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	if r.Amount != nil {
		parts = append(parts, strconv.FormatInt(*r.Amount, 10))
	}
	for _, part := range []*string{r.Resolution, r.InitiatedBy, r.Since} {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	return strings.Join(parts, " ")
}

// fill loads filings of some managers at random: events begin and end, are amended, and archives lack tables.
func fill(b *bench) {
	rng := rand.New(rand.NewPCG(13, 47))
	families := []catalogapi.DisclosureFamily{catalogapi.DisclosureCriminal, catalogapi.DisclosureRegulatory, catalogapi.DisclosureCivil}
	id := 5000
	for _, date := range []string{"2026-07-05", "2026-08-07", "2026-09-09", "2026-10-11"} {
		a := &archive{}
		for m, crd := range []string{"900001", "900002", "900004", "900005"} {
			id++
			key := strconv.Itoa(id)
			var silent []string
			for _, family := range families {
				if rng.IntN(5) == 0 {
					silent = append(silent, catalogapi.OfPart(catalogapi.TableDisclosures, family))
				}
			}
			a.file(key, crd, date, []string{"MA", "CA", "NY", "TX"}[m], silent...)
			for nth := range 9 {
				family := families[nth%3]
				if rng.IntN(3) == 0 || slices.Contains(silent, catalogapi.OfPart(catalogapi.TableDisclosures, family)) {
					continue
				}
				p := catalogapi.DisclosureRow{FilingKey: key, Family: family, ReferenceID: strconv.Itoa(100*m + nth), Status: "Pending"}
				if family == catalogapi.DisclosureRegulatory {
					p.InitiatorType, p.InitiatedBy = "SEC", "United States Securities and Exchange Commission"
					if nth > 3 {
						p.InitiatorType, p.InitiatedBy = "SRO", "FINRA"
					}
				}
				if nth%4 > 0 {
					p.EventDate = day("2010-01-01").AddDate(nth, m, 0)
				}
				if rng.IntN(2) == 0 {
					p.Status, p.Resolution, p.MonetaryAmount = "Final", "Settled", new(rng.Int64N(900_000))
				}
				a.page(p)
			}
		}
		a.load(b, "ADV_Filing_Data_"+date+".zip")
	}
	b.Withdraw(b.t, "900004", "2026-11-01")
}

// V47, V48: every filter and sort finds what SQL finds, and pages by the cursor are the list.
func TestFilters(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	fill(b)
	type filter struct{ query, where string }
	filters := []filter{
		{"event_type=criminal", "e.type = 'criminal'"},
		{"event_type=regulatory,disciplinary", "e.type IN ('regulatory', 'disciplinary')"},
		{"disclosed_after=2026-08-07", "e.first >= '2026-08-07'"},
		{"event_after=2014-01-01", "e.event_date >= '2014-01-01'"},
		{"state=CA,Texas", "a.state IN ('CA', 'TX')"},
		{"state=NY", "a.state = 'NY'"}, // a former manager
		{"strategy=venture,PE", "a.primary_strategy IN ('venture', 'buyout', 'growth', 'secondaries')"},
		{"crd=900001,900005", "a.crd IN ('900001', '900005')"},
		{"min_amount=300000", "e.monetary_amount >= 300000"},
		{"min_amount=0", "e.monetary_amount >= 0"},
		{"include_past=false", "true"},
	}
	sorts := map[string]string{"": "e.first", "disclosed": "e.first", "event": "e.event_date", "amount": "e.monetary_amount"}
	// Rows of one key are in the order of their IDs, which SQL cannot compute: both sides are compared with sorted ties.
	key := map[string]func(r row) string{
		"": func(r row) string { return r.DisclosedAt }, "disclosed": func(r row) string { return r.DisclosedAt },
		"event": func(r row) string { return catalogapi.TextOf(r.EventDate) }, "amount": func(r row) string {
			if r.Amount == nil {
				return ""
			}
			return strconv.FormatInt(*r.Amount, 10)
		},
	}
	found, lapsed := 0, 0
	ask := func(sort string, past bool, some ...filter) {
		t.Helper()
		query, where := []string{"limit=100", "sort=" + cmp.Or(sort, "disclosed")}, []string{"true"}
		for _, f := range some {
			query, where = append(query, f.query), append(where, f.where)
		}
		if past {
			query = append(query, "include_past=true")
		} else {
			where = append(where, "e.lapsed IS NULL")
		}
		want, err := database.Values[string](t.Context(), b.DB, "read", fmt.Sprintf(wantedSQL, strings.Join(where, " AND "), sorts[sort]), nil)
		require.NoError(t, err)
		got := b.get(strings.Join(query, "&"))
		slices.SortStableFunc(got.Data, func(r, s row) int {
			if key[sort](r) != key[sort](s) {
				return 0
			}
			return cmp.Or(cmp.Compare(r.CRD, s.CRD), cmp.Compare(r.Type, s.Type), cmp.Compare(*r.Reference, *s.Reference))
		})
		require.Equal(t, strings.Join(want, "\n"), got.of(shown), "%v", query)
		require.Nil(t, got.Meta.NextCursor)
		require.True(t, got.Meta.Basis.Stated)
		for _, r := range got.Data {
			require.Equal(t, r.Since != nil, r.NoLonger)
			require.Empty(t, r.Withheld, got.text)
			if r.NoLonger {
				lapsed++
			}
		}
		found += len(want)
	}
	for sort := range sorts {
		ask(sort, true)
		ask(sort, false)
	}
	for i, f := range filters {
		past := f.query != "include_past=false" && i%2 == 0
		ask("", past, f)
		if i+3 < len(filters)-1 {
			ask([]string{"event", "amount", "disclosed"}[i%3], !past, f, filters[i+3])
		}
	}
	require.Greater(t, found, 100)
	require.Greater(t, lapsed, 20)
	for sort := range sorts {
		whole := b.get("limit=100&include_past=true&sort=" + cmp.Or(sort, "disclosed"))
		query := url.Values{"limit": {"4"}, "include_past": {"true"}, "sort": {cmp.Or(sort, "disclosed")}}
		var walked []row
		for {
			page := b.get(query.Encode())
			walked = append(walked, page.Data...)
			if page.Meta.NextCursor == nil {
				break
			}
			require.Len(t, page.Data, 4)
			query.Set("cursor", *page.Meta.NextCursor)
		}
		require.Equal(t, whole.Data, walked)
	}
}

// A page without a number is found again by its case, and a page of a filing is shown as the newest filing states it.
func TestAmended(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	civil := catalogapi.DisclosureRow{FilingKey: "5001", Family: catalogapi.DisclosureCivil, CaseNumber: "20-CV-9", Court: "District Court of Tivan", Status: "Pending", Sanctions: []string{"injunction"}}
	a := &archive{}
	a.file("5001", "900001", "2026-07-05", "MA")
	a.page(civil)
	a.load(b, "ADV_Filing_Data_1.zip")
	require.Equal(t, "2026-07-05 Pending ADV-900001-5001", b.get("crd=900001").of(func(r row) string { return r.DisclosedAt + " " + *r.Resolution + " " + r.Accession }))
	a = &archive{}
	a.file("5002", "900001", "2026-08-05", "MA")
	a.file("5003", "900003", "2026-08-05", "")
	civil.FilingKey, civil.CaseNumber, civil.ReferenceID, civil.Resolution = "5002", "20 CV 9", "77", "Dismissed"
	a.page(civil)
	a.load(b, "ADV_Filing_Data_2.zip")
	got := b.get("crd=900001,900006,900099")
	require.Equal(t, "2026-07-05 Dismissed ADV-900001-5002 77", got.of(func(r row) string {
		return r.DisclosedAt + " " + *r.Resolution + " " + r.Accession + " " + *r.Reference
	}))
	require.Equal(t, []string{"injunction"}, got.Data[0].Sanctions)
	require.True(t, got.Meta.Basis.Stated)
	require.Equal(t, []string{"900006", "900099"}, got.Meta.Unstated) // which only a roster lists; which nothing does
	got = b.get("crd=900006")
	require.Empty(t, got.Data)
	require.False(t, got.Meta.Basis.Stated)
	got = b.get("crd=900003")
	require.Empty(t, got.Data)
	require.True(t, got.Meta.Basis.Stated)
}

func TestPriceAndBadInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for query, field := range map[string]string{
		"event_type=parking": "event_type", "event_type=civil,": "event_type", "state=ZZ": "state", "strategy=x": "strategy", "crd=0": "crd",
		"crd=" + numbers(51): "crd", "min_amount=-1": "min_amount", "limit=0": "limit", "limit=101": "limit", "sort=name": "sort",
		"cursor=abc": "cursor", "disclosed_after=2026-13-01": "disclosed_after", "event_after=x": "event_after", "include_past=maybe": "include_past", "as_of=2026-01-01": "as_of",
	} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/disclosures?" + query, Status: http.StatusBadRequest, Contains: []string{`"` + field + `"`}})
	}
	fill(b)
	cursor := *b.get("limit=1").Meta.NextCursor
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/disclosures?limit=1&sort=amount&cursor=" + cursor, Status: http.StatusBadRequest, Contains: []string{`"cursor"`}})
	require.Contains(t, b.get("limit=1").text, `"pricing":{`)
}

// numbers are so many CRD numbers.
func numbers(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(900001 + i)
	}
	return strings.Join(list, ",")
}
