package pages_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/pages"
	"gpatlas/platform/charge"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// Guarantee: the page shows the limits that are applied.
func TestPlans(t *testing.T) {
	t.Parallel()
	list := &charge.List{}
	all := pages.Part(list, charge.Offers{Monthly: map[string]string{"plan:pro": "$199.00", "tier:growth": "$99.00"}, EduDiscount: true}).Pages
	page := all[slices.IndexFunc(all, func(p console.Page) bool { return p.Path == "/plans" })]
	list.Set([]charge.Listed{{Operation: "get-gp-metrics", Method: "GET", Path: "/v1/gps/{crd}/metrics", Summary: "Get growth metrics", Price: "$0.15 per request"}})
	view, err := page.Load(t.Context(), &console.Request{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, templates.Render(&out, view.Body, templates.Frame{Title: view.Title, Data: view.Data}))
	for _, want := range []string{
		`<th scope="row">Starter</th><td>free</td><td>10</td><td>60</td><td>100</td>`, `<th scope="row">Growth</th><td>$99.00</td><td>100</td><td>1,000</td><td>10,000</td>`,
		`<th scope="row">Scale</th><td>not stated</td><td>500</td><td>10,000</td><td>unlimited</td>`, "1,000 API calls",
		`<th scope="row">Pro</th><td>$199.00</td>`, `<th scope="row">Enterprise</th><td>not stated</td>`, `<code>GET /v1/gps/{crd}/metrics</code></td><td>$0.15 per request</td>`,
		"confirmed .edu address", "volume discount", "POST /v1/billing/checkout", "recorded but not collected",
	} {
		require.Contains(t, out.String(), want)
	}
	require.NotContains(t, out.String(), "nobody is charged")
}
