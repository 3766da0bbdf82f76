package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

type profileInput struct {
	Body struct {
		Name    string          `json:"full_name" minLength:"2" maxLength:"20"`
		Age     *int            `json:"age,omitempty" minimum:"0"`
		Home    *place          `json:"home,omitempty"`
		Places  []place         `json:"places,omitempty" maxItems:"3"`
		Extra   map[string]any  `json:"extra,omitempty"`
		Serial  int64           `json:"serial,omitempty"`
		Verbose json.RawMessage `json:"verbose,omitempty"`
		admin   bool
		Secret  bool `json:"-"`
	}
}

type place struct {
	City   string `json:"city,omitempty" maxLength:"10"`
	Street string `json:"street,omitempty" maxLength:"10"`
	Floor  int    `json:"floor,omitempty" maximum:"9"`
}

type profile struct {
	Name   string `json:"name"`
	City   string `json:"city"`
	Street string `json:"street"`
	Floor  int    `json:"floor"`
	Serial int64  `json:"serial"`
	Admin  bool   `json:"admin"`
}

func profiles(t *testing.T) *httpapitest.Host {
	t.Helper()
	return httpapitest.New(t, httpapi.Post("/profile", "profile", func(_ context.Context, in *profileInput) (*httpapi.Reply[profile], error) {
		b := in.Body
		p := profile{Name: b.Name, Serial: b.Serial, Admin: b.admin || b.Secret}
		if b.Home != nil {
			p.City, p.Street, p.Floor = b.Home.City, b.Home.Street, b.Home.Floor
		}
		return &httpapi.Reply[profile]{Body: p}, nil
	}, httpapi.Errors(413, 415)))
}

// A body may hold what its struct names and nothing else, in the letters in which it is named: nothing that the struct
// does not name can be set by sending it.
func TestBodiesAreStrict(t *testing.T) {
	t.Parallel()
	h := profiles(t)
	refuse := func(name, body, field, message string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Method: "POST", Path: "/profile", Body: body, Status: 400, WantJSON: refusal(field, message)}
	}
	const known = "is not a known field; known are age, extra, full_name, home, places, serial, verbose"
	h.Run(t, []httpapitest.Scenario{
		refuse("near", `{"full_name":"Ann","agee":3}`, "agee", `is not a known field; did you mean "age"?`),
		refuse("far", `{"full_name":"Ann","is_admin":true}`, "is_admin", known),
		refuse("unexported", `{"full_name":"Ann","administrator":true}`, "administrator", known),
		refuse("hidden", `{"full_name":"Ann","Secret":true}`, "Secret", known),
		refuse("of Go, not of JSON", `{"full_name":"Ann","Serial":3}`, "Serial", `is not a known field; did you mean "serial"?`),
		refuse("nested", `{"full_name":"Ann","home":{"stret":"x"}}`, "home.stret", `is not a known field; did you mean "street"?`),
		refuse("in a list", `{"full_name":"Ann","places":[{},{"planet":"x"}]}`, "places[1].planet", "is not a known field; known are city, floor, street"),
		refuse("nameless", `{"full_name":"Ann","":1}`, "body", "must not contain a field with an empty name"),
		refuse("control characters", `{"full_name":"Ann","\u0001\u0007zzzzzzzz":1}`, "??zzzzzzzz", known),
		refuse("missing", `{"age":3}`, "full_name", "is required"),
		{Name: "missing in other letters", Method: "POST", Path: "/profile", Body: `{"FULL_NAME":"Ann"}`, Status: 400, Contains: []string{
			`{"field":"full_name","message":"is required"}`, `{"field":"FULL_NAME","message":"is not a known field; did you mean \"full_name\"?"}`,
		}},
		refuse("null", `{"full_name":null}`, "full_name", "must be a string"),
		refuse("null for a body", `null`, "body", "must be an object"),
		refuse("text", `"Ann"`, "body", "must be an object"),
		refuse("wrong type", `{"full_name":"Ann","age":"3"}`, "age", "must be a whole number"),
		refuse("fraction", `{"full_name":"Ann","age":3.5}`, "age", "must be a whole number"),
		refuse("too many", `{"full_name":"Ann","places":[{},{},{},{}]}`, "places", "must have at most 3 items"),
		{Name: "any map", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","extra":{"anything":[1,{"goes":null}]}}`, Contains: []string{`"name":"Ann"`}},
		{Name: "charset", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"}`, Header: map[string]string{"Content-Type": "application/json; charset=utf-8"}},
		{Name: "charset in capitals", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"}`, Header: map[string]string{"Content-Type": "application/json; charset=\"UTF-8\""}},
		{Name: "a part of UTF-8", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"}`, Header: map[string]string{"Content-Type": "application/json; charset=us-ascii"}},
		{Name: "two charsets", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"}`, Header: map[string]string{"Content-Type": "application/json; charset=utf-8; charset=utf-16"}, Status: 415, Contains: []string{"must be sent in UTF-8"}},
		{Name: "charset that is not read", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"}`, Header: map[string]string{"Content-Type": "application/json; charset=utf-16"}, Status: 415, Contains: []string{"must be sent in UTF-8"}},
		{Name: "form", Method: "POST", Path: "/profile", Body: `full_name=Ann`, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, Status: 415, WantJSON: refusal("body", "must be sent as application/json")},
		{Name: "multipart", Method: "POST", Path: "/profile", Body: "--x\r\nContent-Disposition: form-data; name=\"full_name\"\r\n\r\nAnn\r\n--x--\r\n", Header: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}, Status: 415},
		{Name: "trailing", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"}{"full_name":"Bea"}`, Status: 400, Contains: []string{`"field":"body"`, "is not valid JSON"}},
		{Name: "too deep", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","extra":{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}}`, Status: 400, Contains: []string{"must not be nested"}},
	})
}

// What readers of JSON understand in different ways, or cannot keep, is refused: nothing is stored that was not sent.
func TestAmbiguousJSON(t *testing.T) {
	t.Parallel()
	h := profiles(t)
	refuse := func(name, body, field, message string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Method: "POST", Path: "/profile", Body: body, Status: 400, WantJSON: refusal(field, message)}
	}
	good := func(name, body, want string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Method: "POST", Path: "/profile", Body: body, Contains: []string{want}}
	}
	const (
		utf8, nul = "must be valid UTF-8", `must not contain the character \u0000`
		surrogate = `must not contain half of a surrogate pair, such as \ud800 alone`
		deep      = "must not be nested more than 64 levels deep"
		huge      = "must not contain a number beyond 64-bit floating point"
	)
	nested := func(n int) string {
		return `{"full_name":"Ann","extra":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	h.Run(t, []httpapitest.Scenario{
		refuse("a byte that is none", "{\"full_name\":\"An\xff\"}", "body", utf8),
		refuse("half a character", "{\"full_name\":\"An\xc3\"}", "body", utf8),
		refuse("too long a form", "{\"full_name\":\"An\xc0\x80\"}", "body", utf8),
		refuse("a surrogate as bytes", "{\"full_name\":\"An\xed\xa0\x80\"}", "body", utf8),
		refuse("in a name", "{\"full_name\":\"Ann\",\"extra\":{\"a\xff\":1}}", "body", utf8),
		refuse("high half", `{"full_name":"An\ud800"}`, "body", surrogate),
		refuse("low half", `{"full_name":"An\udc00"}`, "body", surrogate),
		refuse("high half before a letter", `{"full_name":"\uD83Dxx"}`, "body", surrogate),
		refuse("high half before an escape", `{"full_name":"\ud83d\u0041"}`, "body", surrogate),
		refuse("two high halves", `{"full_name":"\ud83d\ud83d"}`, "body", surrogate),
		refuse("the wrong way round", `{"full_name":"\ude00\ud83d"}`, "body", surrogate),
		refuse("half in a name", `{"full_name":"Ann","extra":{"\ud800":1}}`, "body", surrogate),
		refuse("after an escaped backslash", `{"full_name":"\\\\\ud800"}`, "body", surrogate),
		good("a whole pair", `{"full_name":"Ann \ud83d\ude00"}`, "Ann \U0001F600"),
		good("no escape at all", `{"full_name":"Ann \\ud800"}`, `Ann \\ud800`),
		good("a replacement character", "{\"full_name\":\"Ann \uFFFD\"}", "\uFFFD"),
		refuse("NUL", `{"full_name":"An\u0000n"}`, "body", nul),
		refuse("NUL in a name", `{"full_name":"Ann","extra":{"\u0000":1}}`, "body", nul),
		refuse("NUL deep down", `{"full_name":"Ann","verbose":[{"a":"\u0000"}]}`, "body", nul),
		good("no NUL at all", `{"full_name":"Ann \\u0000"}`, `Ann \\u0000`),
		refuse("a field twice", `{"full_name":"A","full_name":"Bea"}`, "body", `must not contain the field "full_name" twice in one object`),
		refuse("twice in other escapes", `{"full_name":"Ann","full\u005fname":"Bea"}`, "body", `must not contain the field "full_name" twice in one object`),
		refuse("an object twice", `{"full_name":"Ann","home":{"floor":1000},"home":{"street":"Elm"}}`, "body", `must not contain the field "home" twice in one object`),
		refuse("twice inside", `{"full_name":"Ann","places":[{"city":"a"},{"city":"b","city":"c"}]}`, "body", `must not contain the field "city" twice in one object`),
		good("the same name in two objects", `{"full_name":"Ann","places":[{"city":"a"},{"city":"b"}],"home":{"city":"c"}}`, `"city":"c"`),
		refuse("other letters are no repetition", `{"full_name":"Ann","home":{"floor":2,"FLOOR":1000}}`, "home.FLOOR", `is not a known field; did you mean "floor"?`),
		refuse("too many values", `{"full_name":"Ann","extra":{"a":[`+strings.Repeat("0,", 10_000)+`0]}}`, "body", "must not contain more than 10000 values"),
		refuse("too many objects", `{"full_name":"Ann","extra":[`+strings.Repeat(`{"":0},`, 140_000)+`{}]}`, "body", "must not contain more than 10000 values"),
		good("many values", `{"full_name":"Ann","extra":{"a":[`+strings.Repeat("0,", 9_000)+`0]}}`, `"name":"Ann"`),
		good("deep", nested(62), `"name":"Ann"`),
		refuse("too deep", nested(63), "body", deep),
		refuse("much too deep", nested(20_000), "body", deep),
		refuse("deep and broken", strings.Repeat(`{"extra":`, 20_000), "body", deep),
		refuse("a huge number", `{"full_name":"Ann","extra":{"a":1e999}}`, "body", huge),
		refuse("a huge number for a small one", `{"full_name":"Ann","serial":-1e999}`, "body", huge),
		refuse("too large a number", `{"full_name":"Ann","serial":9223372036854775808}`, "serial", "is a number out of range"),
		refuse("too large a number inside", `{"full_name":"Ann","home":{"floor":-1e30}}`, "home.floor", "is a number out of range"),
		good("large numbers keep their digits", `{"full_name":"Ann","serial":9007199254740993}`, "9007199254740993"),
		{Name: "a mark of byte order", Method: "POST", Path: "/profile", Body: "\uFEFF" + `{"full_name":"Ann"}`, Status: 400, Contains: []string{"is not valid JSON"}},
		{Name: "UTF-16", Method: "POST", Path: "/profile", Body: "\xff\xfe{\x00}\x00", Status: 400, Contains: []string{utf8}},
		{Name: "a bare NUL", Method: "POST", Path: "/profile", Body: "{\"full_name\":\"A\x00nn\"}", Status: 400, Contains: []string{"is not valid JSON"}},
		{Name: "a comment", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"} // x`, Status: 400, Contains: []string{"is not valid JSON"}},
		{Name: "no number", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","extra":{"a":NaN}}`, Status: 400, Contains: []string{"is not valid JSON"}},
	})
}

// A body of nothing but faults is answered with the first hundred of them.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"full_name":"Ann"`)
	for i := range 4_000 {
		fmt.Fprintf(&b, `,"unknown-%d":1`, i)
	}
	b.WriteString("}")
	h := profiles(t)
	got := h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/profile", Body: b.String(), Status: 400})
	require.Equal(t, 100, strings.Count(got.Body, `"field":`))
	long := h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","` + strings.Repeat("x", 500_000) + `":1}`, Status: 400})
	require.Less(t, len(long.Body), 1000)
}
