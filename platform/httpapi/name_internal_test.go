package httpapi

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"
)

type item struct {
	Kind *string `json:"kind" enum:"a,b"`
}

func (item) SchemaName() string { return "NamedItem" }

// wider embeds a named type, and is no second NamedItem.
type wider struct {
	item

	Note string `json:"note"`
}

type bodyInput struct {
	Body struct {
		Name string  `json:"name"`
		Kind *string `json:"kind" enum:"x"`
	}
}

type logoutAnswer struct {
	Message string `json:"message"`
}

func answering[I, B any]() func(context.Context, *I) (*Reply[B], error) {
	return func(context.Context, *I) (*Reply[B], error) { return &Reply[B]{}, nil }
}

// The names of schemas are those that clients will have: of the operation for bodies without a name of their own, else
// of the type or what it calls itself. Nullable enums have null among their values, in answers and in requests.
func TestNamesOfSchemas(t *testing.T) {
	t.Parallel()
	api := New(fiber.New(FiberConfig(nil)), Config{Title: "x", Version: "1"})
	require.NoError(t, api.Register([]Route{
		Get("/a", "search-gps", answering[struct{}, DataMeta[[]item, wider]]()),
		Get("/b", "get-gp", answering[struct{}, Data[item]]()),
		Post("/c", "create-api-key", answering[bodyInput, item]()),
		Post("/d", "rename-api-key", answering[bodyInput, logoutAnswer]()),
	}))
	document, err := api.JSON()
	require.NoError(t, err)
	var got struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Enum []any `json:"enum"`
				} `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(document, &got))
	var names []string
	for name := range got.Components.Schemas {
		names = append(names, name)
	}
	require.ElementsMatch(t, []string{
		"CreateAPIKeyRequest", "RenameAPIKeyRequest", "RenameAPIKeyResult", "GetGPResult", "SearchGPsResult", "NamedItem", "Wider",
		"Problem", "FieldError", "RateLimited", "RateLimitError",
	}, names)
	require.Equal(t, []any{"a", "b", nil}, got.Components.Schemas["NamedItem"].Properties["kind"].Enum)
	require.Equal(t, []any{"x", nil}, got.Components.Schemas["CreateAPIKeyRequest"].Properties["kind"].Enum)
}

type otherItem struct {
	Other string `json:"other"`
}

func (otherItem) SchemaName() string { return "NamedItem" }

// Two types with one name are refused, as are types that could not be named but by chance.
func TestNamesOfSchemasMustBeClear(t *testing.T) {
	t.Parallel()
	type nested struct {
		Inner struct{ A string } `json:"inner"`
		Deep  Data[string]       `json:"deep"`
	}
	for name, test := range map[string]struct {
		route Route
		want  string
	}{
		"one name":  {Get("/b", "b", answering[struct{}, otherItem]()), "httpapi.item and httpapi.otherItem are both named NamedItem in the document"},
		"anonymous": {Get("/b", "b", answering[struct{}, nested]()), "struct { A string } (nestedInnerStruct) has no name for the document"},
		"envelope":  {Get("/b", "b", answering[struct{}, nested]()), "httpapi.Data[string] (nestedDeepStruct) has no name for the document"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := New(fiber.New(FiberConfig(nil)), Config{Title: "x", Version: "1"})
			err := api.Register([]Route{Get("/a", "a", answering[struct{}, item]()), test.route})
			require.ErrorContains(t, err, test.want)
		})
	}
}
