package httpapi_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

type guess struct {
	Q string `query:"q"`
}

// Guarantee: whatever a caller asks without paying, the response is the same whether something is found or not.
func TestUnpaidRequestsRevealNothing(t *testing.T) {
	t.Parallel()
	search := httpapi.Get("/search", "search", func(_ context.Context, in *guess) (*httpapi.Reply[word], error) {
		switch in.Q {
		case "h", "r":
			return &httpapi.Reply[word]{
				Body: word{secretWord}, Page: &httpapi.Page{Total: 3, Limit: 1}, Header: map[string]string{"X-Extra": "3"},
			}, nil
		case "lost":
			return nil, apperr.NotFound("none")
		}
		return &httpapi.Reply[word]{Free: true, Page: &httpapi.Page{Limit: 1}}, nil
	}, httpapi.Charge(250_000, charge.PerRequest), httpapi.Paged(), httpapi.Errors(http.StatusNotFound))
	meter := &chargetest.Meter{}
	h := httpapitest.NewMetered(t, meter, search)
	bought := h.Do(t, httpapitest.Scenario{Path: "/search?q=r", As: ada, WantHeader: map[string]string{"X-Charge": "0.25"}}).Header.Get("ETag")
	require.NotEmpty(t, bought)
	empty := h.Do(t, httpapitest.Scenario{Path: "/search?q=x", As: ada, WantHeader: map[string]string{"X-Charge": "0.00"}})
	require.Empty(t, empty.Header.Get("ETag"), "the tag of an empty response would recognize others")
	poor := &auth.Principal{Kind: auth.Session, UserID: 8}
	meter.SetCap(8, new(int64(0)))
	guessed := `"c0b8c2f4d0c1f9a4-n"`
	for name, ask := range map[string]httpapitest.Scenario{
		"a quote":               {Path: "&quote=true"},
		"HEAD":                  {Method: "HEAD"},
		"HEAD for a quote":      {Method: "HEAD", Path: "&quote=true"},
		"HEAD with a tag":       {Method: "HEAD", Header: map[string]string{"If-None-Match": bought}},
		"HEAD with a star":      {Method: "HEAD", Header: map[string]string{"If-None-Match": "*"}},
		"max_charge":            {Path: "&max_charge=0", Status: 402},
		"max_charge, a tag":     {Path: "&max_charge=0", Header: map[string]string{"If-None-Match": guessed}, Status: 402},
		"max_charge, a foreign": {Path: "&max_charge=0", Header: map[string]string{"If-None-Match": bought}, Status: 402},
		"max_charge, a star":    {Path: "&max_charge=0", Header: map[string]string{"If-None-Match": "*"}, Status: 402},
		"a full cap":            {As: poor, Status: 402},
		"a full cap, a tag":     {As: poor, Header: map[string]string{"If-None-Match": guessed}, Status: 402},
		"a full cap, a star":    {As: poor, Header: map[string]string{"If-None-Match": `"x", *`}, Status: 402},
	} {
		if ask.As == nil {
			ask.As = ada
		}
		terms := ask.Path
		ask.Path = "/search?q=h" + terms
		found := h.Do(t, ask)
		ask.Path = "/search?q=x" + terms
		none := h.Do(t, ask)
		found.Header.Del("X-Request-ID")
		none.Header.Del("X-Request-ID")
		require.Equal(t, found.Header, none.Header, name)
		require.Equal(t, found.Body, none.Body, name)
		if ask.Status == http.StatusPaymentRequired {
			ask.Path = "/search?q=lost" + terms
			lost := h.Do(t, ask)
			require.Equal(t, found.Body, lost.Body, name)
		}
	}
	require.Len(t, meter.Charged(), 1)
}

// The same for operations whose IDs are part of what they sell.
func TestMissingThingsAreHidden(t *testing.T) {
	t.Parallel()
	handler := func(_ context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*httpapi.Reply[word], error) {
		switch in.ID {
		case "there":
			return &httpapi.Reply[word]{Body: word{secretWord}, Units: []string{"p1"}}, nil
		case "unread":
			return nil, apperr.Unavailable("Not read yet")
		}
		return nil, apperr.NotFound("none")
	}
	meter := &chargetest.Meter{}
	h := httpapitest.NewMetered(t, meter, httpapi.Get("/p/{id}", "p", handler, httpapi.Charge(250_000, charge.PerRequest), httpapi.Sells("profile"),
		httpapi.HidesMissing(), httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)))
	poor := &auth.Principal{Kind: auth.Session, UserID: 8}
	meter.SetCap(8, new(int64(0)))
	for name, ask := range map[string]httpapitest.Scenario{
		"a quote":            {Path: "?quote=true"},
		"HEAD":               {Method: "HEAD"},
		"HEAD with a tag":    {Method: "HEAD", Header: map[string]string{"If-None-Match": `"x"`}},
		"max_charge":         {Path: "?max_charge=0", Status: 402},
		"max_charge, a tag":  {Path: "?max_charge=0", Header: map[string]string{"If-None-Match": `"x"`}, Status: 402},
		"a full cap":         {As: poor, Status: 402},
		"a full cap and tag": {As: poor, Header: map[string]string{"If-None-Match": `"x"`}, Status: 402},
	} {
		if ask.As == nil {
			ask.As = ada
		}
		terms := ask.Path
		ask.Path = "/p/there" + terms
		found := h.Do(t, ask)
		found.Header.Del("X-Request-ID")
		for _, id := range []string{"lost", "unread"} {
			ask.Path = "/p/" + id + terms
			none := h.Do(t, ask)
			none.Header.Del("X-Request-ID")
			require.Equal(t, found, none, name)
		}
	}
	h.Do(t, httpapitest.Scenario{Path: "/p/lost", As: ada, Status: 404})
	require.Empty(t, meter.Charged())
}

// Guarantee: where a filter chooses people by what is sold, whatever is answered without payment is the same whomever it finds. An
// execution that is tried again under its Idempotency-Key is no exception.
func TestFiltersAreNotAnsweredForFree(t *testing.T) {
	t.Parallel()
	all, meter := []string{"p1", "p2", "p3", "p4"}, &chargetest.Meter{}
	handler := func(_ context.Context, in *guess) (*httpapi.Reply[word], error) {
		n := map[string]int{"some": 2, "all": 4}[in.Q]
		return &httpapi.Reply[word]{Body: word{secretWord}, Units: all[:n], Bound: &httpapi.Bound{Most: 3, Fresh: len(all) - len(meter.Owned(ada.UserID, "roster"))}}, nil
	}
	h := httpapitest.NewMetered(t, meter, httpapi.Get("/gone", "gone", handler, httpapi.Charge(500_000, charge.PerPerson), httpapi.Sells("roster")))
	poor := &auth.Principal{Kind: auth.Session, UserID: 8}
	meter.SetCap(8, new(int64(1_000_000)))
	for name, ask := range map[string]httpapitest.Scenario{
		"a quote":             {Path: "&quote=true", Contains: []string{`"quantity":3,"owned":0,"amount":1.5,"at_most":true`}},
		"HEAD":                {Method: "HEAD", WantHeader: map[string]string{"X-Charge-Estimate": "1.50"}},
		"nothing to be paid":  {Path: "&max_charge=0", Status: 402, Contains: []string{`"amount":1.5`, "the most that the response may cost"}},
		"enough for one only": {Path: "&max_charge=0.5", Status: 402, Contains: []string{`"amount":1.5`}},
		"a full cap":          {As: poor, Status: 402},
	} {
		if ask.As == nil {
			ask.As = ada
		}
		terms, answers := ask.Path, map[string]httpapitest.Response{}
		for _, q := range []string{"none", "some", "all"} {
			ask.Path = "/gone?q=" + q + terms
			got := h.Do(t, ask)
			got.Header.Del("X-Request-ID")
			answers[q] = got
		}
		require.Equal(t, answers["none"], answers["some"], name)
		require.Equal(t, answers["none"], answers["all"], name)
	}
	require.Empty(t, meter.Charged())
	h.Do(t, httpapitest.Scenario{Path: "/gone?q=some&max_charge=1.5", As: ada, WantHeader: map[string]string{"X-Charge": "1.00"}})
	for _, q := range []string{"none", "some", "all"} { // two of four are bought
		h.Do(t, httpapitest.Scenario{Path: "/gone?quote=true&q=" + q, As: ada, Contains: []string{`"quantity":3,"owned":1,"amount":1,"at_most":true`}})
		h.Do(t, httpapitest.Scenario{Path: "/gone?max_charge=0.99&q=" + q, As: ada, Status: 402})
	}
	h.Do(t, httpapitest.Scenario{Path: "/gone?q=all&max_charge=1", As: ada, WantHeader: map[string]string{"X-Charge": "1.00"}})
	for _, q := range []string{"none", "some", "all"} {
		h.Do(t, httpapitest.Scenario{Path: "/gone?max_charge=0&q=" + q, As: ada, WantHeader: map[string]string{"X-Charge": "0.00"}})
	}
}

// The secrets of tags may be replaced: answers bought before are recognized while the old one is listed.
func TestTagsSurviveANewSecret(t *testing.T) {
	t.Parallel()
	var s shop
	meter := &chargetest.Meter{}
	host := func(keys ...string) *httpapitest.Host {
		c := httpapi.Config{Meter: meter}
		for _, k := range keys {
			c.TagKeys = append(c.TagKeys, []byte(k))
		}
		return httpapitest.NewWith(t, c, s.routes()...)
	}
	tag := host("old").Do(t, httpapitest.Scenario{Path: "/plain", As: ada}).Header.Get("ETag")
	again := httpapitest.Scenario{Path: "/plain", As: ada, Header: map[string]string{"If-None-Match": tag}, Status: 304}
	host("old").Do(t, again)
	host("new", "old").Do(t, again)
	again.Status = 200
	require.NotEqual(t, tag, host("new").Do(t, again).Header.Get("ETag"))
}
