package httpapi_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

// keptInput is an operation's parameters that may be kept.
type keptInput struct {
	City    httpapi.Opt[string]       `query:"city" minLength:"2"`
	Band    httpapi.Opt[string]       `query:"band" enum:"low,high"`
	MinAUM  httpapi.Opt[int64]        `query:"min_aum" minimum:"0"`
	Audited httpapi.Opt[bool]         `query:"audited"`
	Since   httpapi.Opt[httpapi.Date] `query:"since"`
	Share   httpapi.Opt[float64]      `query:"share" maximum:"1"`
	Order   string                    `query:"order" default:"asc" enum:"asc,desc"`
}

// Values of JSON types are held to the rules of the parameters, and all faults come at once, by name.
func TestDecodeQuery(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                      "",
		`{"city":"Boston & Co."}`: "",
		`{"min_aum":2500000000,"audited":false,"since":"2026-11-01","share":0.25,"band":"low","order":"desc"}`: "",
		`{"min_aum":1e3}`:              "",
		`{"city":"B"}`:                 "city: must have at least 2 characters",
		`{"city":""}`:                  "city: must not be empty; leave it out instead",
		`{"city":7}`:                   "city: must be a string",
		`{"city":["Boston"]}`:          "city: must be a string",
		`{"city":null}`:                "city: must not be null; leave it out instead",
		`{"city":"Bos\u0000ton"}`:      "city: must not contain a NUL byte",
		`{"band":"middle"}`:            "band: must be one of low, high",
		`{"band":true}`:                "band: must be a string",
		`{"min_aum":"5"}`:              "min_aum: must be a whole number, at least 0",
		`{"min_aum":-1}`:               "min_aum: must be a whole number, at least 0",
		`{"min_aum":1.5}`:              "min_aum: must be a whole number, at least 0",
		`{"min_aum":1e300}`:            "min_aum: must be a whole number of at most 9007199254740991, which JSON represents exactly",
		`{"min_aum":9007199254740993}`: "min_aum: must be a whole number of at most 9007199254740991, which JSON represents exactly",
		`{"min_aum":{}}`:               "min_aum: must be a whole number, at least 0",
		`{"audited":"true"}`:           "audited: must be true or false",
		`{"audited":1}`:                "audited: must be true or false",
		`{"since":"yesterday"}`:        "since: must be a date such as 2026-01-31",
		`{"share":2}`:                  "share: must be a number, at most 1",
		`{"order":"up"}`:               "order: must be one of asc, desc",
		`{"min_amu":1}`:                `min_amu: unknown parameter; did you mean "min_aum"?`,
		`{"":1}`:                       ": unknown parameter; this operation accepts audited, band, city, min_aum, order, share, since",
		`{"x":1,"city":"","band":""}`:  "band: must not be empty; leave it out instead | city: must not be empty; leave it out instead | x: unknown parameter; this operation accepts audited, band, city, min_aum, order, share, since",
	} {
		var values map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &values))
		var in keptInput
		var said []string
		for _, f := range httpapi.DecodeQuery(values, &in) {
			said = append(said, f.Field+": "+f.Message)
		}
		require.Equal(t, want, strings.Join(said, " | "), text)
	}
}

// What is decoded is what the address would have given.
func TestDecodeQueryIsTheAddress(t *testing.T) {
	t.Parallel()
	var fromAddress keptInput
	host := httpapitest.New(t, httpapi.Get("/a", "a", func(_ context.Context, in *keptInput) (*httpapi.Reply[httpapi.Data[bool]], error) {
		fromAddress = *in
		return &httpapi.Reply[httpapi.Data[bool]]{}, nil
	}))
	rapid.Check(t, func(rt *rapid.T) {
		values, query := map[string]any{}, url.Values{}
		put := func(name string, value any) {
			if rapid.Bool().Draw(rt, name+" sent") {
				text, err := json.Marshal(value)
				require.NoError(rt, err)
				values[name] = value
				query.Set(name, strings.Trim(string(text), `"`))
			}
		}
		put("city", rapid.StringMatching(`[a-z %é+]{1,6}`).Draw(rt, "city"))
		put("band", rapid.SampledFrom([]string{"low", "high", "x"}).Draw(rt, "band"))
		put("min_aum", float64(rapid.Int64Range(-5, httpapi.ExactMax).Draw(rt, "min_aum")))
		put("audited", rapid.Bool().Draw(rt, "audited"))
		put("since", rapid.SampledFrom([]string{"2026-11-01", "2026-11-31"}).Draw(rt, "since"))
		put("order", rapid.SampledFrom([]string{"asc", "desc", "up"}).Draw(rt, "order"))
		for name := range query { // json.Marshal writes large floats with an exponent
			if number, ok := values[name].(float64); ok {
				query.Set(name, json.Number(formatWhole(number)).String())
			}
		}
		var in keptInput
		faults := httpapi.DecodeQuery(values, &in)
		fromAddress = keptInput{}
		status := 200
		if faults != nil {
			status = 400
		}
		got := host.Do(t, httpapitest.Scenario{Path: "/a?" + query.Encode(), Status: status})
		if faults == nil {
			require.Equal(rt, fromAddress, in)
			return
		}
		var problem struct{ Errors []apperr.FieldError }
		require.NoError(rt, json.Unmarshal([]byte(got.Body), &problem))
		require.ElementsMatch(rt, problem.Errors, faults)
	})
}

func formatWhole(v float64) string {
	text, _ := json.Marshal(int64(v))
	return string(text)
}

// Only inputs that are parameters and nothing else can be decoded so.
func TestDecodeQueryNeedsParametersAlone(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() {
		var in struct {
			Body struct{ Name string }
		}
		httpapi.DecodeQuery(nil, &in)
	})
}
