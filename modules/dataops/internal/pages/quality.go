package pages

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"gpatlas/platform/console"
)

// quality shows the alerts, the metrics, and the metrics by day.
func quality(ctx context.Context, r *console.Request) (console.View, error) {
	all := r.Value("resolved") == "true"
	a, err := r.API.Get(ctx, "list-data-alerts", param("unresolved_only", strconv.FormatBool(!all)))
	if err != nil {
		return console.View{}, err
	}
	figures, err := r.API.Get(ctx, "get-quality", nil)
	if err != nil {
		return console.View{}, err
	}
	trends, err := r.API.Get(ctx, "get-quality-trends", nil)
	if err != nil {
		return console.View{}, err
	}
	other := console.Choice{Text: "Show resolved alerts too", Link: qualityPath + "?resolved=true"}
	if all {
		other = console.Choice{Text: "Hide resolved alerts", Link: qualityPath}
	}
	v := screen("Quality", "", a,
		console.Section{Title: "Alerts", Table: console.NewTable(a, "No alert is open.", alertColumns()...), Links: []console.Choice{other}},
		console.Section{
			Title: "Metrics", Text: console.Or(func(at any) string { return "Computed " + console.Moment(at) + "." }, "")(figures.Meta["computed_at"]),
			Table: console.NewTable(figures, "No metric was computed yet.",
				console.Value("Metric", "title", console.Plain), console.Value("Of", "dimension", console.Or(console.Plain, "all")), console.Value("State", "state", state),
				console.Figure("Value", "value", share), console.Figure("Change", "change", console.Or(share, "–")), console.Figure("Limit", "threshold", console.Or(share, "–")),
				console.Figure("Rows", "affected", console.Count)),
		},
		console.Section{Title: "The last seven days", Table: byDay(trends)},
	)
	var open []string
	for _, each := range a.Rows() {
		if row := record(each); row["state"] != "resolved" {
			open = append(open, console.Plain(row["id"]), console.Plain(row["id"])+": "+console.Word(row["kind"])+" "+console.Or(console.Plain, "")(row["source"]))
		}
	}
	if open != nil {
		v.Forms = []*console.Form{{Title: "Resolve an alert", Action: qualityPath, Submit: "Resolve", Fields: []console.Field{
			{Name: "alert_id", Label: "Alert", Type: console.Select, Options: console.Options(open...)},
			{Name: "reason", Label: "Why it is seen to", Type: console.Text},
		}}}
	}
	return v, nil
}

func alertColumns() []console.Shown {
	return []console.Shown{
		console.Value("Alert", "id", console.Plain), console.Value("What", "kind", console.Word), console.Value("State", "state", state),
		console.Value("Source", "source", console.Or(console.Plain, "–")), console.Value("Found", "reason", console.Plain), console.Figure("Times", "times", console.Count),
		console.Value("Last", "raised_at", moment), console.Value("Resolved because", "resolution", console.Or(console.Plain, "–")),
		console.Act("Do", func(row map[string]any) []console.Button {
			if row["state"] != "open" {
				return nil
			}
			id := console.Plain(row["id"])
			return []console.Button{{Action: qualityPath + "/alerts/" + id + "/acknowledge", Text: "Acknowledge", Of: "alert " + id}}
		}),
	}
}

// share writes the value of a metric: a share of rows below one, or a number of rows.
func share(v any) string {
	f := console.Float(v)
	if f != float64(int64(f)) {
		return strconv.FormatFloat(f*100, 'f', 2, 64) + " %"
	}
	return console.Count(v)
}

// byDay is a row for each series and a column for each day.
func byDay(trends *console.Answer) *console.Table {
	t := &console.Table{Empty: "No metric was computed yet.", Columns: []console.Column{{Text: "Metric"}, {Text: "Of"}}}
	from, err := time.Parse(time.DateOnly, console.Plain(trends.Meta["from"]))
	var days []string
	for d := range console.Whole(trends.Meta["days"]) {
		if err == nil {
			days = append(days, from.AddDate(0, 0, int(d)).Format(time.DateOnly))
			t.Columns = append(t.Columns, console.Column{Text: from.AddDate(0, 0, int(d)).Format("2 Jan"), Number: true})
		}
	}
	for _, each := range trends.Rows() {
		series, values := record(each), map[string]any{}
		points, _ := series["points"].([]any)
		for _, p := range points {
			values[console.Plain(record(p)["day"])] = record(p)["value"]
		}
		row := []console.Cell{{Text: console.Word(series["metric"])}, {Text: console.Or(console.Plain, "all")(series["dimension"])}}
		for _, day := range days {
			row = append(row, console.Cell{Text: console.Or(share, "–")(values[day]), Number: true})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// scheduled shows the schedules of the workers, and how many jobs wait.
func scheduled(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-schedules", nil)
	if err != nil {
		return console.View{}, err
	}
	health, err := r.API.Get(ctx, "get-data-health", nil)
	if err != nil {
		return console.View{}, err
	}
	return screen("Jobs", "", a,
		console.Section{Tiles: []console.Tile{stuck(health.Record())}, Links: []console.Choice{{Text: "The queues, job by job", Link: queuesPath}}},
		console.Section{Title: "Schedules", Text: "Times of cron expressions are in UTC. A job without a last run has not run since the worker started.", Table: console.NewTable(a, "No worker is running.",
			console.Value("Job", "job", console.Plain), console.Value("Next", "next", moment), console.Value("Last", "last", console.Or(moment, "–")),
			console.Value("Cron", "cron", console.Plain))},
	), nil
}

// changes are what operators did.
func changes(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-audit", console.Query(&console.Request{Values: url.Values{"page": r.Values["page"]}}, nil))
	if err != nil {
		return console.View{}, err
	}
	return screen("Audit", "What operators changed, the newest first.", a, console.Listed(auditPath, r, a, "Nothing was changed yet.",
		console.Value("When", "at", moment), console.Value("Account", "actor_id", console.Or(console.Plain, "command line")),
		console.Value("What", "action", console.Plain), console.Value("Of", "subject", console.Plain),
		console.Value("Before", "before", console.Or(raw, "–")), console.Value("After", "after", console.Or(raw, "–")))), nil
}

// raw writes any value as JSON, a text without quotes.
func raw(v any) string {
	if v == nil {
		return "none"
	}
	if text, ok := v.(string); ok {
		return text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return console.NotStated
	}
	return string(out)
}
