package httpapi_test

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

func TestDollarsAreWrittenExactly(t *testing.T) {
	t.Parallel()
	for micros, want := range map[int64]string{
		0: "0", 1: "0.000001", 300_000: "0.3", 12_500: "0.0125", 25_000_000: "25", 1_000_000_000: "1000", -500_000: "-0.5", 10_990_000: "10.99",
		math.MaxInt64: "9223372036854.775807", math.MinInt64: "-9223372036854.775808",
	} {
		got, err := json.Marshal(httpapi.Dollars(micros))
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64().Draw(t, "micros")
		got, err := json.Marshal(httpapi.Dollars(micros))
		require.NoError(t, err)
		require.Equal(t, charge.Dollars(micros), padded(string(got)))
	})
}

// padded has two decimals at least, as the header X-Charge.
func padded(number string) string {
	whole, decimals, _ := strings.Cut(number, ".")
	for len(decimals) < 2 {
		decimals += "0"
	}
	return whole + "." + decimals
}

func TestDollarsAreReadExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(-math.MaxInt64/10_000, math.MaxInt64/10_000).Draw(t, "cents")
		text, err := json.Marshal(httpapi.Dollars(cents * 10_000))
		require.NoError(t, err)
		var back httpapi.Dollars
		require.NoError(t, json.Unmarshal(text, &back))
		require.EqualValues(t, cents*10_000, back)
		require.Error(t, json.Unmarshal([]byte(padded(string(text))+strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "more"))), &back))
	})
}

// A body's amount is refused under its own name, whatever is wrong with it.
func TestDollarsInBodies(t *testing.T) {
	t.Parallel()
	type body struct {
		Cap *httpapi.Dollars `json:"cap" nullable:"true" minimum:"10"`
	}
	host := httpapitest.New(t, httpapi.Put("/cap", "put-cap", func(_ context.Context, in *struct{ Body body }) (*httpapi.Reply[body], error) {
		return &httpapi.Reply[body]{Body: in.Body}, nil
	}))
	for sent, want := range map[string]string{
		"10": "10", "10.00": "10", "10.5": "10.5", "1e1": "10", "1.05E+1": "10.5", "105000e-4": "10.5", "9223372036854.77": "9223372036854.77", "null": "null",
	} {
		host.Do(t, httpapitest.Scenario{Name: sent, Method: "PUT", Path: "/cap", Body: `{"cap":` + sent + `}`, WantJSON: `{"cap":` + want + `}`})
	}
	const outOfRange = "must be at most 9223372036854.77"
	for sent, want := range map[string]string{
		"9.99": "must be at least 10", "-1": "must be at least 10", "10.005": "must have at most two decimals", "10.0000000000000000001": "must have at most two decimals",
		`"10"`: "must be a number", "true": "must be a number", "9223372036854.78": outOfRange, "1e20": outOfRange, "1e39": outOfRange,
		"1e300": outOfRange, "1E+300": outOfRange, "100000000e-999999999999": "must be at least 10", "10." + strings.Repeat("0", 50): "must be written with at most 40 digits",
	} {
		got := host.Do(t, httpapitest.Scenario{Name: sent, Method: "PUT", Path: "/cap", Body: `{"cap":` + sent + `}`, Status: 400})
		require.Contains(t, got.Body, `{"field":"cap","message":"`+want, sent)
	}
	for sent, want := range map[string]string{`{}`: `{"field":"cap","message":"is required"}`, `{"cap":NaN}`: `{"field":"body"`, `{"cap":1e400}`: `{"field":"body"`} {
		got := host.Do(t, httpapitest.Scenario{Name: sent, Method: "PUT", Path: "/cap", Body: sent, Status: 400})
		require.Contains(t, got.Body, want, sent)
	}
}

// Both ends of the range are named, however far beyond them a number is.
func TestDollarsOutOfRange(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"9223372036854.78", "1e20", "1e39", "1e300"} {
		var d httpapi.Dollars
		require.ErrorContains(t, json.Unmarshal([]byte(size), &d), "must be at most 9223372036854.77", size)
		require.ErrorContains(t, json.Unmarshal([]byte("-"+size), &d), "must be at least -9223372036854.77", size)
	}
}

// Amounts are documented as numbers of 64 bits, for clients that are generated.
func TestDollarsAreDocumentedAsDoubles(t *testing.T) {
	t.Parallel()
	schema := httpapi.Dollars(0).Schema(nil)
	require.Equal(t, "number double", schema.Type+" "+schema.Format)
	host := httpapitest.New(t, answer("/plain", "plain", (&shop{}).sells(httpapi.Reply[word]{}), httpapi.Charge(250_000, charge.PerRequest)))
	found := false
	for _, p := range host.API.OpenAPI().Paths["/plain"].Get.Parameters {
		if p.Name == "max_charge" {
			found = true
			require.Equal(t, "double", p.Schema.Format)
		}
	}
	require.True(t, found)
}

// A field that may be absent and not null: huma alone takes null for absent.
func TestOptInBodies(t *testing.T) {
	t.Parallel()
	type body struct {
		Loud  httpapi.Opt[bool]            `json:"loud,omitzero"`
		Price httpapi.Opt[httpapi.Dollars] `json:"price,omitzero" maximum:"500"`
	}
	type answer struct {
		Loud  *bool            `json:"loud"`
		Price *httpapi.Dollars `json:"price" nullable:"true"`
	}
	host := httpapitest.New(t, httpapi.Put("/opt", "put-opt", func(_ context.Context, in *struct{ Body body }) (*httpapi.Reply[answer], error) {
		return &httpapi.Reply[answer]{Body: answer{in.Body.Loud.Ptr(), in.Body.Price.Ptr()}}, nil
	}))
	put := func(sent string, status int) string {
		return host.Do(t, httpapitest.Scenario{Name: sent, Method: "PUT", Path: "/opt", Body: sent, Status: status}).Body
	}
	require.JSONEq(t, `{"loud":null,"price":null}`, put(`{}`, 200))
	require.JSONEq(t, `{"loud":false,"price":0}`, put(`{"loud":false,"price":0}`, 200))
	for sent, want := range map[string]string{
		`{"loud":null}`: `{"field":"loud","message":"must not be null"}`, `{"price":null,"loud":true}`: `{"field":"price","message":"must not be null"}`,
		`{"loud":1}`: `{"field":"loud","message":"must be true or false"}`, `{"price":1.005}`: `{"field":"price","message":"must have at most two decimals"}`,
		`{"price":501}`: `{"field":"price","message":"must be at most 500"}`,
	} {
		require.Contains(t, put(sent, 400), want)
	}
}
