package pages

import (
	"context"
	"slices"
	"strings"

	"gpatlas/platform/console"
)

// state is what the page of the service's status shows.
type state struct {
	Status  string
	Of      map[string]any
	Sources []string
	Years   []year // the newest first
}

type year struct {
	Year   string
	Counts []int // of filings, by source
}

// status shows how fresh the data are, and how many filings each source has for each year. A year without filings has a row too.
func status(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-status", nil)
	if err != nil {
		return console.View{}, err
	}
	s := &state{Status: "ready", Of: a.Record()} // the member data of the response
	if s.Of["loaded_at"] == nil {
		s.Status = "loading"
	}
	months, _ := s.Of["coverage"].([]any)
	counts := map[string]map[string]int{}
	for _, each := range months {
		row, _ := each.(map[string]any)
		source, y := console.Plain(row["source"]), console.Plain(row["month"])[:4]
		if !slices.Contains(s.Sources, source) {
			s.Sources = append(s.Sources, source)
		}
		if counts[y] == nil {
			counts[y] = map[string]int{}
		}
		counts[y][source] += int(console.Whole(row["filings"]))
	}
	slices.Sort(s.Sources)
	for y, of := range counts {
		next := year{Year: y}
		for _, source := range s.Sources {
			next.Counts = append(next.Counts, of[source])
		}
		s.Years = append(s.Years, next)
	}
	slices.SortFunc(s.Years, func(a, b year) int { return strings.Compare(b.Year, a.Year) })
	return console.View{Title: "Status of the data", Body: statusBody, Data: s, Wide: true, Answer: a}, nil
}
