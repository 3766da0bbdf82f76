package httpapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tags are the same in every process and build: clients keep them over our restarts.
func TestETagIsStable(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"ef46db3751d8e999-0"`, string(appendETag(nil, nil)))
	require.Equal(t, `"931c26946babef87-f"`, string(appendETag(nil, []byte(`{"data":"same"}`))))
	require.NotEqual(t, appendETag(nil, []byte("a")), appendETag(nil, []byte("b")))
}

func TestMatchETag(t *testing.T) {
	t.Parallel()
	const tag = `"0123456789abcdef-1z"`
	for name, test := range map[string]struct{ list, want string }{
		"same":                {tag, tag},
		"weak":                {"W/" + tag, tag},
		"last of a list":      {`"other", W/"more" ,` + tag, tag},
		"list without spaces": {`"other",` + tag, tag},
		"star":                {"*", tag},
		"brotli form":         {`"0123456789abcdef-1z-br"`, `"0123456789abcdef-1z-br"`},
		"gzip form":           {`"0123456789abcdef-1z-gz"`, `"0123456789abcdef-1z-gz"`},
		"comma inside a tag":  {`"a,b", ` + tag, tag},
		"other":               {`"fedcba9876543210-1z"`, ""},
		"prefix":              {`"0123456789abcdef-1"`, ""},
		"longer":              {`"0123456789abcdef-1z-zz"`, ""},
		"unquoted":            {"0123456789abcdef-1z", ""},
		"unclosed":            {`"0123456789abcdef-1z`, ""},
		"nothing":             {" , ", ""},
		"rubbish first":       {"rubbish, " + tag, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := matchETag([]byte(test.list), []byte(tag), true)
			require.Equal(t, test.want, string(got))
			require.Equal(t, test.want != "", ok)
		})
	}
}

func TestEncodedETag(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"a-br"`, string(EncodedETag([]byte(`"a"`), "br")))
	require.Equal(t, `"a-gz"`, string(EncodedETag([]byte(`"a"`), "gzip")))
	require.Equal(t, `broken`, string(EncodedETag([]byte(`broken`), "br")))
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		query string
		page  Page
		want  []string
	}{
		"first of many, by offset": {"q=x&limit=10", Page{Total: 25, Limit: 10}, []string{
			`</v1/gps?q=x&limit=10&offset=0>; rel="first"`, `</v1/gps?q=x&limit=10&offset=10>; rel="next"`, `</v1/gps?q=x&limit=10&offset=20>; rel="last"`,
		}},
		"middle, by page": {"page=2&q=a%26b&per_page=10", Page{Total: 25, Limit: 10, Offset: 10, ByPage: true}, []string{
			`</v1/gps?q=a%26b&page=1&per_page=10>; rel="first"`, `</v1/gps?q=a%26b&page=1&per_page=10>; rel="prev"`,
			`</v1/gps?q=a%26b&page=3&per_page=10>; rel="next"`, `</v1/gps?q=a%26b&page=3&per_page=10>; rel="last"`,
		}},
		"last, exactly full": {"", Page{Total: 20, Limit: 10, Offset: 10}, []string{
			`</v1/gps?limit=10&offset=0>; rel="first"`, `</v1/gps?limit=10&offset=0>; rel="prev"`, `</v1/gps?limit=10&offset=10>; rel="last"`,
		}},
		"offset between pages": {"offset=3", Page{Total: 25, Limit: 10, Offset: 3}, []string{
			`</v1/gps?limit=10&offset=0>; rel="first"`, `</v1/gps?limit=10&offset=0>; rel="prev"`,
			`</v1/gps?limit=10&offset=13>; rel="next"`, `</v1/gps?limit=10&offset=20>; rel="last"`,
		}},
		"beyond the end": {"offset=1000", Page{Total: 25, Limit: 10, Offset: 1000}, []string{
			`</v1/gps?limit=10&offset=0>; rel="first"`, `</v1/gps?limit=10&offset=20>; rel="prev"`, `</v1/gps?limit=10&offset=20>; rel="last"`,
		}},
		"empty list": {"", Page{Limit: 10}, []string{
			`</v1/gps?limit=10&offset=0>; rel="first"`, `</v1/gps?limit=10&offset=0>; rel="last"`,
		}},
		"ignored and escaped paging parameters go, stray separators too": {"&page=3&&%6Cimit=5&sort=aum&", Page{Total: 1, Limit: 5}, []string{
			`</v1/gps?sort=aum&limit=5&offset=0>; rel="first"`, `</v1/gps?sort=aum&limit=5&offset=0>; rel="last"`,
		}},
		"what would end the reference is escaped": {`q=<a>"b" c`, Page{Total: 1, Limit: 5}, []string{
			`</v1/gps?q=%3Ca%3E%22b%22%20c&limit=5&offset=0>; rel="first"`, `</v1/gps?q=%3Ca%3E%22b%22%20c&limit=5&offset=0>; rel="last"`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := appendLinks(nil, "", []byte("/v1/gps"), []byte(test.query), test.page)
			require.Equal(t, strings.Join(test.want, ", "), string(got))
		})
	}
	require.Equal(t, `<https://api.example.com/x?limit=1&offset=0>; rel="first", <https://api.example.com/x?limit=1&offset=0>; rel="last"`,
		string(appendLinks(nil, "https://api.example.com", []byte("/x"), nil, Page{Total: 1, Limit: 1})))
	require.Empty(t, appendLinks(nil, "", []byte("/x"), nil, Page{}))
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"city", "limit", "max_aum", "min_aum", "offset", "order", "page", "per_page", "q", "sort", "state", "vintage_min"}
	for name, want := range map[string]string{
		"min_amu": "min_aum", "minaum": "min_aum", "MIN_AUM": "min_aum", "sortby": "sort", "limt": "limit", "perpage": "per_page",
		"vintage": "vintage_min", "stat": "state", "aum": "max_aum", "foo": "", "zzzzzzzz": "", "pgae": "page", "x": "q",
	} {
		require.Equal(t, want, nearest(name, known), name)
	}
}

func TestCompareRoutes(t *testing.T) {
	t.Parallel()
	require.Negative(t, compareRoutes("GET", "/a/fixed", "GET", "/a/{x}"))
	require.Positive(t, compareRoutes("GET", "/a/{x}", "GET", "/a/zzz"))
	require.Negative(t, compareRoutes("GET", "/a", "GET", "/a/{x}"))
	require.Negative(t, compareRoutes("GET", "/a/{x}", "POST", "/a/{x}"))
	require.Positive(t, compareRoutes("GET", "/{school}/verify", "GET", "/auth/verify"))
}
