package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
	"gpatlas/web/webtest"
)

//go:generate go test -count=1 -run ^TestPrices$ . -update

const pricesFile = "../../docs/prices.md"

const pricesHead = `# Prices

Every operation with a price. All other operations are free. This page is generated from the declarations of the operations. [Billing](billing.md) explains how
a charge is made, how to ask for a price and how to limit it. The page ` + "`/plans`" + ` of the service shows what plans cost.

An error, an empty response, an unchanged response (304), ` + "`HEAD`" + ` and a quote cost nothing. People are bought once. Test keys are free.

| Operation | Request | Price |
|---|---|---|
`

// Guarantee: the page of prices and the reference state the price of every operation that has one, and only of those.
func TestPrices(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	var text strings.Builder
	text.WriteString(pricesHead)
	for _, p := range app.API.Prices() {
		fmt.Fprintf(&text, "| %s | `%s %s` | %s |\n", p.Summary, p.Method, p.Path, p.Price)
	}
	page := text.String()
	for _, r := range app.API.Routes() {
		id, text := r.Operation.OperationID, r.Operation.Description
		if r.ChargeMicros == 0 {
			require.NotContains(t, text, "Costs $", id)
			continue
		}
		require.Equal(t, 1, strings.Count(text, "Costs $"+charge.Dollars(r.ChargeMicros)+" per "+r.Per), "%s: %s", id, text)
		require.Contains(t, page, r.Operation.Path+"` | $"+charge.Dollars(r.ChargeMicros), id)
	}
	require.GreaterOrEqual(t, strings.Count(page, "`POST ")+strings.Count(page, "`GET "), 20)
	webtest.Golden(t, pricesFile, []byte(page))
}
