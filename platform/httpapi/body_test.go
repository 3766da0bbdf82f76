package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/httpapi/httpapitest"
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
		refuse("nameless", `{"full_name":"Ann","":1}`, "body", "must not have a field without a name"),
		refuse("control characters", `{"full_name":"Ann","\u0000\u0007zzzzzzzz":1}`, "??zzzzzzzz", known),
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
		{Name: "form", Method: "POST", Path: "/profile", Body: `full_name=Ann`, Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, Status: 415, WantJSON: refusal("body", "must be sent as application/json")},
		{Name: "multipart", Method: "POST", Path: "/profile", Body: "--x\r\nContent-Disposition: form-data; name=\"full_name\"\r\n\r\nAnn\r\n--x--\r\n", Header: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}, Status: 415},
		{Name: "trailing", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann"}{"full_name":"Bea"}`, Status: 400, Contains: []string{`"field":"body"`, "is not valid JSON"}},
		{Name: "too deep", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","extra":{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}}`, Status: 400, Contains: []string{"is not valid JSON"}},
		{Name: "deep and broken", Method: "POST", Path: "/profile", Body: strings.Repeat(`{"extra":`, 20_000), Status: 400, Contains: []string{"is not valid JSON"}},
	})
}

// Of a field that is sent twice the last counts, all of it: nothing of the first gets through unchecked.
func TestRepeatedFields(t *testing.T) {
	t.Parallel()
	h := profiles(t)
	post := func(name, body string, want profile) httpapitest.Scenario {
		encoded, err := json.Marshal(want)
		require.NoError(t, err)
		return httpapitest.Scenario{Name: name, Method: "POST", Path: "/profile", Body: body, WantJSON: string(encoded)}
	}
	h.Run(t, []httpapitest.Scenario{
		post("scalar", `{"full_name":"A","full_name":"Bea"}`, profile{Name: "Bea"}),
		post("object", `{"full_name":"Ann","home":{"floor":1000,"city":"Far"},"home":{"street":"Elm"}}`, profile{Name: "Ann", Street: "Elm"}),
		post("unknown in the first", `{"full_name":"Ann","home":{"planet":1},"home":{"city":"Far"}}`, profile{Name: "Ann", City: "Far"}),
		post("inside an object", `{"full_name":"Ann","home":{"floor":1000,"floor":2}}`, profile{Name: "Ann", Floor: 2}),
		post("large numbers keep their digits", `{"full_name":"Ann","full_name":"Ann","serial":9007199254740993}`, profile{Name: "Ann", Serial: 9007199254740993}),
		post("the same name in two objects", `{"full_name":"Ann","places":[{"city":"a"},{"city":"b"}],"home":{"city":"c"}}`, profile{Name: "Ann", City: "c"}),
		{Name: "the last is checked", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","home":{"floor":2},"home":{"floor":1000}}`, Status: 400, WantJSON: refusal("home.floor", "must be at most 9")},
		{Name: "other letters are no repetition", Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","home":{"floor":2,"FLOOR":1000}}`, Status: 400, WantJSON: refusal("home.FLOOR", `is not a known field; did you mean "floor"?`)},
	})
}

// A body of nothing but faults is answered with the first hundred of them.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"full_name":"Ann"`)
	for i := range 20_000 {
		fmt.Fprintf(&b, `,"unknown-%d":1`, i)
	}
	b.WriteString("}")
	h := profiles(t)
	got := h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/profile", Body: b.String(), Status: 400})
	require.Equal(t, 100, strings.Count(got.Body, `"field":`))
	long := h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/profile", Body: `{"full_name":"Ann","` + strings.Repeat("x", 500_000) + `":1}`, Status: 400})
	require.Less(t, len(long.Body), 1000)
}
