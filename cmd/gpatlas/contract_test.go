package main

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/docs"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/auth"
	"gpatlas/web/spec"
	"gpatlas/web/webtest"
)

// TestContract holds the operations of every module, put together as the service puts them together, to the table of
// the contract (method, path, access, price), to reachability, documentation, the golden OpenAPI
// document and a public OpenAPI linter.
func TestContract(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	webtest.Contract(t, app, "testdata/openapi.golden.json")
}

// TestFieldsOfTheContract: no field that the contract names is missing or renamed.
func TestFieldsOfTheContract(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	document, err := app.API.JSON()
	require.NoError(t, err)
	missing, err := spec.MissingFields(document)
	require.NoError(t, err)
	require.Empty(t, missing)
}

// Tags repeat the words of closed lists. Each list of the document that has a list's word is this list, or all but its lowest.
func TestClosedLists(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("testdata/openapi.golden.json")
	require.NoError(t, err)
	lists := regexp.MustCompile(`"enum": \[\s*"[^\]]*\]`).FindAllString(string(document), -1)
	for word, list := range map[string][]string{"enterprise": auth.Plans, "scale": auth.Tiers, "liquidating": catalogapi.FundStatuses} {
		found := 0
		for _, text := range lists {
			var parsed struct{ Enum []string }
			require.NoError(t, json.Unmarshal([]byte("{"+text+"}"), &parsed))
			if slices.Contains(parsed.Enum, word) {
				found++
				require.Contains(t, [][]string{list, list[1:]}, parsed.Enum)
			}
		}
		require.Positive(t, found, word)
	}
}

// TestExamplesAreValid holds every example of the document against its schema: each operation has one of its request and
// one of its good answer.
func TestExamplesAreValid(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	document, err := app.API.JSON()
	require.NoError(t, err)
	require.NoError(t, webtest.NewDocument(t, document).Examples())
}

// TestPagesAreLinked holds what the conventions say of pages: limit comes alone or with offset, page comes with per_page, and
// the lists that have offset or page have Link.
func TestPagesAreLinked(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	require.Contains(t, strings.Join(strings.Fields(docs.Conventions), " "), "Each operation lists what it accepts")
	kinds := map[string]int{}
	for _, r := range app.API.Routes() {
		var takes []string
		for _, p := range r.Operation.Parameters {
			if slices.Contains([]string{"limit", "offset", "page", "per_page"}, p.Name) {
				takes = append(takes, p.Name)
			}
		}
		if takes == nil {
			continue
		}
		slices.Sort(takes)
		kind := strings.Join(takes, " ")
		kinds[kind]++
		_, linked := r.Operation.Responses[strconv.Itoa(r.Operation.DefaultStatus)].Headers["Link"]
		require.Equal(t, kind != "limit", linked, r.Operation.OperationID)
	}
	require.Equal(t, []string{"limit", "limit offset", "limit offset page per_page", "page per_page"}, slices.Sorted(maps.Keys(kinds)))
}

// TestBodiesDoNotSayWhatWasCharged: the answer of an operation with a price is encoded before it is charged for, so no field
// of it can know the charge. X-Charge says it.
func TestBodiesDoNotSayWhatWasCharged(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	schemas := app.API.OpenAPI().Components.Schemas
	priced := 0
	for _, r := range app.API.Routes() {
		success := r.Operation.Responses[strconv.Itoa(r.Operation.DefaultStatus)]
		if r.ChargeMicros == 0 || success.Content == nil {
			continue
		}
		priced++
		fields := map[string]bool{}
		fieldsOf(schemas, success.Content["application/json"].Schema, fields, map[*huma.Schema]bool{})
		require.NotEmpty(t, fields, r.Operation.OperationID)
		for field := range fields {
			require.NotRegexp(t, `charged|^charge$`, field, r.Operation.OperationID)
		}
	}
	require.GreaterOrEqual(t, priced, 8)
}

// fieldsOf collects the names of the fields at every depth of a schema.
func fieldsOf(schemas huma.Registry, s *huma.Schema, fields map[string]bool, seen map[*huma.Schema]bool) {
	if s != nil && s.Ref != "" {
		s = schemas.SchemaFromRef(s.Ref)
	}
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for name, property := range s.Properties {
		fields[name] = true
		fieldsOf(schemas, property, fields, seen)
	}
	fieldsOf(schemas, s.Items, fields, seen)
	for _, list := range [][]*huma.Schema{s.AnyOf, s.OneOf, s.AllOf} {
		for _, part := range list {
			fieldsOf(schemas, part, fields, seen)
		}
	}
}

// TestListsHaveTypedRows looks for lists whose rows have no schema: generated clients could not read them.
func TestListsHaveTypedRows(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	for name, schema := range app.API.OpenAPI().Components.Schemas.Map() {
		for field, property := range schema.Properties {
			if items := property.Items; items != nil {
				require.True(t, items.Type != "" || items.Ref != "" || items.AnyOf != nil || items.OneOf != nil, "%s.%s", name, field)
			}
		}
	}
}
