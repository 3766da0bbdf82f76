package pages

import (
	"context"
	"slices"
	"time"

	"gpatlas/platform/console"
)

// freshness shows how old everything is, and what waits to be refreshed.
func freshness(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-freshness", nil)
	if err != nil {
		return console.View{}, err
	}
	sources, err := lateFirst(ctx, r)
	if err != nil {
		return console.View{}, err
	}
	queue, err := r.API.Get(ctx, "list-freshness-queue", nil)
	if err != nil {
		return console.View{}, err
	}
	stale, err := r.API.Get(ctx, "list-stale-managers", param("limit", "25"))
	if err != nil {
		return console.View{}, err
	}
	of := a.Record()
	managers, counts := record(of["managers"]), record(queue.Meta["counts"])
	v := screen("Freshness", "", a,
		console.Section{Title: "Sources, late ones first", Table: sources},
		console.Section{Title: "What is stale", Facts: []console.Pair{
			{Name: "Managers", Value: console.Count(managers["stale"]) + " of " + console.Count(managers["total"]) + " have not filed for 15 months"},
			{Name: "People", Value: console.Count(record(of["people"])["stale"])},
			{Name: "Job boards", Value: console.Count(record(of["job_boards"])["stale"])},
		}},
		console.Section{
			Title: "Refresh queue", Text: console.Count(counts["queued"]) + " waiting, " + console.Count(counts["running"]) + " running, " + console.Count(counts["failed"]) + " failed.",
			Table: console.NewTable(queue, "Nothing waits to be refreshed.",
				console.Value("What", "entity_type", console.Word), console.Value("ID", "entity_id", console.Plain), console.Value("Status", "status", state),
				console.Figure("Priority", "priority", console.Count), console.Value("Queued", "created_at", moment), console.Value("Why", "reason", console.Plain),
				console.Value("Result", "result", console.Or(console.Plain, "–"))),
			Buttons: []console.Button{{Action: freshnessPath + "/process", Text: "Process the queue now"}},
		},
		console.Section{Title: "Stale managers", Table: console.NewTable(stale, "No manager is stale.",
			console.Linked("Manager", "legal_name", func(row map[string]any) string { return "/gps/" + console.Plain(row["crd"]) }),
			console.Value("Newest filing", "newest_filing_date", console.Day), console.Figure("Days", "days", console.Count), console.Figure("Assets", "total_aum", console.Money))},
	)
	v.Forms = []*console.Form{{Title: "Queue something", Action: freshnessPath, Submit: "Queue", Fields: []console.Field{
		{Name: "entity_type", Label: "What", Type: console.Select, Options: console.Options("gp", "Manager", "person", "Person", "lp", "LP", "source", "Source")},
		{Name: "entity_id", Label: "ID", Hint: "CRD number, person UID, LP ID or name of a source", Type: console.Text},
		{Name: "reason", Label: "Why", Type: console.Text},
		{Name: "priority", Label: "Priority", Hint: "0 to 100; the higher, the sooner", Type: console.Number, Optional: true},
	}}}
	return v, nil
}

// coverage counts the filings of each month by source. A month without filings has a row too.
func coverage(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-status", nil)
	if err != nil {
		return console.View{}, err
	}
	counts, most, months, sources := map[[2]string]int64{}, map[string]int64{}, []string{}, []string{}
	cells, _ := a.Record()["coverage"].([]any)
	for _, each := range cells {
		month, source, n := console.Plain(record(each)["month"]), console.Plain(record(each)["source"]), console.Whole(record(each)["filings"])
		counts[[2]string{month, source}] = n
		most[source] = max(most[source], n)
		months, sources = append(months, month), append(sources, source)
	}
	slices.Sort(months)
	slices.Sort(sources)
	sources = slices.Compact(sources)
	t := &console.Table{Empty: "No filing is loaded.", Columns: []console.Column{{Text: "Month"}}}
	for _, s := range sources {
		t.Columns = append(t.Columns, console.Column{Text: console.Word(s), Number: true})
	}
	all := descending(months)
	shown := all
	var links []console.Choice
	if len(all) > 36 && r.Value("months") != "all" {
		shown, links = all[:36], []console.Choice{{Text: "All " + console.Count(len(all)) + " months", Link: coveragePath + "?months=all"}}
	}
	for _, month := range shown {
		row := []console.Cell{{Text: named(month)}}
		for _, s := range sources {
			n := counts[[2]string{month, s}]
			cell := console.Cell{Text: console.Count(n), Number: true}
			if n > 0 {
				cell.Heat = 1 + int(n*3/most[s])
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return screen("Coverage", "Filings by month and source. The stronger the color, the closer to the best month of the source.", a, console.Section{Table: t, Links: links}), nil
}

// named writes a month: "Oct 2026".
func named(month string) string {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return month
	}
	return at.Format("Jan\u00a02006")
}

// descending are all months between the first and the last of a sorted list, the newest first.
func descending(months []string) (out []string) {
	if len(months) == 0 {
		return nil
	}
	first, err := time.Parse("2006-01", months[0])
	last, failed := time.Parse("2006-01", months[len(months)-1])
	for at := last; err == nil && failed == nil && !at.Before(first); at = at.AddDate(0, -1, 0) {
		out = append(out, at.Format("2006-01"))
	}
	return out
}
