package pages

import (
	"context"
	"embed"
	"net/http"
	"net/url"
	"time"

	"gpatlas/platform/console"
	"gpatlas/platform/console/chart"
	templates "gpatlas/templates/console"
)

//go:embed plans.html usage.html
var files embed.FS

var usageBody = templates.Parse(files, "usage.html")

const usagePath = "/account/usage"

func usage() []console.Page {
	return []console.Page{{Method: http.MethodGet, Path: usagePath, Access: console.SignedIn, Menu: "Usage", Order: 30, Load: showUsage}}
}

// used is what the page shows: all keys together, or one.
type used struct {
	Summary    []console.Pair
	Keys, Days []console.Choice
	Plot       *chart.Days
	ByKey      *console.Table // nil if one key was chosen
	Operations *console.Table
	ByDay      *console.Table
}

func showUsage(ctx context.Context, r *console.Request) (console.View, error) {
	key, days := r.Value("key"), r.Value("days")
	if days == "" {
		days = "30"
	}
	values := url.Values{"days": {days}}
	if key != "" {
		values.Set("key", key)
	}
	daily, err := r.API.Get(ctx, "get-daily-usage", values)
	if err != nil {
		return console.View{}, err
	}
	operations, err := r.API.Get(ctx, "get-endpoint-usage", values)
	if err != nil {
		return console.View{}, err
	}
	sums, err := summary(ctx, r, key)
	if err != nil {
		return console.View{}, err
	}
	u := &used{Plot: plotOf(daily), Operations: console.NewTable(operations, "No requests.", usageColumns()...), ByDay: console.NewTable(daily, "", dayColumns()...)}
	for _, of := range []struct{ text, member string }{{"Today", "today"}, {"This month", "this_month"}, {"Ever", "all_time"}} {
		counts, _ := sums.Record()[of.member].(map[string]any)
		u.Summary = append(u.Summary, console.Pair{Name: of.text, Value: console.Many(counts["total"], "request") + ", " + console.Count(counts["failed"]) + " failed"})
	}
	for _, n := range []string{"7", "30", "90"} {
		u.Days = append(u.Days, console.Choice{Text: n + " days", Link: console.Link(usagePath, r.Values, "days", n), Selected: n == days})
	}
	if err := u.byKey(ctx, r, key); err != nil {
		return console.View{}, err
	}
	return console.View{Title: "Usage", Body: usageBody, Answer: daily, Wide: true, Data: u}, nil
}

func summary(ctx context.Context, r *console.Request, key string) (*console.Answer, error) {
	values := url.Values{}
	if key != "" {
		values.Set("key", key)
	}
	return r.API.Get(ctx, "get-usage", values)
}

// byKey lists the active keys, and the requests of each while all are shown together.
func (u *used) byKey(ctx context.Context, r *console.Request, chosen string) error {
	keys, err := r.API.Get(ctx, "list-api-keys", nil)
	if err != nil {
		return err
	}
	u.Keys = []console.Choice{{Text: "All keys", Link: console.Link(usagePath, r.Values, "key", ""), Selected: chosen == ""}}
	month := map[string]map[string]any{}
	for _, each := range keys.Rows() {
		row, _ := each.(map[string]any)
		id := console.Plain(row["id"])
		u.Keys = append(u.Keys, console.Choice{Text: console.Plain(row["name"]), Link: console.Link(usagePath, r.Values, "key", id), Selected: chosen == id})
		if chosen == "" {
			sums, err := summary(ctx, r, id)
			if err != nil {
				return err
			}
			month[id], _ = sums.Record()["this_month"].(map[string]any)
		}
	}
	if chosen == "" {
		count := func(member string) func(row map[string]any) console.Cell {
			return func(row map[string]any) console.Cell {
				return console.Cell{Text: console.Count(month[console.Plain(row["id"])][member])}
			}
		}
		u.ByKey = console.NewTable(keys, "You have no active API key.", console.Linked("Key", "name", keyLink), console.Value("Mode", "mode", console.Word),
			console.Shown{Text: "Requests this month", Number: true, Value: count("total")}, console.Shown{Text: "Failed", Number: true, Value: count("failed")},
			console.Value("Last used", "last_used_at", console.Or(console.Moment, "never")))
	}
	return nil
}

func dayColumns() []console.Shown {
	of := func(group, member string, write func(any) string) func(row map[string]any) console.Cell {
		return func(row map[string]any) console.Cell {
			counts, _ := row[group].(map[string]any)
			return console.Cell{Text: write(counts[member])}
		}
	}
	return []console.Shown{
		console.Value("Day (UTC)", "date", console.Day),
		{Text: "Requests", Number: true, Value: of("requests", "total", console.Count)},
		{Text: "Successful (2xx, 3xx)", Number: true, Value: of("requests", "successful", console.Count)},
		{Text: "Failed (4xx, 5xx)", Number: true, Value: of("requests", "failed", console.Count)},
		{Text: "95 % within", Number: true, Value: of("response_times_ms", "p95", console.Or(milliseconds, "–"))},
	}
}

func plotOf(daily *console.Answer) *chart.Days {
	d := &chart.Days{Title: "Requests", Part: "failed", Label: func(v float64) string { return console.Count(v) }}
	for _, each := range daily.Rows() {
		row, _ := each.(map[string]any)
		counts, _ := row["requests"].(map[string]any)
		on, _ := time.Parse(time.DateOnly, console.Plain(row["date"]))
		d.Days = append(d.Days, chart.Day{Label: on.Format("2 Jan"), Value: console.Whole(counts["total"]), Part: console.Whole(counts["failed"])})
	}
	return d
}
