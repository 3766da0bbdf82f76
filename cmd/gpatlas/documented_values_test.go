package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// values makes the parameters, headers and bodies that an operation is tried with, from its schemas. It makes the same
// ones in each run.
type values struct {
	*rand.Rand

	schemas huma.Registry
	request *huma.Schema // of the body; nil if there is none
}

func newValues(s *survey, op huma.Operation) *values {
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(op.OperationID))
	v := &values{Rand: rand.New(rand.NewPCG(19, seed.Sum64())), schemas: s.schemas}
	if op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil {
		v.request = v.schema(op.RequestBody.Content["application/json"].Schema)
	}
	return v
}

func (v *values) schema(s *huma.Schema) *huma.Schema {
	if s != nil && s.Ref != "" {
		return v.schemas.SchemaFromRef(s.Ref)
	}
	return s
}

func pick[T any](v *values, from []T) T { return from[v.IntN(len(from))] }

// hostile are values that nobody means.
var hostile = []string{
	"", " ", "0", "-1", "1", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e400", "1.5", "NaN", "true", "TRUE", "null",
	"2026-02-30", "2026-06-30", "2024-06-30", "0000-00-00", "9999-12-31", "1700-01-01", "2026-06-30T12:00:00Z", "2026-06-30T12:00:00+14:00", "2026-06-30T25:00:00Z", "292278994-08-17",
	"a", "gp,fund", ",,,", "'; DROP TABLE x; --", "%", "%_%", "\\", "\x00", "a\x00b", "\xff\xfe", "\n", "\u202e", "🜁 ﷽", "ẞß", "../../etc/passwd", "<script>", "${7*7}", "*", "(((", "\"a b\" OR",
	"US", "CA", "NY", "Narnia", "aldr", "capital partners", strings.Repeat("a", 3000), strings.Repeat("é ", 900), strings.Repeat("1", 400), "[]", "{}",
}

// edges are the values at the limits of a schema: valid ones, and those beside them.
func edges(s *huma.Schema) []string {
	list := []string{}
	add := func(v any) { list = append(list, fmt.Sprint(v)) }
	for _, e := range append(slices.Clone(s.Examples), s.Enum...) {
		add(e)
	}
	if s.Default != nil {
		add(s.Default)
	}
	for _, bound := range []*float64{s.Minimum, s.Maximum} {
		if bound != nil {
			for _, n := range []float64{*bound - 1, *bound, *bound + 1} {
				list = append(list, strconv.FormatFloat(n, 'f', -1, 64))
			}
		}
	}
	for _, length := range []*int{s.MinLength, s.MaxLength} {
		if length != nil {
			for n := max(0, *length-1); n <= min(*length+1, 4000); n++ {
				list = append(list, strings.Repeat("e", n), strings.Repeat("é", n))
			}
		}
	}
	switch {
	case s.Type == huma.TypeBoolean:
		list = append(list, "true", "false")
	case s.Format == "date":
		list = append(list, "2026-06-30", "2023-03-31", "2026-11-22")
	case s.Format == "date-time":
		list = append(list, "2026-06-30T12:00:00Z", "2026-06-30T12:00:00.123456789Z")
	case s.Items != nil:
		list = append(list, edges(s.Items)...)
	}
	if len(list) == 0 {
		list = append(list, "1", "a")
	}
	return list
}

// one is a value for a parameter: as often from its schema as not.
func (v *values) one(s *huma.Schema) string {
	if v.IntN(2) == 0 {
		return pick(v, hostile)
	}
	return pick(v, edges(v.schema(s)))
}

// of are some values for a parameter, all different.
func (v *values) of(s *huma.Schema, n int) []string {
	list := edges(v.schema(s))
	v.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(len(list), n/2)]
	for len(list) < n {
		list = append(list, pick(v, hostile))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// longestPath bounds paths with their queries: longer ones are refused by the server, before it knows the operation.
const longestPath = 12 << 10

// with is a request with another value of one parameter.
func (v *values) with(q asked, p *huma.Param, value string) asked {
	path, query, _ := strings.Cut(q.path, "?")
	switch p.In {
	case "path":
		if strings.Trim(value, "./\\ ") == "" || strings.ContainsAny(value, "/") { // these are other paths
			return q
		}
		steps := strings.Split(path, "/")
		for i, step := range strings.Split(q.route.Operation.Path, "/") {
			if step == "{"+p.Name+"}" {
				steps[i] = url.PathEscape(value)
			}
		}
		path = strings.Join(steps, "/")
	case "query":
		parameters, _ := url.ParseQuery(query)
		if v.IntN(20) == 0 {
			parameters.Add(p.Name, value)
		}
		parameters.Set(p.Name, value)
		query = parameters.Encode()
	case "header":
		q.header = http.Header{http.CanonicalHeaderKey(p.Name): {printable(value)}}
	}
	if query != "" {
		path += "?" + query
	}
	if len(path) < longestPath {
		q.path = path
	}
	return q
}

// printable is a value without what no client can put into a header.
func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, value)
}

// headers adds one that clients and proxies send, and some that nobody should.
func (v *values) headers(h http.Header) http.Header {
	if h == nil {
		h = http.Header{}
	}
	line := pick(v, []string{
		"Accept: text/html", "Accept: */*;q=0", "Accept: \xff", "Accept-Encoding: gzip", "Accept-Encoding: identity;q=0", "Accept-Language: tlh", "If-None-Match: \"x\"", "If-None-Match: W/\"\xff\"",
		"If-Match: \"x\"", "If-Modified-Since: never", "Range: bytes=0-1", "Origin: null", "Origin: https://evil.example", "Referer: javascript:1", "X-Request-Id: a b", "X-Request-Id: " + strings.Repeat("x", 200),
		"X-Forwarded-For: 127.0.0.1, ::1, x", "X-Forwarded-Host: evil.example", "X-Http-Method-Override: DELETE", "Cookie: a=b; =; ;", "Prefer: return=minimal", "Content-Type: application/json; charset=utf-16",
		"Content-Type: application/json;charset=UTF-8", "Content-Type: ", "Content-Type: text/plain", "User-Agent: " + strings.Repeat("u", 2000), "User-Agent: \xff\xfe", "X-Session-Id: sess_x", "Idempotency-Key: 1",
		"Traceparent: 00-0-0-0", "Stripe-Signature: t=1",
	})
	name, value, _ := strings.Cut(line, ": ")
	h[name] = []string{value}
	return h
}

// hostileJSON are values of fields that nobody means.
var hostileJSON = []string{
	`""`, `" "`, `0`, `-1`, `1.5`, `1e400`, `9223372036854775808`, `null`, `true`, `{}`, `[]`, `[1]`, `{"a":{"b":[]}}`, `"a\u0000b"`, `"\ud800"`, `"\u202e"`, "\"\xff\"", `"2026-02-30"`, `"é"`, `"🜁 ﷽"`,
	`"` + strings.Repeat("é", 3000) + `"`, `"` + strings.Repeat("a", 300) + `"`, `"ada@larkspur.example "`, `"ada@[127.0.0.1]"`, `"a@b"`, `"<script>"`, strings.Repeat("[", 200) + strings.Repeat("]", 200), `"x" "y"`, ``,
}

// body is a good body with one or a few faults, or with other good values.
func (v *values) body(good string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(good), &fields) != nil {
		return good
	}
	for range 1 + v.IntN(2) {
		v.spoil(fields, v.request, 0)
	}
	return write(fields, v.IntN(15) == 0)
}

func (v *values) spoil(fields map[string]json.RawMessage, s *huma.Schema, depth int) {
	names := slices.Sorted(maps.Keys(fields))
	if s != nil {
		names = append(names, slices.Sorted(maps.Keys(s.Properties))...)
	}
	if len(names) == 0 || v.IntN(12) == 0 {
		names = []string{"", "__proto__", "id", "user_id", "a.b", "Name", "\u0000", strings.Repeat("n", 300)}
	}
	name := pick(v, names)
	var of *huma.Schema
	if s != nil {
		of = v.schema(s.Properties[name])
	}
	var inner map[string]json.RawMessage
	if depth < 3 && v.IntN(3) > 0 && json.Unmarshal(fields[name], &inner) == nil && inner != nil {
		v.spoil(inner, of, depth+1)
		fields[name] = json.RawMessage(write(inner, false))
		return
	}
	switch choice := v.IntN(6); {
	case choice == 0:
		delete(fields, name)
	case choice < 4 && of != nil:
		fields[name] = v.field(of)
	default:
		fields[name] = json.RawMessage(pick(v, hostileJSON))
	}
}

// field is a value of a field at the limits of its schema.
func (v *values) field(s *huma.Schema) json.RawMessage {
	value := pick(v, edges(s))
	switch s.Type {
	case huma.TypeInteger, huma.TypeNumber, huma.TypeBoolean:
		return json.RawMessage(value)
	case huma.TypeArray:
		if items := v.schema(s.Items); items != nil && items.Type != huma.TypeArray {
			one := string(v.field(items))
			return json.RawMessage("[" + strings.Repeat(one+",", v.IntN(120)) + one + "]")
		}
	}
	text, _ := json.Marshal(value) //nolint:errchkjson // a string
	return text
}

// write is an object of fields that need not be JSON, perhaps with one of them twice.
func write(fields map[string]json.RawMessage, twice bool) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		key, _ := json.Marshal(name) //nolint:errchkjson // a string
		parts = append(parts, string(key)+":"+string(fields[name]))
	}
	if twice && len(parts) > 0 {
		parts = append(parts, parts[0])
	}
	return "{" + strings.Join(parts, ",") + "}"
}

type sent struct {
	body   string
	header http.Header
}

// refusedBodies are those that no operation takes.
func (v *values) refusedBodies() []sent {
	var list []sent
	for _, text := range []string{"", "[]", "null", "7", "{", `{"":1}`, `{"a":1}{"a":1}`, "\"\xff\"", `{"a":"\ud800"}`, strings.Repeat("[", 5000), "\xef\xbb\xbf{}"} {
		list = append(list, sent{text, nil})
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(bytes.Repeat([]byte(" "), 2<<20))
	_ = w.Close()
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Add(pairs[i], pairs[i+1])
		}
		return h
	}
	return append(list, []sent{
		{packed.String(), header("Content-Encoding", "gzip")}, // more than a body may have
		{packed.String(), header("Content-Encoding", "gzip, gzip")},
		{"{}", header("Content-Encoding", "gzip")},
		{"{}", header("Content-Encoding", "br")},
		{"a=b", header("Content-Type", "application/x-www-form-urlencoded")},
		{"<a/>", header("Content-Type", "application/xml")},
		{"--x--", header("Content-Type", "multipart/form-data; boundary=x")},
		{"{}", header("Content-Type", "\xff/")},
	}...)
}
