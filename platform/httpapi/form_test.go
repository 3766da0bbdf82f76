package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"mime/multipart"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

type rawInput struct {
	Token   string `path:"token" maxLength:"20"`
	Sent    string `header:"X-Sent"`
	RawBody []byte
}

type formInput struct {
	Category string `form:"category" enum:"digest,alerts" doc:"What to stop."`
	Token    string `form:"token" required:"true" maxLength:"10" doc:"From the mail."`
	Days     int    `form:"days" default:"7" minimum:"1" maximum:"30" doc:"Days."`
}

// bodies is operations that take what is not JSON. Kept is the bodies that the raw ones got, kept beyond their requests.
func rawBodies(t *testing.T, kept *sync.Map) *httpapitest.Host {
	t.Helper()
	raw := func(_ context.Context, in *rawInput) (*httpapi.Reply[word], error) {
		kept.Store(in.Token, in.RawBody)
		return &httpapi.Reply[word]{Body: word{string(in.RawBody)}}, nil
	}
	return httpapitest.New(t,
		httpapi.Post("/hook/{token}", "hook", raw, httpapi.MaxBody(100)),
		httpapi.Post("/click/{token}", "one-click", raw, httpapi.BodyOptional()),
		httpapi.Post("/any/{token}", "any", raw),
		httpapi.Post("/form", "form", func(_ context.Context, in *formInput) (*httpapi.Reply[map[string]any], error) {
			return &httpapi.Reply[map[string]any]{Body: map[string]any{"Category": in.Category, "Token": in.Token, "Days": in.Days}}, nil
		}),
		httpapi.Post("/free-form", "free-form", func(_ context.Context, in *struct {
			Category string `form:"category" doc:"What to stop."`
		},
		) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{Body: word{in.Category}}, nil
		}),
		httpapi.Post("/small", "small", func(_ context.Context, in *struct{ Body word }) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{Body: in.Body}, nil
		}, httpapi.MaxBody(20)),
	)
}

// A raw body arrives byte by byte: what is signed must not be read and written again.
func TestRawBodies(t *testing.T) {
	t.Parallel()
	h := rawBodies(t, &sync.Map{})
	post := func(name, path, kind, body string, status int, want string) httpapitest.Scenario {
		s := httpapitest.Scenario{Name: name, Method: "POST", Path: path, Body: body, Header: map[string]string{"Content-Type": kind}, Status: status}
		if want != "" {
			s.Contains = []string{want}
		}
		return s
	}
	spaced := "{\"b\" : 1,\t\"a\":1e2, \"a\":2}"
	h.Run(t, []httpapitest.Scenario{
		{Name: "as sent", Method: "POST", Path: "/hook/t", Body: spaced, WantJSON: `{"word":` + toJSON(t, spaced) + `}`},
		post("too large", "/hook/t", "application/json", strings.Repeat(" ", 101), 413, "too large"),
		post("as large as may be", "/hook/t", "application/json", strings.Repeat(" ", 100), 200, ""),
		post("empty", "/hook/t", "application/json", "", 400, "Invalid body: is required"),
		post("parameters are held to their rules", "/hook/"+strings.Repeat("t", 21)+"?x=1", "application/json", "{}", 400, "unknown parameter"),
		post("one click", "/click/t", "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click", 200, "One-Click"),
		post("one click in parts", "/click/t", "multipart/form-data; boundary=b", "--b--", 200, "--b--"),
		post("one click without a body", "/click/t", "", "", 200, `{"word":""}`),
		post("anything", "/any/t", "image/png", "\x89PNG", 200, ""),
		post("too large for this operation", "/small", "application/json", `{"word":"`+strings.Repeat("x", 20)+`"}`, 413, "too large"),
		post("small enough", "/small", "application/json", `{"word":"x"}`, 200, "x"),
	})
}

// A kept body stays what it was, whatever the server's buffers hold afterwards.
func TestRawBodiesMayBeKept(t *testing.T) {
	t.Parallel()
	kept := &sync.Map{}
	h := rawBodies(t, kept)
	for _, token := range []string{"a", "b", "c", "d"} {
		h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/any/" + token, Body: strings.Repeat(token, 50)})
	}
	for _, token := range []string{"a", "b", "c", "d"} {
		body, _ := kept.Load(token)
		require.Equal(t, []byte(strings.Repeat(token, 50)), body)
	}
}

// parts writes a form of parts; a name that ends in ! is a file.
func parts(t *testing.T, pairs ...string) (kind, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		if name, file := strings.CutSuffix(pairs[i], "!"); file {
			part, err := w.CreateFormFile(name, "x.txt")
			require.NoError(t, err)
			_, err = part.Write([]byte(pairs[i+1]))
			require.NoError(t, err)
			continue
		}
		require.NoError(t, w.WriteField(pairs[i], pairs[i+1]))
	}
	require.NoError(t, w.Close())
	return w.FormDataContentType(), b.String()
}

// A form is held to the rules of parameters, in both its encodings.
func TestForms(t *testing.T) {
	t.Parallel()
	h := rawBodies(t, &sync.Map{})
	const good = `{"Category":"digest","Token":"a b","Days":7}`
	coded := func(name, body string, status int, want string) httpapitest.Scenario {
		s := httpapitest.Scenario{Name: name, Method: "POST", Path: "/form", Body: body, Status: status, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}
		if status == 0 {
			s.WantJSON = want
		} else {
			s.Contains = []string{want}
		}
		return s
	}
	inParts := func(name string, status int, want string, pairs ...string) httpapitest.Scenario {
		kind, body := parts(t, pairs...)
		s := coded(name+" in parts", body, status, want)
		s.Header = map[string]string{"Content-Type": kind}
		return s
	}
	h.Run(t, []httpapitest.Scenario{
		coded("good", "category=digest&token=a+b", 0, good),
		inParts("good", 0, good, "category", "digest", "token", "a b"),
		coded("all", "days=30&token=%61", 0, `{"Category":"","Token":"a","Days":30}`),
		coded("unknown", "tokem=a", 400, `unknown field; did you mean \"token\"?`),
		inParts("unknown", 400, `unknown field; did you mean \"token\"?`, "tokem", "a"),
		coded("missing", "category=digest", 400, `{"field":"token","message":"is required"}`),
		inParts("missing", 400, `{"field":"token","message":"is required"}`, "category", "digest"),
		coded("no body", "", 400, `{"field":"token","message":"is required"}`),
		coded("twice", "token=a&token=b", 400, "was sent more than once"),
		inParts("twice", 400, "was sent more than once", "token", "a", "token", "b"),
		coded("empty", "token=", 400, "must not be empty; leave the field out instead"),
		coded("other word", "token=a&category=digestt", 400, `did you mean \"digest\"?`),
		coded("other type", "token=a&days=x", 400, "must be a whole number from 1 to 30"),
		inParts("other type", 400, "must be a whole number from 1 to 30", "token", "a", "days", "99"),
		coded("broken escape", "token=%zz", 400, "is not followed by two hexadecimal digits"),
		coded("NUL", "token=%00", 400, "must not contain a NUL byte"),
		coded("no UTF-8", "token=%ff", 400, "must be valid UTF-8"),
		coded("many", "token=a"+strings.Repeat("&x=1", 100), 400, "must not have more than 100 fields"),
		inParts("file", 400, "must not be a file", "token!", "a"),
		{Name: "broken parts", Method: "POST", Path: "/form", Body: "--b\r\nno", Header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"}, Status: 400, Contains: []string{"is not a valid multipart/form-data"}},
		{Name: "no boundary", Method: "POST", Path: "/form", Body: "x", Header: map[string]string{"Content-Type": "multipart/form-data"}, Status: 400, Contains: []string{"is not a valid multipart/form-data"}},
		{Name: "JSON", Method: "POST", Path: "/form", Body: `{"token":"a"}`, Status: 415, Contains: []string{"must be sent as application/x-www-form-urlencoded or multipart/form-data"}},
		{Name: "another charset", Method: "POST", Path: "/form", Body: "token=a", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded; charset=utf-16"}, Status: 415, Contains: []string{"must be sent in UTF-8"}},
		{Name: "all at once", Method: "POST", Path: "/form?x=1", Body: "days=0&z=1", Status: 400, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, Contains: []string{
			`"field":"x"`, `"field":"days"`, `"field":"z"`, `"field":"token"`,
		}},
		{Name: "free, without a body", Method: "POST", Path: "/free-form", WantJSON: `{"word":""}`},
	})
}

func TestRawBodiesAndFormsAreDocumented(t *testing.T) {
	t.Parallel()
	document, err := rawBodies(t, &sync.Map{}).API.JSON()
	require.NoError(t, err)
	for path, want := range map[string]string{
		"/any/{token}":   `{"required":true,"content":{"*/*":{"schema":{}}}}`,
		"/click/{token}": `{"content":{"*/*":{"schema":{}}}}`,
		"/form":          `{"required":true,"content":{"application/x-www-form-urlencoded":{"schema":FORM},"multipart/form-data":{"schema":FORM}}}`,
	} {
		want = strings.ReplaceAll(want, "FORM", `{"type":"object","additionalProperties":false,"required":["token"],"properties":{
			"category":{"type":"string","description":"What to stop.","enum":["digest","alerts"]},
			"days":{"type":"integer","format":"int64","description":"Days.","default":7,"minimum":1,"maximum":30},
			"token":{"type":"string","description":"From the mail.","maxLength":10}}}`)
		require.JSONEq(t, want, toJSON(t, at(t, document, "paths", path, "post", "requestBody")), path)
	}
	for _, status := range []string{"413", "415"} {
		require.Contains(t, at(t, document, "paths", "/form", "post", "responses"), status)
	}
}

// An input that could not be read is refused when it is registered.
func TestInputsThatContradictThemselves(t *testing.T) {
	t.Parallel()
	for want, route := range map[string]httpapi.Route{
		"exclude each other": httpapi.Post("/a", "a", func(context.Context, *struct {
			RawBody []byte
			Body    word
		},
		) (*httpapi.Reply[word], error) {
			return nil, nil
		}),
		"BodyOptional is for a RawBody": httpapi.Post("/a", "a", func(context.Context, *struct{ Body word }) (*httpapi.Reply[word], error) {
			return nil, nil
		}, httpapi.BodyOptional()),
		"Session, Sent: no parameter": httpapi.Post("/a", "a", func(context.Context, *struct {
			Session string    `cookie:"session"`
			Sent    time.Time `query:"sent"`
		},
		) (*httpapi.Reply[word], error) {
			return nil, nil
		}),
	} {
		h := httpapitest.New(t)
		require.ErrorContains(t, httpapi.New(h.App, httpapi.Config{}).Register([]httpapi.Route{route}), want)
	}
}

// A path that lacks its slash at the end, or has one too many, is told the right one.
func TestNotFoundNamesTheOtherSlash(t *testing.T) {
	t.Parallel()
	reply := func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return &httpapi.Reply[word]{}, nil }
	h := httpapitest.New(t, httpapi.Get("/admin/notifications/", "list", reply), httpapi.Post("/admin/notifications/", "make", reply),
		httpapi.Get("/gps/{crd}/team", "team", func(context.Context, *struct {
			CRD string `path:"crd"`
		},
		) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{}, nil
		}))
	h.Run(t, []httpapitest.Scenario{
		{Name: "right", Path: "/admin/notifications/"},
		{Name: "lacking", Path: "/admin/notifications?x=1", Status: 404, WantJSON: `{"detail":"There is no /admin/notifications; did you mean \"/admin/notifications/\"?"}`},
		{Name: "lacking, POST", Method: "POST", Path: "/admin/notifications", Status: 404, Contains: []string{`did you mean \"/admin/notifications/\"?`}},
		{Name: "one too many", Path: "/gps/900001/team/", Status: 404, Contains: []string{`did you mean \"/gps/900001/team\"?`}},
		{Name: "neither", Path: "/gps//team/", Status: 404, Contains: []string{"see /openapi.json"}},
		{Name: "root", Path: "/", Status: 404, Contains: []string{"see /openapi.json"}},
	})
}

// at is what stands in a document under a path of names.
func at(t *testing.T, document []byte, names ...string) any {
	t.Helper()
	var node any
	require.NoError(t, json.Unmarshal(document, &node))
	for _, name := range names {
		object, _ := node.(map[string]any)
		require.Contains(t, object, name)
		node = object[name]
	}
	return node
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}
