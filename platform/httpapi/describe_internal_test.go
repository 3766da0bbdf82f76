package httpapi

import (
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"
)

// The document states a default that a description names, if it is a value of the parameter.
func TestNamedDefault(t *testing.T) {
	t.Parallel()
	for description, want := range map[string]any{
		"Rows to return, 1 to 500 (default 100).": 100.0, "Leave out closed ones (default true).": true, "Order (default asc).": "asc",
		"Order (default up).": nil, "Day (default today).": nil, "Rows (default: all).": nil, "Rows.": nil,
	} {
		schema := &huma.Schema{Type: huma.TypeString, Enum: []any{"asc", "desc"}}
		switch want.(type) {
		case float64:
			schema = &huma.Schema{Type: huma.TypeInteger}
		case bool:
			schema = &huma.Schema{Type: huma.TypeBoolean}
		}
		op := &huma.Operation{Parameters: []*huma.Param{{Description: description, Schema: schema}}}
		finish(op)
		require.Equal(t, want, op.Parameters[0].Schema.Default, description)
		require.Nil(t, schema.Default, "the decoder's schema is left alone")
	}
	kept := &huma.Operation{Parameters: []*huma.Param{{Description: "(default 5)", Schema: &huma.Schema{Type: huma.TypeInteger, Default: 7}}}}
	finish(kept)
	require.Equal(t, 7, kept.Parameters[0].Schema.Default)
}
