package plans_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/plans"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// Guarantee: the page says the limits that are applied.
func TestPlans(t *testing.T) {
	t.Parallel()
	pages := plans.Pages()
	require.Len(t, pages, 1)
	view, err := pages[0].Load(t.Context(), &console.Request{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, templates.Render(&out, view.Body, templates.Frame{Title: view.Title, Data: view.Data}))
	for _, want := range []string{
		`<th scope="row">Starter</th><td>10</td><td>60</td><td>100</td>`, `<th scope="row">Growth</th><td>100</td><td>1,000</td><td>10,000</td>`,
		`<th scope="row">Scale</th><td>500</td><td>10,000</td><td>unlimited</td>`, "1,000 API calls", "POST /v1/billing/checkout", "recorded but not collected",
	} {
		require.Contains(t, out.String(), want)
	}
	require.NotContains(t, out.String(), "nobody is charged")
}
