package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
	"gpatlas/platform/testkit/httpapitest"
)

type searchInput struct {
	page.Input
	Q      httpapi.Opt[string]       `query:"q" minLength:"2" maxLength:"200"`
	MinAUM httpapi.Opt[int64]        `query:"min_aum" minimum:"0"`
	Ratio  httpapi.Opt[float64]      `query:"ratio" maximum:"1"`
	Has    httpapi.Opt[bool]         `query:"has_funds"`
	Since  httpapi.Opt[httpapi.Date] `query:"since"`
	Sort   string                    `query:"sort" enum:"name,aum" default:"name"`
	Small  httpapi.Opt[int8]         `query:"small"`
	Tags   []string                  `query:"tags"`
	Seen   string                    `header:"X-Seen" maxLength:"3"`
}

type searchAnswer struct {
	Echo string    `json:"echo"`
	Meta page.Meta `json:"meta"`
}

type detailInput struct {
	CRD string `path:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"1 to 10 digits without leading zeros"`
}

type noteInput struct {
	CRD  string              `path:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"1 to 10 digits without leading zeros"`
	Dry  httpapi.Opt[int]    `query:"dry" minimum:"1" maximum:"9"`
	Mode httpapi.Opt[string] `query:"mode" enum:"a,b"`
	Body struct {
		Text  string `json:"text" minLength:"2"`
		Tag   string `json:"tag,omitempty" minLength:"1"`
		Stars int    `json:"stars,omitempty" minimum:"1" maximum:"5"`
	}
}

type word struct {
	Word string `json:"word"`
}

// routes is an API with an operation of every sort.
func routes() []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/gps", "search", func(_ context.Context, in *searchInput) (*httpapi.Reply[searchAnswer], error) {
			echo, err := json.Marshal(map[string]any{
				"q": in.Q.Ptr(), "min_aum": in.MinAUM.Ptr(), "ratio": in.Ratio.Ptr(), "has": in.Has.Ptr(), "since": in.Since.Ptr(),
				"sort": in.Sort, "small": in.Small.Ptr(), "tags": in.Tags, "seen": in.Seen,
			})
			return &httpapi.Reply[searchAnswer]{Body: searchAnswer{Echo: string(echo), Meta: in.Meta(120)}, Page: in.Links(120)}, err
		}, httpapi.Paged()),
		httpapi.Get("/v1/gps/{crd}", "get", func(_ context.Context, in *detailInput) (*httpapi.Reply[httpapi.Data[word]], error) {
			if in.CRD == "999" {
				return nil, apperr.NotFound("GP with CRD %s not found", in.CRD)
			}
			return &httpapi.Reply[httpapi.Data[word]]{Body: httpapi.Data[word]{Data: word{Word: in.CRD}}}, nil
		}, httpapi.Errors(http.StatusNotFound)),
		httpapi.Get("/v1/gps/count", "count", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{Body: word{Word: "fixed path"}}, nil
		}),
		httpapi.Post("/v1/gps/{crd}/notes", "note", func(_ context.Context, in *noteInput) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{Body: word{Word: in.CRD + " " + in.Body.Text}}, nil
		}, httpapi.Success(http.StatusCreated), httpapi.Errors(http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)),
		httpapi.Delete("/v1/gps/{crd}/notes", "forget", func(context.Context, *detailInput) (*httpapi.Reply[struct{}], error) {
			return &httpapi.Reply[struct{}]{}, nil
		}, httpapi.Success(http.StatusNoContent)),
	}
}

const nothing = `{"q":null,"min_aum":null,"ratio":null,"has":null,"since":null,"sort":"name","small":null,"tags":null,"seen":""}`

func echo(change string) string {
	var fields, changed map[string]any
	_ = json.Unmarshal([]byte(nothing), &fields)
	_ = json.Unmarshal([]byte(change), &changed)
	maps.Copy(fields, changed)
	out, _ := json.Marshal(fields)
	quoted, _ := json.Marshal(string(out))
	return string(quoted)
}

func TestGoodParameters(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, routes()...)
	h.Run(t, []httpapitest.Scenario{
		{Name: "none", Path: "/v1/gps", Contains: []string{echo("{}"), `"page":1,"per_page":25`}},
		{Name: "zero is not absent", Path: "/v1/gps?min_aum=0&has_funds=false&ratio=0", Contains: []string{echo(`{"min_aum":0,"has":false,"ratio":0}`)}},
		{
			Name: "all kinds", Path: "/v1/gps?q=a%20b+c&min_aum=5&ratio=-0.5&has_funds=true&since=2026-02-28&sort=aum&small=-128&tags=x,y",
			Contains: []string{echo(`{"q":"a b c","min_aum":5,"ratio":-0.5,"has":true,"since":"2026-02-28","sort":"aum","small":-128,"tags":["x","y"]}`)},
		},
		{Name: "header", Path: "/v1/gps", Header: map[string]string{"X-Seen": "yes"}, Contains: []string{echo(`{"seen":"yes"}`)}},
		{Name: "text of any script", Path: "/v1/gps?q=%D7%A9%D7%9C%D7%95%D7%9D", Contains: []string{"שלום"}},
		{Name: "wildcards and quotes are text", Path: `/v1/gps?q=%25_%27%3B--`, Contains: []string{`%_';--`}},
		{Name: "stray separators", Path: "/v1/gps?&min_aum=5&", Contains: []string{echo(`{"min_aum":5}`)}},
		{Name: "limit rules over page", Path: "/v1/gps?page=7&per_page=3&limit=10&offset=20", Contains: []string{`"limit":10,"offset":20,"page":3,"per_page":10`}},
		{Name: "escaped path", Path: "/v1/gps/%31%32", WantJSON: `{"data":{"word":"12"}}`},
		{Name: "fixed path before parameter", Path: "/v1/gps/count", WantJSON: `{"word":"fixed path"}`},
		{Name: "not found", Path: "/v1/gps/999", Status: 404, WantJSON: `{"detail":"GP with CRD 999 not found"}`},
		{Name: "body", Method: "POST", Path: "/v1/gps/12/notes?dry=1", Body: `{"text":"ok"}`, Status: 201, WantJSON: `{"word":"12 ok"}`},
		{Name: "no content", Method: "DELETE", Path: "/v1/gps/12/notes", Status: 204},
		{Name: "HEAD", Method: "HEAD", Path: "/v1/gps/12", WantHeader: map[string]string{"Content-Length": "22", "Content-Type": "application/json"}},
		{Name: "HEAD of what is not there", Method: "HEAD", Path: "/v1/gps/999", Status: 404},
	})
}

func refusal(field, message string) string {
	out, _ := json.Marshal(map[string]any{
		"detail": "Invalid " + field + ": " + message,
		"errors": []apperr.FieldError{{Field: field, Message: message}},
	})
	return string(out)
}

// Bad input is refused with 400, never 422, in one shape, by name.
func TestBadParameters(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, routes()...)
	whole := "must be a whole number"
	var rows []httpapitest.Scenario
	add := func(name, path, field, message string) {
		rows = append(rows, httpapitest.Scenario{Name: name, Path: path, Status: 400, WantJSON: refusal(field, message)})
	}
	for _, bad := range []string{"0", "-1", "101", "1000000000", "abc", "1.5", "9223372036854775808", "%201", "0x10", "1e2", "%2B5"} {
		add("limit "+bad, "/v1/gps?limit="+bad, "limit", whole+" from 1 to 100")
	}
	add("offset 2^63", "/v1/gps?offset=9223372036854775808", "offset", whole+" from 0 to 1000000000")
	add("offset -1", "/v1/gps?offset=-1", "offset", whole+" from 0 to 1000000000")
	add("page 0", "/v1/gps?page=0", "page", whole+" from 1 to 10000000")
	add("page 2^62", "/v1/gps?page=4611686018427387904", "page", whole+" from 1 to 10000000")
	add("below the minimum", "/v1/gps?min_aum=-5", "min_aum", whole+", at least 0")
	add("beyond its type", "/v1/gps?small=128", "small", whole)
	add("not a number", "/v1/gps?ratio=NaN", "ratio", "must be a number, at most 1")
	add("infinite", "/v1/gps?ratio=-Inf", "ratio", "must be a number, at most 1")
	add("not a boolean", "/v1/gps?has_funds=yes", "has_funds", "must be true or false")
	add("boolean of Go", "/v1/gps?has_funds=1", "has_funds", "must be true or false")
	add("no such day", "/v1/gps?since=2026-02-30", "since", "must be a date such as 2026-01-31")
	add("not in the list", "/v1/gps?sort=size", "sort", "must be one of name, aum")
	add("q of one character", "/v1/gps?q=x", "q", "must have 2 to 200 characters")
	add("q of one wide character", "/v1/gps?q=%E4%B8%AD", "q", "must have 2 to 200 characters")
	add("q of 3,000 characters", "/v1/gps?q="+strings.Repeat("x", 3000), "q", "must have 2 to 200 characters")
	add("empty", "/v1/gps?q=", "q", "must not be empty; leave the parameter out instead")
	add("empty without =", "/v1/gps?min_aum", "min_aum", "must not be empty; leave the parameter out instead")
	add("twice", "/v1/gps?q=ab&q=ab", "q", "was sent more than once; send it once")
	add("four times", "/v1/gps?q=ab&q=ac&q=ad&q=", "q", "was sent more than once; send it once")
	add("NUL", "/v1/gps?q=a%00b", "q", "must not contain a NUL byte")
	add("bad UTF-8", "/v1/gps?q=ab%ff", "q", "must be valid UTF-8")
	add("unknown, near", "/v1/gps?min_amu=5", "min_amu", `unknown parameter; did you mean "min_aum"?`)
	add("unknown, other case", "/v1/gps?Limit=5", "Limit", `unknown parameter; did you mean "limit"?`)
	add("unknown, far", "/v1/gps?colour=5", "colour", "unknown parameter; this operation accepts has_funds, limit, min_aum, offset, page, per_page, q, ratio, since, small, sort, tags")
	add("unknown where there are none", "/v1/gps/count?x=1", "x", "unknown parameter; this operation accepts no parameters")
	add("unknown, not text", "/v1/gps/count?%ff%00=1", "??", "unknown parameter; this operation accepts no parameters")
	add("nameless", "/v1/gps/count?=1", "", "unknown parameter; this operation accepts no parameters")
	add("broken escape", "/v1/gps?q=ab%zz", "query", "contains a % that is not followed by two hexadecimal digits; write %25 for a percent sign")
	add("broken escape at the end", "/v1/gps?q=ab%2", "query", "contains a % that is not followed by two hexadecimal digits; write %25 for a percent sign")
	for _, bad := range []string{"0", "012", "12345678901", "abc", "1%2F2", "-1", "1.0", "%E2%82%AC"} {
		add("crd "+bad, "/v1/gps/"+bad, "crd", "must be 1 to 10 digits without leading zeros")
	}
	add("crd with NUL", "/v1/gps/1%00", "crd", "must not contain a NUL byte")
	add("crd with bad UTF-8", "/v1/gps/%ff", "crd", "must be valid UTF-8")
	add("crd with a broken escape", "/v1/gps/%zz", "crd", "contains a % that is not followed by two hexadecimal digits")
	h.Run(t, rows)
	h.Run(t, []httpapitest.Scenario{
		{Name: "header too long", Path: "/v1/gps", Header: map[string]string{"X-Seen": "long"}, Status: 400, WantJSON: refusal("X-Seen", "must have at most 3 characters")},
		{Name: "all faults at once", Path: "/v1/gps?foo_bar=1&limit=0&q=x&q=y&has_funds=ja&sort=", Status: 400, Contains: []string{
			`"foo_bar"`, `{"field":"limit","message":"must be a whole number from 1 to 100"}`, `{"field":"q","message":"must have 2 to 200 characters"}`,
			`{"field":"q","message":"was sent more than once; send it once"}`, `{"field":"has_funds"`, `{"field":"sort"`,
		}},
		{Name: "unknown path", Path: "/v1/nope", Status: 404, WantJSON: `{"detail":"There is no /v1/nope; see /openapi.json for every operation"}`},
		{Name: "path of nothing but markup", Path: "/%3Cscript%3E", Status: 404, NotContains: []string{"<script>"}},
		{Name: "lost path parameter", Path: "/v1/gps/", Status: 404},
		{
			Name: "unknown verb", Method: "POST", Path: "/v1/gps", Status: 405, WantHeader: map[string]string{"Allow": "GET, HEAD"},
			WantJSON: `{"detail":"This method is not allowed here; allowed: GET, HEAD"}`,
		},
		{Name: "verb of another path", Method: "PUT", Path: "/v1/gps/12/notes", Status: 405, WantHeader: map[string]string{"Allow": "POST, DELETE"}},
		{Name: "OPTIONS", Method: "OPTIONS", Path: "/v1/gps", Status: 204, WantHeader: map[string]string{"Allow": "GET, HEAD"}},
	})
}

// Operations with a body go through huma, and refuse in the same words.
func TestBadBodies(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, routes()...)
	post := func(name, path, body, want string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Method: "POST", Path: "/v1/gps/" + path, Body: body, Status: 400, WantJSON: want}
	}
	h.Run(t, []httpapitest.Scenario{
		post("parameters only", "12/notes?dry=10", `{"text":"ok"}`, refusal("dry", "must be a whole number from 1 to 9")),
		post("unknown parameter", "12/notes?dri=1", `{"text":"ok"}`, refusal("dri", `unknown parameter; did you mean "dry"?`)),
		post("twice", "12/notes?dry=1&dry=1", `{"text":"ok"}`, refusal("dry", "was sent more than once; send it once")),
		post("not in the list", "12/notes?mode=c", `{"text":"ok"}`, refusal("mode", `must be one of a, b; did you mean "a"?`)),
		post("path", "012/notes", `{"text":"ok"}`, refusal("crd", "must be 1 to 10 digits without leading zeros")),
		post("path with NUL", "1%00/notes", `{"text":"ok"}`, refusal("crd", "must not contain a NUL byte")),
		post("missing field", "12/notes", `{}`, refusal("text", "is required")),
		post("field empty", "12/notes", `{"text":"ok","tag":""}`, refusal("tag", "must have at least 1 character")),
		post("field too short", "12/notes", `{"text":"o"}`, refusal("text", "must have at least 2 characters")),
		post("number too large", "12/notes", `{"text":"ok","stars":6}`, refusal("stars", "must be at most 5")),
		post("wrong type", "12/notes", `{"text":7}`, refusal("text", "must be a string")),
		post("unknown field", "12/notes", `{"text":"ok","texd":1}`, refusal("texd", `is not a known field; did you mean "text"?`)),
		post("no object", "12/notes", `[1]`, refusal("body", "must be an object")),
		{Name: "not JSON", Method: "POST", Path: "/v1/gps/12/notes", Body: `{"text"`, Status: 400, Contains: []string{`"field":"body"`, "is not valid JSON"}},
		{Name: "no body", Method: "POST", Path: "/v1/gps/12/notes", Status: 400, WantJSON: `{"detail":"Request body is required"}`},
		{
			Name: "other content type", Method: "POST", Path: "/v1/gps/12/notes", Body: "text", Header: map[string]string{"Content-Type": "text/plain"}, Status: 415,
			WantJSON: refusal("body", "must be sent as application/json"),
		},
		{
			Name: "all at once", Method: "POST", Path: "/v1/gps/0/notes?dry=0&x=1", Body: `{"text":"o"}`, Status: 400,
			Contains: []string{`"field":"crd"`, `"field":"dry"`, `"field":"x"`, `"field":"text"`},
		},
	})
}

type checkedInput struct {
	Strategy string           `query:"strategy"`
	Limit    httpapi.Opt[int] `query:"limit" maximum:"9"`
}

// Faults knows the strategies.
func (in *checkedInput) Faults() []apperr.FieldError {
	return []apperr.FieldError{{Field: "limit", Message: "of no interest"}, {Field: "strategy", Message: "no strategy is called " + in.Strategy}}
}

// A request refused for its form is refused for its meaning too.
func TestFaultsOfTheInputItself(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, httpapi.Get("/x", "x", func(_ context.Context, in *checkedInput) (*httpapi.Reply[word], error) {
		return nil, apperr.Invalid(in.Faults()[1])
	}))
	h.Do(t, httpapitest.Scenario{Path: "/x?strategy=luck", Status: 400, Contains: []string{`"errors":[{"field":"strategy"`}})
	h.Do(t, httpapitest.Scenario{Path: "/x?strategy=luck&limit=10", Status: 400, NotContains: []string{"of no interest"}, Contains: []string{
		`"errors":[{"field":"limit","message":"must be a whole number, at most 9"},{"field":"strategy","message":"no strategy is called luck"}]`,
	}})
}

func TestEntityTags(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, append(routes(), httpapi.Get("/now", "now", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
		return &httpapi.Reply[word]{Body: word{Word: "now"}}, nil
	}, httpapi.Volatile()))...)
	first := h.Do(t, httpapitest.Scenario{Path: "/v1/gps/12"})
	tag := first.Header.Get("ETag")
	require.Regexp(t, `^"[0-9a-f]{16}-[0-9a-z]+"$`, tag)
	require.NotEqual(t, tag, h.Do(t, httpapitest.Scenario{Path: "/v1/gps/13"}).Header.Get("ETag"))
	for _, list := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		again := h.Do(t, httpapitest.Scenario{Path: "/v1/gps/12", Header: map[string]string{"If-None-Match": list}, Status: 304})
		require.Empty(t, again.Body)
		require.Equal(t, tag, again.Header.Get("ETag"))
	}
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/v1/gps/12", Header: map[string]string{"If-None-Match": tag}, Status: 304})
	h.Do(t, httpapitest.Scenario{Path: "/v1/gps/12", Header: map[string]string{"If-None-Match": `"other"`}})
	h.Do(t, httpapitest.Scenario{Path: "/v1/gps/999", Header: map[string]string{"If-None-Match": "*"}, Status: 404, WantHeader: map[string]string{"ETag": ""}})
	h.Do(t, httpapitest.Scenario{Path: "/now", Header: map[string]string{"If-None-Match": "*"}, WantHeader: map[string]string{"ETag": "", "Cache-Control": "no-store"}})
}

func TestLinkHeader(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t, routes()...)
	h.Do(t, httpapitest.Scenario{Path: "/v1/gps?sort=aum&page=2&per_page=50", WantHeader: map[string]string{"Link": `</v1/gps?sort=aum&page=1&per_page=50>; rel="first", ` +
		`</v1/gps?sort=aum&page=1&per_page=50>; rel="prev", </v1/gps?sort=aum&page=3&per_page=50>; rel="next", </v1/gps?sort=aum&page=3&per_page=50>; rel="last"`}})
}

// answer declares an operation whose handler is all that matters.
func answer(path, id string, handler func(context.Context, *struct{}) (*httpapi.Reply[word], error), options ...httpapi.Option) httpapi.Route {
	return httpapi.Get(path, id, handler, options...)
}

func TestReadyBytes(t *testing.T) {
	t.Parallel()
	released := 0
	raw := []byte(`{"word":"ready"}`)
	h := httpapitest.New(t, answer("/raw", "raw", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
		return &httpapi.Reply[word]{Raw: raw, Release: func() { released++; clear(raw) }, Header: map[string]string{"X-Extra": "0.15"}}, nil
	}))
	h.Do(t, httpapitest.Scenario{Path: "/raw", WantJSON: `{"word":"ready"}`, WantHeader: map[string]string{"X-Extra": "0.15"}})
	require.Equal(t, 1, released)
}

// Every kind of failure has its status; only ours is hidden, and it alone is logged, once, with its cause.
func TestFailures(t *testing.T) {
	t.Parallel()
	cause := errors.New("secret detail of the database")
	tests := map[string]struct {
		err    error
		status int
		detail string
		logged bool
	}{
		"invalid":         {apperr.Invalid(apperr.FieldError{Field: "a", Message: "is wrong"}), 400, "Invalid a: is wrong", false},
		"unauthenticated": {apperr.New(apperr.KindUnauthenticated, "no"), 401, "no", false},
		"payment":         {apperr.New(apperr.KindPaymentRequired, "pay").Wrap(cause), 402, "pay", false},
		"forbidden":       {apperr.New(apperr.KindForbidden, "no"), 403, "no", false},
		"not-found":       {apperr.NotFound("none").Wrap(cause), 404, "none", false},
		"conflict":        {apperr.New(apperr.KindConflict, "taken"), 409, "taken", false},
		"too-large":       {apperr.New(apperr.KindTooLarge, "too much"), 413, "too much", false},
		"unsupported":     {apperr.New(apperr.KindUnsupported, "in gzip"), 415, "in gzip", false},
		"unprocessable":   {apperr.New(apperr.KindUnprocessable, "other body"), 422, "other body", false},
		"rate-limited":    {apperr.New(apperr.KindRateLimited, "slow down"), 429, "slow down", false},
		"unavailable":     {apperr.Unavailable("away").Wrap(cause), 503, "away", true},
		"deadline":        {context.DeadlineExceeded, 503, "The request took too long; try again", true},
		"internal":        {apperr.New(apperr.KindInternal, "hidden").Wrap(cause), 500, "Internal server error", true},
		"unknown":         {cause, 500, "Internal server error", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lines bytes.Buffer
			app := fiber.New(httpapi.FiberConfig(nil))
			api := httpapi.New(app, httpapi.Config{Logger: slog.New(slog.NewJSONHandler(&lines, nil))})
			require.NoError(t, api.Register([]httpapi.Route{answer("/x", "x", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
				return nil, test.err
			}, httpapi.Errors(test.status))}))
			h := &httpapitest.Host{App: app, API: api}
			got := h.Do(t, httpapitest.Scenario{
				Path: "/x", Status: test.status, NotContains: []string{"secret", "hidden"},
				WantHeader: map[string]string{"Cache-Control": "no-store"},
			})
			var body httpapi.Problem
			require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
			require.Equal(t, test.detail, body.Detail)
			want := 0
			if test.logged {
				want = 1
				require.Contains(t, lines.String(), `"operation":"x"`)
			}
			require.Equal(t, want, strings.Count(lines.String(), "\n"), lines.String())
			if test.logged && errors.Is(test.err, cause) {
				require.Contains(t, lines.String(), "secret detail")
			}
		})
	}
}

type unencodable struct {
	Number float64 `json:"number"`
}

// Faults of a handler that are not errors are answered as errors.
func TestHandlerFaults(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t,
		answer("/nil", "nil", func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return nil, nil }),
		answer("/panic", "panic", func(context.Context, *struct{}) (*httpapi.Reply[word], error) { panic("boom") }),
		httpapi.Get("/nan", "nan", func(context.Context, *struct{}) (*httpapi.Reply[unencodable], error) {
			return &httpapi.Reply[unencodable]{Body: unencodable{math.NaN()}, Page: &httpapi.Page{Total: 1, Limit: 1}}, nil
		}))
	for _, path := range []string{"/nil", "/panic", "/nan"} {
		h.Do(t, httpapitest.Scenario{Path: path, Status: 500, WantJSON: `{"detail":"Internal server error"}`, WantHeader: map[string]string{"ETag": "", "Link": ""}})
	}
}

func TestRegistrationRefuses(t *testing.T) {
	t.Parallel()
	handler := func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return nil, nil }
	register := func(routes ...httpapi.Route) error {
		return httpapi.New(fiber.New(), httpapi.Config{}).Register(routes)
	}
	require.ErrorContains(t, register(answer("/a", "same", handler), answer("/b", "same", handler)), `share the id "same"`)
	require.ErrorContains(t, register(answer("/a/{x}", "one", handler), answer("/a/{y}", "two", handler)), "answer the same requests")
	require.ErrorContains(t, register(answer("/a", "", handler)), "not declared with an id")
	require.ErrorContains(t, register(httpapi.Route{}), "not declared")
	api := httpapi.New(fiber.New(), httpapi.Config{})
	require.NoError(t, api.Register([]httpapi.Route{answer("/a", "a", handler)}))
	require.ErrorContains(t, api.Register(nil), "registered already")
}

func TestRoutesAreSortedAndDescribed(t *testing.T) {
	t.Parallel()
	grouped := httpapi.Group(routes(), httpapi.Tag("GPs"))
	grouped = append(grouped, answer("/v1/paid", "paid", func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return nil, nil },
		httpapi.Grant(httpapi.Login), httpapi.Charge(150_000, "request"), httpapi.Summary("Paid"), httpapi.Describe("Costs."),
		httpapi.Examples(word{"example"}), httpapi.Answers(http.StatusServiceUnavailable, "Away.")))
	h := httpapitest.New(t, grouped...)
	var order []string
	for _, r := range h.API.Routes() {
		order = append(order, r.Operation.Method+" "+r.Operation.Path)
	}
	require.Equal(t, []string{"GET /v1/gps", "GET /v1/gps/count", "GET /v1/gps/{crd}", "DELETE /v1/gps/{crd}/notes", "POST /v1/gps/{crd}/notes", "GET /v1/paid"}, order)
	document, err := h.API.JSON()
	require.NoError(t, err)
	text := string(document)
	require.NotContains(t, text, "$schema")
	require.NotContains(t, text, `"422"`)
	for _, part := range []string{`"x-charge-usd": 0.15`, `"x-charge-per": "request"`, `"x-access": "login"`, `"description": "Away."`, `"3.1.0"`, `"Link"`, `"304"`} {
		require.Contains(t, text, part)
	}
	asYAML, err := h.API.YAML()
	require.NoError(t, err)
	require.Contains(t, string(asYAML), "openapi: 3.1.0")
}

// Every declared error is an example: alone as example, among others of its status as examples, by code.
func TestDeclaredErrorsAreExamples(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return &httpapi.Reply[word]{}, nil }
	unread := apperr.Unavailable("Not read yet")
	unread.Code = "not_read"
	api := httpapitest.New(t, httpapi.Get("/things", "list-things", nothing, httpapi.Refuses(
		apperr.New(apperr.KindConflict, "One"), apperr.New(apperr.KindConflict, "Two"), apperr.NotFound("None"), unread))).API
	text, err := api.JSON()
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]map[string]json.RawMessage
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &document))
	shown := func(status, key string) string {
		return string(document.Paths["/things"]["get"].Responses[status].Content["application/json"][key])
	}
	require.JSONEq(t, `{"detail":"None"}`, shown("404", "example"))
	require.Empty(t, shown("404", "examples"))
	require.JSONEq(t, `{"cause_1":{"value":{"detail":"One"}},"cause_2":{"value":{"detail":"Two"}}}`, shown("409", "examples"))
	require.Empty(t, shown("409", "example"))
	require.JSONEq(t, `{"any_cause":{"value":{"detail":"The database is unavailable; try again"}},"not_read":{"value":{"detail":"Not read yet","code":"not_read"}}}`, shown("503", "examples"))
	require.Empty(t, shown("503", "example"))
}

func TestOpt(t *testing.T) {
	t.Parallel()
	none := httpapi.Opt[int]{}
	require.Nil(t, none.Ptr())
	require.Equal(t, 7, none.Or(7))
	some := httpapi.Some(3)
	value, set := some.Get()
	require.True(t, set)
	require.Equal(t, 3, value)
	require.Equal(t, 3, *some.Ptr())
	require.Equal(t, 3, some.Or(7))
	day := httpapi.Date{Time: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}
	text, err := day.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "2026-01-31", string(text))
	require.Equal(t, "2026-01-31", day.String())
	asJSON, err := json.Marshal(day)
	require.NoError(t, err)
	require.JSONEq(t, `"2026-01-31"`, string(asJSON))
	var back httpapi.Date
	require.NoError(t, json.Unmarshal(asJSON, &back))
	require.Equal(t, day, back)
	require.Error(t, json.Unmarshal([]byte(`"31.1.2026"`), &back))
}
