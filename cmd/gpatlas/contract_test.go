package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/web/webtest"
)

// TestContract holds the operations of every module, put together as the service puts them together, to the table of
// the contract (method, path, access, price; pending rows honest), to reachability, documentation, the golden OpenAPI
// document and a public OpenAPI linter.
func TestContract(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	webtest.Contract(t, app, "testdata/openapi.golden.json")
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

// TestGeneratedClients makes clients of the document with public generators, and compiles them.
func TestGeneratedClients(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	document, err := app.API.JSON()
	require.NoError(t, err)
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		webtest.GoClient(t, document)
	})
	t.Run("TypeScript", func(t *testing.T) {
		t.Parallel()
		webtest.TypeScriptClients(t, document)
	})
}
