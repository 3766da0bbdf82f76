package webtest_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/web/webtest"
)

// TestGeneratedClients makes clients of the golden document, which the test of the contract holds to the service. Building the
// generators takes minutes on a new machine, so `make clients` runs the tests of this name and `make test` does not.
func TestGeneratedClients(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../cmd/gpatlas/testdata/openapi.golden.json")
	require.NoError(t, err)
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		webtest.GoClient(t, document, "`form:\"max_charge,omitempty\"", "`form:\"quote,omitempty\"", "type QuoteData struct", "`json:\"code,omitempty\"`")
	})
	t.Run("strict Go", func(t *testing.T) {
		t.Parallel()
		webtest.StrictGoClient(t, document, "type Quote struct", "type Session struct", "type APIKey struct")
	})
	t.Run("TypeScript", func(t *testing.T) {
		t.Parallel()
		webtest.TypeScriptClients(t, document, "max_charge?: number;", "quote?: boolean;", "QuoteData: {", "code?: string;")
	})
}

// The values of Filing's field source are a type FilingSource in Go: no schema may have that name.
func TestGeneratedClientsFindClashingNames(t *testing.T) {
	t.Parallel()
	bad := []byte(`{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"operationId":"a",
		"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Filing"}}}},
		"400":{"description":"bad","content":{"application/json":{"schema":{"$ref":"#/components/schemas/FilingSource"}}}}}}}},"components":{"schemas":{
		"Filing":{"type":"object","properties":{"source":{"type":"string","enum":["a","b"]}}},"FilingSource":{"type":"object"}}}}`)
	f := &failure{TB: t}
	require.True(t, f.run(func() { webtest.GoClient(f, bad) }))
}

func TestGeneratedClientsFindFaults(t *testing.T) {
	t.Parallel()
	bad := []byte(`{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"operationId":"a","responses":{"200":{"$ref":"#/components/responses/none"}}}}}}`)
	f := &failure{TB: t}
	require.True(t, f.run(func() { webtest.TypeScriptClients(f, bad) }))
}
