package pages

import (
	"context"

	"gpatlas/platform/console"
	"gpatlas/platform/console/chart"
)

// places is what the map shows.
type places struct {
	States          []chart.State
	Rows, Countries []any
	Most            int64
}

// atlas shows where managers are.
func atlas(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-locations", nil)
	if err != nil {
		return console.View{}, err
	}
	p := &places{}
	p.Rows, _ = a.Record()["states"].([]any)
	p.Countries, _ = a.Record()["countries"].([]any)
	p.Most = most(p.Rows)
	for _, each := range p.Rows {
		row, _ := each.(map[string]any)
		code := console.Plain(row["state"])
		p.States = append(p.States, chart.State{Code: code, Link: console.Link(gpsPath, nil, "state", code), Value: console.Whole(row["count"])})
	}
	return console.View{Title: "Where managers are", Section: mapPath, Body: mapBody, Data: p, Wide: true, Answer: a}, nil
}
