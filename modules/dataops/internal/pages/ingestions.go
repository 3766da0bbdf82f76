package pages

import (
	"context"
	"net/url"
	"strings"

	"gpatlas/platform/console"
)

func runColumns() []console.Shown {
	return []console.Shown{
		console.Linked("Run", "run_id", func(row map[string]any) string { return ingestionsPath + "/" + console.Plain(row["run_id"]) }),
		console.Value("Source", "source", console.Plain), console.Value("State", "state", state), console.Value("Began", "created_at", moment),
		{Text: "Took", Number: true, Value: took},
		console.Figure("Documents", "documents", console.Count), console.Figure("Rows", "rows_read", console.Count),
		console.Figure("Quarantined", "quarantined", console.Count), console.Value("Why it failed", "error", console.Or(console.Plain, "–")),
	}
}

// ingestions are the runs of sources, and the form that starts one.
func ingestions(ctx context.Context, r *console.Request) (console.View, error) {
	wanted := url.Values{"limit": {"50"}}
	lead := "A run fetches what is new from a source and loads it."
	if name := r.Value("source"); name != "" && !r.Values.Has("accept") { // the form that starts a run has both fields
		wanted.Set("source", name)
		lead = "Runs of " + name + "."
	}
	sources, err := r.API.Get(ctx, "list-data-sources", nil)
	if err != nil {
		return console.View{}, err
	}
	var options []string
	for _, each := range sources.Rows() {
		if row := record(each); row["enabled"] == true {
			options = append(options, console.Plain(row["source"]), console.Plain(row["source"])+": "+console.Plain(row["title"]))
		}
	}
	a, err := r.API.Get(ctx, "list-extractions", wanted)
	if err != nil {
		return console.View{}, err
	}
	v := screen("Ingestions", lead, a, console.Section{Table: console.NewTable(a, "No source was used yet.", runColumns()...), Links: []console.Choice{{Text: "Runs of all sources", Link: ingestionsPath}}})
	v.Forms = []*console.Form{{Title: "Start a run", Text: "One run of a source is queued or running at a time.", Action: ingestionsPath, Submit: "Start", Fields: []console.Field{
		{Name: "source", Label: "Source", Type: console.Select, Options: console.Options(options...), Value: r.Value("source")},
		{Name: "accept", Label: "Checks to let pass", Hint: "Only for a file that was stopped and is right: universe_shrunk, rows_unusable …", Type: console.Text, Optional: true},
	}}}
	return v, nil
}

func extractionBody(f *console.Form) any {
	body := map[string]any{"source": f.Value("source")}
	if checks := strings.FieldsFunc(f.Value("accept"), func(c rune) bool { return c == ',' || c == ' ' }); len(checks) > 0 {
		body["accept"] = checks
	}
	return body
}

// begun leads to the run that was started.
func begun(_ context.Context, _ *console.Request, a *console.Answer) (console.View, error) {
	return console.View{Redirect: ingestionsPath + "/" + console.Plain(a.Record()["run_id"]) + "?notice=started"}, nil
}

// ingestion is one run: its documents, and the rows that could not be used.
func ingestion(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-extraction", url.Values{"run_id": {r.Parameters["run_id"]}, "quarantine_limit": {"100"}})
	if err != nil {
		return console.View{}, err
	}
	run, lead := a.Record(), ""
	if run["state"] == "queued" || run["state"] == "running" {
		lead = "Load the page again to see how far it is."
	}
	source, rows := console.Plain(run["source"]), list(run["quarantined_rows"])
	rows.Meta["total"] = run["quarantined"]
	facts := []console.Pair{
		{Name: "Source", Value: source},
		{Name: "State", Value: state(run["state"])},
		{Name: "Began by", Value: console.Word(run["trigger"])},
		{Name: "Asked for", Value: console.Moment(run["created_at"])},
		{Name: "Took", Value: took(run).Text},
		{Name: "Rows read", Value: console.Count(run["rows_read"])},
		{Name: "Quarantined", Value: console.Count(run["quarantined"])},
	}
	if run["error"] != nil {
		facts = append(facts, console.Pair{Name: "Why it failed", Value: console.Plain(run["error"])})
	}
	return screen("Run "+console.Plain(run["run_id"]), lead, a,
		console.Section{Facts: facts, Buttons: []console.Button{{Action: ingestionsPath + "/again/" + source, Text: "Start this source again"}}},
		console.Section{Title: "Documents", Table: console.NewTable(list(run["runs"]), "It has loaded no document.",
			console.Value("Document", "document", console.Plain), console.Value("Kind", "kind", console.Word), console.Value("State", "state", state),
			console.Shown{Text: "Took", Number: true, Value: took}, console.Figure("Rows", "rows_read", console.Count), console.Figure("New filings", "filings_new", console.Count),
			console.Figure("Changed", "filings_changed", console.Count), console.Figure("Quarantined", "quarantined", console.Count),
			console.Value("Why it failed", "error", console.Or(console.Plain, "–")))},
		console.Section{Title: "Rows that could not be used", Table: console.NewTable(rows, "Every row could be used.", rowColumns()...), Links: []console.Choice{
			{Text: "All runs of this source", Link: ingestionsPath + "?source=" + source}, {Text: "Rows by reason", Link: quarantinePath},
		}},
	), nil
}

func rowColumns() []console.Shown {
	return []console.Shown{
		console.Value("File", "file", console.Plain), console.Figure("Line", "line", console.Count), console.Value("Reason", "reason", console.Plain),
		console.Value("Row", "raw", console.Plain),
	}
}

// quarantine shows why rows could not be used, and the rows of one reason.
func quarantine(ctx context.Context, r *console.Request) (console.View, error) {
	wanted := url.Values{}
	if reason := r.Value("reason"); reason != "" {
		wanted.Set("reason", reason)
	}
	a, err := r.API.Get(ctx, "list-quarantined-rows", wanted)
	if err != nil {
		return console.View{}, err
	}
	title := "Newest rows"
	if r.Value("reason") != "" {
		title = "Rows: " + r.Value("reason")
	}
	run := console.Shown{Text: "Run", Value: func(row map[string]any) console.Cell {
		if row["extraction_run_id"] == nil {
			return console.Cell{Text: "by hand"}
		}
		id := console.Plain(row["extraction_run_id"])
		return console.Cell{Text: id, Link: ingestionsPath + "/" + id}
	}}
	rows := console.NewTable(a, "Every row could be used.", append([]console.Shown{run, console.Value("Document", "document", console.Plain)}, rowColumns()...)...)
	return screen("Quarantine", "Rows of the last "+console.Plain(a.Meta["days"])+" days that could not be used. A run's page starts its source again.", a,
		console.Section{Title: "By reason", Table: console.NewTable(list(a.Meta["reasons"]), "Every row could be used.",
			console.Linked("Reason", "reason", func(row map[string]any) string {
				return console.Link(quarantinePath, url.Values{}, "reason", console.Plain(row["reason"]))
			}),
			console.Figure("Rows", "rows", console.Count), console.Figure("Documents", "documents", console.Count), console.Value("Newest", "latest", moment))},
		console.Section{Title: title, Table: rows},
	), nil
}
