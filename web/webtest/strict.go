package webtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"gpatlas/docs"
	"gpatlas/platform/testkit/httpapitest"
)

// Document is a served OpenAPI document, against which responses are validated as third-party tools do: by JSON Schema 2020-12
// over the text of the document, independently of the program that wrote it.
type Document struct {
	tree     map[string]any
	general  string // the general description and the rules of all operations, in lower case
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// ofHTTP are the headers that HTTP servers send by themselves, and those that only browsers use.
var ofHTTP = []string{
	"Date", "Server", "Connection", "Content-Type", "Content-Length", "Content-Encoding", "Cache-Control", "Vary", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
	"X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Content-Security-Policy", "Cross-Origin-Resource-Policy",
}

const documentURL = "http://gpatlas.test/openapi.json"

// NewDocument reads an OpenAPI 3.1 document.
func NewDocument(tb testing.TB, text []byte) *Document {
	tb.Helper()
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(tb, err)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: sixDigits}) // narrower than the standard's
	require.NoError(tb, compiler.AddResource(documentURL, tree))
	d := &Document{compiler: compiler, compiled: map[string]*jsonschema.Schema{}}
	d.tree, _ = tree.(map[string]any)
	info, _ := d.tree["info"].(map[string]any)
	general, _ := info["description"].(string)
	d.general = strings.ToLower(general + docs.Conventions)
	return d
}

// Answer returns how a response to an operation, named by its method and the path of the document, departs from the document:
// its status, its headers, its content type or its body.
func (d *Document) Answer(method, path string, status int, header http.Header, body []byte) error {
	pointer := []string{"paths", path, strings.ToLower(method), "responses", strconv.Itoa(status)}
	response, ok := d.at(pointer).(map[string]any)
	if !ok {
		return fmt.Errorf("status %d is not documented", status)
	}
	if ref, shared := response["$ref"].(string); shared {
		pointer = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		response, _ = d.at(pointer).(map[string]any)
	}
	errs := d.headers(pointer, response, header)
	if header.Get("X-Request-Id") == "" {
		errs = append(errs, errors.New("no X-Request-ID"))
	}
	headers, _ := response["headers"].(map[string]any)
	for name := range header {
		documented := name == "X-Request-Id" || slices.Contains(ofHTTP, name) || strings.Contains(d.general, strings.ToLower(name))
		for other := range headers {
			documented = documented || http.CanonicalHeaderKey(other) == name
		}
		if !documented {
			errs = append(errs, fmt.Errorf("header %s is not documented", name))
		}
	}
	content, _ := response["content"].(map[string]any)
	contentType, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	switch {
	case len(content) == 0 && len(body) > 0:
		errs = append(errs, fmt.Errorf("status %d has a body, and documents none", status))
	case len(content) > 0 && content[contentType] == nil:
		errs = append(errs, fmt.Errorf("content type %q is not documented for status %d", contentType, status))
	case contentType == "application/json" || strings.HasSuffix(contentType, "+json"):
		errs = append(errs, d.valid(append(pointer, "content", contentType, "schema"), body))
	}
	return errors.Join(errs...)
}

// headers validates the documented headers of an answer, as text and as the number that the text is; those that are
// required must be there.
func (d *Document) headers(pointer []string, response map[string]any, header http.Header) (errs []error) {
	documented, _ := response["headers"].(map[string]any)
	for name, of := range documented {
		value := header.Get(name)
		if value == "" {
			if param, _ := of.(map[string]any); param["required"] == true {
				errs = append(errs, fmt.Errorf("no header %s, which the document requires", name))
			}
			continue
		}
		where := append(append([]string{}, pointer...), "headers", name, "schema")
		if text, _ := json.Marshal(value); d.valid(where, text) != nil && d.valid(where, []byte(value)) != nil { //nolint:errchkjson // a string
			errs = append(errs, fmt.Errorf("header %s: %q breaks its schema", name, value))
		}
	}
	return errs
}

// Examples validates every example of the document against its schema: those of requests and responses, of parameters and of
// fields. It returns the operations without an example of their request, or of their successful response.
func (d *Document) Examples() error {
	var errs []error
	for path, item := range d.tree["paths"].(map[string]any) { //nolint:forcetypeassert // an OpenAPI document
		for method := range item.(map[string]any) { //nolint:forcetypeassert // as above
			at := []string{"paths", path, method}
			check := func(required bool, where ...string) {
				where = append(append(append([]string{}, at...), where...), "content", "application/json")
				media, _ := d.at(where).(map[string]any)
				if media == nil {
					return
				}
				examples, _ := media["examples"].(map[string]any)
				for name := range examples {
					value := d.at(append(slices.Clone(where), "examples", name, "value"))
					text, _ := json.Marshal(value) //nolint:errchkjson // it was read from JSON
					if err := d.valid(append(slices.Clone(where), "schema"), text); err != nil {
						errs = append(errs, fmt.Errorf("%s %s: %w", strings.Join(where, " "), name, err))
					}
				}
				if media["example"] == nil {
					if required && examples == nil {
						errs = append(errs, fmt.Errorf("%s has no example", strings.Join(where, " ")))
					}
					return
				}
				text, _ := json.Marshal(media["example"]) //nolint:errchkjson // it was read from JSON
				if err := httpapitest.Instants(media["example"]); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", strings.Join(where, " "), err))
				}
				if err := d.valid(append(where, "schema"), text); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", strings.Join(where, " "), err))
				}
			}
			check(true, "requestBody")
			responses, _ := d.at(append(append([]string{}, at...), "responses")).(map[string]any)
			for status := range responses {
				check(status < "300", "responses", status)
			}
		}
	}
	return errors.Join(append(errs, d.shown(nil, d.tree)...)...)
}

// shown validates the examples beside a schema and inside one, at any depth of the document.
func (d *Document) shown(pointer []string, node any) (errs []error) {
	below := func(step string, child any) {
		errs = append(errs, d.shown(append(slices.Clone(pointer), step), child)...)
	}
	switch v := node.(type) {
	case []any:
		for i, item := range v {
			below(strconv.Itoa(i), item)
		}
	case map[string]any:
		check := func(value any, schema ...string) {
			text, _ := json.Marshal(value) //nolint:errchkjson // it was read from JSON
			if err := d.valid(append(slices.Clone(pointer), schema...), text); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", strings.Join(pointer, " "), err))
			}
		}
		if value, ok := v["example"]; ok && v["in"] != nil {
			check(value, "schema")
		}
		if values, ok := v["examples"].([]any); ok && v["type"] != nil {
			for _, value := range values {
				check(value)
				if httpapitest.IsInstant(value) && v["format"] != "date-time" {
					errs = append(errs, fmt.Errorf("%s: %v is an instant, and no date-time", strings.Join(pointer, " "), value))
				}
				if err := httpapitest.Instants(value); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", strings.Join(pointer, " "), err))
				}
			}
		}
		for name, child := range v {
			if name != "example" && name != "examples" {
				below(name, child)
			}
		}
	}
	return errs
}

func (d *Document) at(pointer []string) any {
	var node any = d.tree
	for _, step := range pointer {
		object, _ := node.(map[string]any)
		node = object[step]
	}
	return node
}

var escapes = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")

func (d *Document) valid(pointer []string, text []byte) error {
	steps := make([]string, len(pointer))
	for i, step := range pointer {
		steps[i] = escapes.Replace(step)
	}
	url := documentURL + "#/" + strings.Join(steps, "/")
	d.mu.Lock()
	schema := d.compiled[url]
	if schema == nil {
		var err error
		if schema, err = d.compiler.Compile(url); err != nil {
			d.mu.Unlock()
			return fmt.Errorf("the document's schema is no JSON Schema: %w", err)
		}
		d.compiled[url] = schema
	}
	d.mu.Unlock()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("breaks its schema: %w", err)
	}
	return nil
}

// sixDigits checks an instant of a response. The schema checks values that are no strings.
func sixDigits(value any) error {
	if _, ok := value.(string); ok && !httpapitest.IsInstant(value) {
		return fmt.Errorf("%v is no instant", value)
	}
	return httpapitest.Instants(value)
}
