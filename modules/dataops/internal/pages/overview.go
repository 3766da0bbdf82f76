package pages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gpatlas/platform/console"
)

// overview answers the five questions of an operator, and shows the sources and the newest runs.
func overview(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-data-dashboard", nil)
	if err != nil {
		return console.View{}, err
	}
	health, err := r.API.Get(ctx, "get-data-health", nil)
	if err != nil {
		return console.View{}, err
	}
	sources, err := lateFirst(ctx, r)
	if err != nil {
		return console.View{}, err
	}
	runs, err := r.API.Get(ctx, "list-extractions", param("limit", "10"))
	if err != nil {
		return console.View{}, err
	}
	lead := "Nothing is wrong."
	if problems := texts(health.Record()["problems"]); len(problems) > 0 {
		lead = strings.Join(problems, " ")
	}
	runs.Meta["total"] = nil // the page of all runs counts them
	return screen("Operator", lead, a,
		console.Section{Tiles: []console.Tile{
			up(health.Record()), fresh(a.Record()), right(a.Record()),
			{Title: "Is it paid?", Text: unknown, Note: "No operation tells. See the payment processor, and emails about payments", Link: "/admin/mails"},
			stuck(health.Record()),
		}},
		console.Section{Title: "Sources", Table: sources, Links: []console.Choice{{Text: "Freshness", Link: freshnessPath}, {Text: "Coverage by month", Link: coveragePath}}},
		console.Section{Title: "Newest runs", Table: console.NewTable(runs, "No source was used yet.", runColumns()...), Links: []console.Choice{{Text: "All runs", Link: ingestionsPath}}},
	), nil
}

func texts(v any) (out []string) {
	items, _ := v.([]any)
	for _, each := range items {
		out = append(out, console.Plain(each))
	}
	return out
}

func record(v any) map[string]any {
	of, _ := v.(map[string]any)
	return of
}

func up(health map[string]any) console.Tile {
	t := console.Tile{Title: "Is it up?", Text: good + "Yes", Link: "/status"}
	if health["status"] == "down" {
		t.Text = bad + "No"
	}
	index := record(health["index"])
	t.Note = "Database " + console.Plain(health["database"]) + ", publication " + console.Plain(index["publication"]) + ", " + console.Many(index["advisers"], "manager")
	return t
}

func fresh(dashboard map[string]any) console.Tile {
	of := record(dashboard["sources"])
	stale, warn, ok := console.Whole(of["stale"]), console.Whole(of["warn"]), console.Whole(of["fresh"])
	t := console.Tile{Title: "Is it fresh?", Text: good + "Yes", Note: console.Many(ok, "source") + " on time, " + console.Count(of["unwatched"]) + " not watched", Link: freshnessPath}
	switch {
	case stale > 0:
		t.Text = bad + console.Count(stale+warn) + " late"
	case warn > 0:
		t.Text = doubt + console.Count(warn) + " late"
	case ok == 0:
		t.Text = unknown
	}
	return t
}

func right(dashboard map[string]any) console.Tile {
	alerts, alarms := console.Whole(record(dashboard["alerts"])["unresolved"]), record(dashboard["quality"])["alarms"]
	day := record(dashboard["ingestions_24h"])
	t := console.Tile{Title: "Is it right?", Text: good + "Yes", Link: qualityPath}
	if alerts > 0 {
		t.Text = doubt + console.Many(alerts, "alert")
	}
	t.Note = console.Many(alarms, "metric") + " above the limit; in 24 hours " + console.Many(day["documents"], "document") + ", " + console.Count(day["failed"]) + " failed"
	return t
}

func stuck(health map[string]any) console.Tile {
	t := console.Tile{Title: "Is it stuck?", Text: unknown, Note: "The job queues do not answer", Link: jobsPath}
	if jobs := record(health["jobs"]); jobs != nil {
		t.Text, t.Note = good+"No", console.Many(jobs["waiting"], "job")+" waiting, "+console.Count(jobs["dead_letters"])+" dead"
		if console.Whole(jobs["dead_letters"]) > 0 {
			t.Text = bad + console.Count(jobs["dead_letters"]) + " dead"
		}
	}
	return t
}

// lateFirst is the table of the sources, the latest ones first.
func lateFirst(ctx context.Context, r *console.Request) (*console.Table, error) {
	sources, err := r.API.Get(ctx, "list-data-sources", nil)
	if err != nil {
		return nil, err
	}
	next := map[string]any{}
	if jobs, err := r.API.Get(ctx, "list-schedules", nil); err == nil { // without Redis the next runs are not known
		for _, each := range jobs.Rows() {
			next[console.Plain(record(each)["job"])] = record(each)["next"]
		}
	}
	rank := func(v any) int { return slices.Index([]any{"stale", "warn", "fresh", nil}, record(v)["state"]) }
	slices.SortStableFunc(sources.Rows(), func(x, y any) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(console.Whole(record(y)["age_seconds"]), console.Whole(record(x)["age_seconds"])))
	})
	return console.NewTable(sources, "No source is configured.",
		console.Linked("Source", "source", func(row map[string]any) string { return ingestionsPath + "?source=" + console.Plain(row["source"]) }),
		console.Value("State", "state", state),
		console.Value("Last success", "last_success", console.Or(moment, "never")),
		console.Figure("Age", "age_seconds", console.Or(console.Age, "–")),
		console.Shown{Text: "Next run", Value: func(row map[string]any) console.Cell {
			job := "dataops.ingest_" + strings.ReplaceAll(console.Plain(row["source"]), "-", "_")
			return console.Cell{Text: console.Or(moment, "not scheduled")(next[job])}
		}},
		console.Figure("Failures", "failures", console.Count),
		console.Value("Last error", "last_error", console.Or(console.Plain, "–")),
	), nil
}
