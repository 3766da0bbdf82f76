package pages

import (
	"context"

	"gpatlas/platform/console"
)

// fundShown is what the page of a fund shows.
type fundShown struct {
	Record map[string]any
	AsOf   string
	Plot   plot
}

// fund shows a fund, as of a day if one is asked for.
func fund(ctx context.Context, r *console.Request) (console.View, error) {
	id, asOf := r.Parameters["fund_id"], r.Value("as_of")
	detail, err := r.API.Get(ctx, "get-fund", parameters("fund_id", id, "as_of", asOf))
	if err != nil {
		return console.View{}, err
	}
	points, err := r.API.Get(ctx, "get-fund-series", parameters("fund_id", id, "as_of", asOf))
	if err != nil {
		return console.View{}, err
	}
	f := &fundShown{Record: detail.Record(), AsOf: asOf, Plot: newPlot(points, "gross_asset_value", "Gross assets", console.Money, day(asOf))}
	return console.View{Title: console.Plain(f.Record["name"]), Section: fundsPath, Body: fundBody, Data: f, Wide: true, Answer: detail}, nil
}
