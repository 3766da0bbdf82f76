package regulatory

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpclient"
	"gpatlas/platform/testkit/clocktest"
)

// regulator is a server that speaks the firm search's shape, with the provider that asks it. The n-th request gets the
// n-th answer, the last one ever after.
type regulator struct {
	*searchProvider

	clock *clocktest.Clock
	mu    sync.Mutex
	paths []string
	agent string
}

func newRegulator(t *testing.T, timeout time.Duration, answers ...http.HandlerFunc) *regulator {
	t.Helper()
	g := &regulator{clock: clocktest.At("2026-11-21T09:00:00Z")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		answer := answers[min(len(g.paths), len(answers)-1)]
		g.paths, g.agent = append(g.paths, r.URL.RequestURI()), r.UserAgent()
		g.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL + "/")
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	g.searchProvider = newSearchProvider(base, httpclient.New(httpclient.Config{
		UserAgent: userAgent("tests@example.com"), Timeout: timeout, BytesMax: searchBytesMax, Sleep: g.clock.Sleep,
	}, transport, g.clock, slog.New(slog.DiscardHandler)), g.clock)
	return g
}

func (g *regulator) asked() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.paths)
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func fails(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// firm is the answer of the search about 900001, with more of the content than its number.
func firm(content string) string {
	inner, err := json.Marshal(`{"basicInformation":{"firmId":900001,"firmName":"HARBOR RIDGE","otherNames":[]},` + content + `"brochures":{}}`)
	if err != nil {
		panic(err)
	}
	return `{"hits":{"total":1,"hits":[{"_type":"_doc","_source":{"iacontent":` + string(inner) + `}}]}}`
}

const (
	unknownFirm = `{"hits":{"total":0,"hits":[]}}`

	itemised = `"iaDisclosureFlag":"Y","iaDisclosures":[
		{"disclosureType":"Regulatory","eventDate":"2/19/2021","disclosureResolution":"Final","isBcComment":"N","disclosureDetail":{
			"DocketNumberFDA":"2020065242701","Initiated By":"FINRA","Allegations":"Trade reports had errors.","Resolution":"Acceptance, Waiver & Consent(AWC)",
			"SanctionDetails":[{"Sanctions":"Censure"},{"Sanctions":"Civil and Administrative Penalty(ies)/Fine(s)","SanctionDetails":[{"Amount":"$5,000.00"},{"Amount":"$250.50"}]}]}},
		{"disclosureType":"Regulatory","eventDate":"09/30/2023","disclosureResolution":"Pending","disclosureDetail":{"Initiated By":"United States Securities and Exchange Commission","Allegations":"Late delivery."}},
		{"disclosureType":"Criminal","eventDate":"2014-05-06","disclosureResolution":"Final Disposition","disclosureDetail":{"criminalCharges":[{"Charges":"One count.","Disposition":"Dismissed"}]}},
		{"disclosureType":"Civil","eventDate":"someday","disclosureDetail":{"Court":"District Court of Tivan","Docket/Case Number":209}},
		{"disclosureType":"Customer Dispute","eventDate":"1/1/2020","disclosureDetail":{"Allegations":"None of ours."}}],
		"disclosures":[{"disclosureType":"Regulatory Event","disclosureCount":5},{"disclosureType":"Civil Event","disclosureCount":"1"},{"disclosureType":"Arbitration","disclosureCount":3}],`
)

// Guarantee: the search's events are the contract's, each once, and its mere numbers are told as such.
func TestDecodeFirm(t *testing.T) {
	t.Parallel()
	a, err := decodeFirm([]byte(firm(itemised)), "900001")
	require.NoError(t, err)
	require.Len(t, a.Events, 4)
	finra, sec, criminal, civil := a.Events[0], a.Events[1], a.Events[2], a.Events[3]
	require.Equal(t, Event{
		EventID: finra.EventID, EventType: Disciplinary, EventDate: new("2021-02-19"), Description: "Trade reports had errors.",
		Resolution: "Acceptance, Waiver & Consent(AWC)", Source: "iapd", Sources: []string{"iapd"}, CaseNumber: new("2020065242701"),
		AdvisoryAffiliates: []Affiliate{}, InitiatedBy: new("FINRA"), Status: new("Final"),
		Sanctions: []string{"censure", "civil and administrative penalty(ies)/fine(s)"}, MonetaryAmount: new(int64(5250)), Items: []string{},
	}, finra)
	require.Equal(t, Regulatory, sec.EventType)
	require.Equal(t, "2023-09-30", *sec.EventDate)
	require.Nil(t, sec.MonetaryAmount)
	require.Equal(t, Criminal, criminal.EventType)
	require.Equal(t, "One count.", criminal.Description)
	require.Equal(t, "Dismissed", criminal.Resolution)
	require.Equal(t, Civil, civil.EventType)
	require.Nil(t, civil.EventDate, "a date that is none")
	require.Equal(t, "209", *civil.CaseNumber)
	three, kind := 3, Regulatory
	require.Equal(t, []NotItemized{{Source: "iapd", EventType: &kind, Count: &three}}, a.NotItemized, "five less the two that are told")
}

func TestDecodeShapes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body   string
		events int
		counts int
		want   error
	}{
		"unknown firm":           {unknownFirm, 0, 0, nil},
		"unknown, null":          {`{"hits":{"total":0,"hits":null}}`, 0, 0, nil},
		"no disclosures":         {firm(`"iaDisclosureFlag":"N",`), 0, 0, nil},
		"the flag alone":         {firm(`"iaDisclosureFlag":"Y",`), 0, 1, nil},
		"numbers alone":          {firm(`"iaDisclosureFlag":"Y","disclosures":[{"disclosureType":"Regulatory Event","disclosureCount":2},{"disclosureType":"Civil Event","disclosureCount":0}],`), 0, 1, nil},
		"lists by kind":          {firm(`"iaCriminalDisclosures":[{"eventDate":"1/2/2003"}],"iaRegulatoryDisclosures":null,"iaCivilDisclosures":[{"eventDate":"1/2/2003"},{}],`), 2, 0, nil},
		"twice":                  {firm(`"iaDisclosures":[{"disclosureType":"Civil","eventDate":"1/2/2003"}],"brokerDisclosures":[{"disclosureType":"Civil Event","eventDate":"01/02/2003"}],`), 1, 0, nil},
		"content not packed":     {`{"hits":{"hits":[{"_source":{"iacontent":{"basicInformation":{"firmId":"900001"}}}}]}}`, 0, 0, nil},
		"detail of another kind": {firm(`"iaDisclosures":[{"disclosureType":"Civil","eventDate":"1/2/2003","disclosureDetail":"see there"}],`), 1, 0, nil},
		"sanctions, one":         {firm(`"iaDisclosures":[{"disclosureType":"Civil","eventDate":"1/2/2003","disclosureDetail":{"SanctionDetails":{"Sanctions":"Bar"}}}],`), 1, 0, nil},
		"no JSON":                {`<html>busy</html>`, 0, 0, errShape},
		"empty":                  {``, 0, 0, errShape},
		"no hits":                {`{"total":1}`, 0, 0, errShape},
		"null":                   {`null`, 0, 0, errShape},
		"null hits":              {`{"hits":null}`, 0, 0, errShape},
		"a list":                 {`[]`, 0, 0, errShape},
		"error":                  {`{"errorCode":4001,"errorMessage":"Exceeded limit","hits":{"total":0,"hits":null}}`, 0, 0, errSearched},
		"no source":              {`{"hits":{"hits":[{}]}}`, 0, 0, errShape},
		"no content":             {`{"hits":{"hits":[{"_source":{"content":"{}"}}]}}`, 0, 0, errShape},
		"content is no JSON":     {`{"hits":{"hits":[{"_source":{"iacontent":"busy"}}]}}`, 0, 0, errShape},
		"another firm":           {strings.ReplaceAll(firm(``), "900001", "900002"), 0, 0, errShape},
		"no number":              {`{"hits":{"hits":[{"_source":{"iacontent":"{}"}}]}}`, 0, 0, errShape},
		"list is none":           {firm(`"iaDisclosures":{"count":2},`), 0, 0, errShape},
		"entry is none":          {firm(`"iaDisclosures":["Civil"],`), 0, 0, errShape},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := decodeFirm([]byte(test.body), "900001")
			require.ErrorIs(t, err, test.want)
			require.Len(t, a.Events, test.events)
			require.Len(t, a.NotItemized, test.counts)
		})
	}
}

// Guarantee: what the search sends becomes an answer or a failure, in bounded time and size, after at most three requests.
func TestSearch(t *testing.T) {
	t.Parallel()
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	elsewhere := httptest.NewServer(says(firm(itemised)))
	t.Cleanup(elsewhere.Close)
	for name, test := range map[string]struct {
		answers []http.HandlerFunc
		asked   int
		want    string // of the error; empty = answered
		resting bool   // afterwards
	}{
		"ok":              {[]http.HandlerFunc{says(firm(itemised))}, 1, "", false},
		"busy, then ok":   {[]http.HandlerFunc{fails(429), says(firm(itemised))}, 2, "", false},
		"fails for good":  {[]http.HandlerFunc{fails(500)}, 3, "500", true},
		"slow":            {[]http.HandlerFunc{slow}, 1, "no response in time", true},
		"huge":            {[]http.HandlerFunc{says(firm(`"x":"` + strings.Repeat("x", searchBytesMax) + `",`))}, 1, "too large", false},
		"garbage":         {[]http.HandlerFunc{says(`{"hits":`)}, 1, "it has an unknown shape", false},
		"redirected away": {[]http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }}, 1, "another host", false},
		"not there":       {[]http.HandlerFunc{fails(404)}, 1, "404", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := 10 * time.Second
			if name == "slow" {
				timeout = time.Second // long enough for the request to arrive on a busy machine
			}
			g := newRegulator(t, timeout, test.answers...)
			a, err := g.Events(t.Context(), "900001")
			require.Equal(t, test.asked, g.asked())
			require.Equal(t, "/search/firm/900001", g.paths[0])
			require.Equal(t, "GP Atlas tests@example.com", g.agent)
			if test.want == "" {
				require.NoError(t, err)
				require.Len(t, a.Events, 4)
			} else {
				require.ErrorContains(t, err, test.want)
			}
			require.Equal(t, test.resting, g.isResting())
		})
	}
	g := newRegulator(t, time.Second, says(unknownFirm))
	a, err := g.Events(t.Context(), "900001")
	require.NoError(t, err)
	require.Empty(t, a.Events)
}

// Guarantee: a search that has just failed is paused for half a minute, and the caller does not wait for it.
func TestSearchRests(t *testing.T) {
	t.Parallel()
	g := newRegulator(t, 10*time.Second, fails(503), fails(503), fails(503), says(unknownFirm))
	_, err := g.Events(t.Context(), "900001")
	require.ErrorContains(t, err, "503")
	_, err = g.Events(t.Context(), "900002")
	require.ErrorIs(t, err, errResting)
	require.Equal(t, 3, g.asked())
	require.NoError(t, g.clock.Sleep(t.Context(), rest))
	_, err = g.Events(t.Context(), "900002")
	require.NoError(t, err)
	require.Equal(t, 4, g.asked())
}

// Guarantee: a caller who goes away does not make others leave the search alone.
func TestSearchLeft(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	g := newRegulator(t, 10*time.Second, func(_ http.ResponseWriter, r *http.Request) {
		leave()
		<-r.Context().Done()
	})
	_, err := g.Events(ctx, "900001")
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, g.isResting())
}

func TestProviders(t *testing.T) {
	t.Parallel()
	w := clocktest.New(time.Time{})
	for address, want := range map[string]string{"": "[form_adv]", "https://api.example.com/": "[form_adv iapd]"} {
		list, err := Providers(Settings{SearchURL: address}, nil, w, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		var names []string
		for _, p := range list {
			names = append(names, p.Name())
		}
		require.Equal(t, want, fmt.Sprint(names))
	}
	_, err := Providers(Settings{SearchURL: "http://[::1"}, nil, w, nil)
	require.ErrorContains(t, err, "address of the firm search")
	edition, err := newSearchProvider(nil, nil, w).Edition(t.Context(), "900001")
	require.NoError(t, err)
	require.Empty(t, edition)
	require.Equal(t, "GP Atlas", userAgent(""))
}
