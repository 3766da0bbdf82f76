package spec_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/web/spec"
)

func operation(path string, options ...httpapi.Option) httpapi.Route {
	return httpapi.Get(path, "x", func(context.Context, *struct{}) (*httpapi.Reply[struct{}], error) { return nil, nil }, options...)
}

var rows = []spec.Row{
	{Method: "GET", Path: "/free", Access: httpapi.Public},
	{Method: "GET", Path: "/paid", Access: httpapi.Login, ChargeMicros: 150_000, Per: "request"},
}

// Every way in which operations and contract can differ is found.
func TestCheck(t *testing.T) {
	t.Parallel()
	free := operation("/free")
	paid := operation("/paid", httpapi.Grant(httpapi.Login), httpapi.Charge(150_000, "request"))
	for name, test := range map[string]struct {
		routes []httpapi.Route
		want   string // "" = no fault
	}{
		"all built":           {[]httpapi.Route{free, paid}, ""},
		"not built":           {[]httpapi.Route{free}, "GET /paid is not built"},
		"not in the contract": {[]httpapi.Route{free, paid, operation("/extra")}, "GET /extra is built, but neither in endpoints.tsv nor in beyond.tsv"},
		"other access":        {[]httpapi.Route{free, operation("/paid", httpapi.Charge(150_000, "request"))}, "GET /paid: access is public, the contract says login"},
		"other price": {
			[]httpapi.Route{free, operation("/paid", httpapi.Grant(httpapi.Login), httpapi.Charge(100_000, "request"))},
			`GET /paid: charges 100000 µ$ per "request", the contract says 150000 per "request"`,
		},
		"other unit":                {[]httpapi.Route{free, operation("/paid", httpapi.Grant(httpapi.Login), httpapi.Charge(150_000, "person"))}, `per "person"`},
		"price where there is none": {[]httpapi.Route{operation("/free", httpapi.Charge(1, "request")), paid}, "GET /free: charges 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := errors.Join(spec.Check(rows, test.routes)...)
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}

const heading = "method\tpath\taccess\tcharge_usd\tper\tmodule\n"

func TestParseEndpoints(t *testing.T) {
	t.Parallel()
	got, err := spec.ParseEndpoints(heading + "GET\t/a\tpublic\t0\t-\tweb\nPOST\t/b\tlogin\t0.15\tperson\tpeople\n")
	require.NoError(t, err)
	require.Equal(t, []spec.Row{
		{Method: "GET", Path: "/a", Access: httpapi.Public, Module: "web"},
		{Method: "POST", Path: "/b", Access: httpapi.Login, ChargeMicros: 150_000, Per: "person", Module: "people"},
	}, got)
	for bad, want := range map[string]string{
		"GET\t/a\tpublic\t0\n":                                     "line 2: 4 cells",
		"GET\t/a\tnobody\t0\t-\tweb\n":                             "unknown access",
		"GET\t/a\tpublic\tfree\t-\tweb\n":                          "no amount",
		"GET\t/a\tpublic\t-1\trequest\tw\n":                        "no amount",
		"GET\t/a\tpublic\t0.5\t-\tweb\n":                           "charge 0.5 per -",
		"GET\t/a\tpublic\t0\trequest\tweb\n":                       "charge 0 per request",
		"GET\t/a\tpublic\t0\t-\tweb\nGET\t/a\tpublic\t0\t-\tweb\n": "line 3: GET /a is listed twice",
	} {
		_, err := spec.ParseEndpoints(heading + bad)
		require.ErrorContains(t, err, want)
	}
	_, err = spec.ParseEndpoints("path\tmethod\n")
	require.ErrorContains(t, err, "unknown heading")
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// shape is a row's address without the names of its parameters: /a/{x} and /a/{y} are one address.
func shape(row spec.Row) string { return row.Method + " " + parameter.ReplaceAllString(row.Path, "{}") }

// shapes are the addresses of rows; two rows of one address are an error.
func shapes(rows []spec.Row) (map[string]bool, error) {
	seen := map[string]bool{}
	for _, row := range rows {
		if seen[shape(row)] {
			return nil, fmt.Errorf("%s %s is listed twice", row.Method, row.Path)
		}
		seen[shape(row)] = true
	}
	return seen, nil
}

func TestTheTablesAreGood(t *testing.T) {
	t.Parallel()
	all, err := spec.Endpoints()
	require.NoError(t, err)
	require.Len(t, all, 146)
	beyond, err := spec.Beyond()
	require.NoError(t, err)
	require.NotEmpty(t, beyond)
	modules := map[string]bool{"audit": true, "feed": true} // which the contract does not know
	for _, row := range all {
		modules[row.Module] = true
	}
	contract, err := shapes(all)
	require.NoError(t, err)
	for _, row := range beyond {
		require.NotContains(t, contract, shape(row), "an operation of the contract cannot be beyond it")
		require.True(t, modules[row.Module], "%s %s belongs to no module: %q", row.Method, row.Path, row.Module)
		require.True(t, strings.HasPrefix(row.Path, "/v1/"), row.Path)
	}
	_, err = shapes(beyond)
	require.NoError(t, err)
}
