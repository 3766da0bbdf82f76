package pages

import (
	"context"

	"gpatlas/platform/console"
)

// front is what the home page shows.
type front struct {
	Stats      map[string]any
	Updated    any
	Strategies []any
	States     []any
	Most       int64 // managers of the strategy that has most
	MostState  int64
	Filings    []any
}

const statesShown = 12

// home is the front page.
func home(ctx context.Context, r *console.Request) (console.View, error) {
	stats, err := r.API.Get(ctx, "get-stats", nil)
	if err != nil {
		return console.View{}, err
	}
	strategies, err := r.API.Get(ctx, "list-strategies", nil)
	if err != nil {
		return console.View{}, err
	}
	places, err := r.API.Get(ctx, "list-locations", nil)
	if err != nil {
		return console.View{}, err
	}
	newest, err := r.API.Get(ctx, "list-filings", parameters("limit", "8"))
	if err != nil {
		return console.View{}, err
	}
	f := &front{Stats: stats.Record(), Updated: stats.Meta["timestamp"], Strategies: strategies.Rows(), Filings: newest.Rows()}
	f.States, _ = places.Record()["states"].([]any)
	f.States = f.States[:min(len(f.States), statesShown)]
	f.Most, f.MostState = most(f.Strategies), most(f.States)
	return console.View{Title: "US private fund managers", Body: homeBody, Data: f, Wide: true, Answer: stats}, nil
}

// most is the count of the first row: the lists begin with the highest.
func most(rows []any) int64 {
	if len(rows) == 0 {
		return 0
	}
	row, _ := rows[0].(map[string]any)
	return console.Whole(row["count"])
}
