package httpapi_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/charge/chargetest"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/httpapi/httpapitest"
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
		if in.ID == "there" {
			return &httpapi.Reply[word]{Body: word{secretWord}, Units: []string{"p1"}}, nil
		}
		return nil, apperr.NotFound("none")
	}
	meter := &chargetest.Meter{}
	h := httpapitest.NewMetered(t, meter, httpapi.Get("/p/{id}", "p", handler, httpapi.Charge(250_000, charge.PerRequest), httpapi.Sells("profile"),
		httpapi.HidesMissing(), httpapi.Errors(http.StatusNotFound)))
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
		ask.Path = "/p/lost" + terms
		none := h.Do(t, ask)
		found.Header.Del("X-Request-ID")
		none.Header.Del("X-Request-ID")
		require.Equal(t, found.Header, none.Header, name)
		require.Equal(t, found.Body, none.Body, name)
	}
	h.Do(t, httpapitest.Scenario{Path: "/p/lost", As: ada, Status: 404})
	require.Empty(t, meter.Charged())
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
