// Package pages is the pages for people about what has changed, and about the webhooks of an account. They show what the operations return.
package pages

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const (
	changesPath = "/changes"
	perPage     = "50"
	// window is how far back the page begins if its address does not say.
	window = 30 * 24 * time.Hour
)

// Part is the pages, and the panel of changes on the page of a manager.
func Part() module.Part {
	return module.Part{
		Pages:  append([]console.Page{{Method: http.MethodGet, Path: changesPath, Nav: "Changes", Load: changes}}, webhooks()...),
		Panels: []console.Panel{{Page: "/gps/{crd}", Title: "Changes", Body: templates.TablePanel, Load: ofManager}},
	}
}

// changes shows events from a time on, the oldest first: the order in which a reader applies them.
func changes(ctx context.Context, r *console.Request) (console.View, error) {
	values := maps.Clone(r.Values)
	if values.Get("cursor") == "" && values.Get("since") == "" && values.Get("from") == "" {
		values.Set("since", r.Now.Add(-window).UTC().Format(time.RFC3339))
	}
	values.Set("limit", perPage)
	a, err := r.API.Get(ctx, "list-changes", values)
	if err != nil {
		return console.View{}, err
	}
	kinds, err := r.API.Get(ctx, "list-kinds-of-changes", nil)
	if err != nil {
		return console.View{}, err
	}
	chosen := console.Section{Links: []console.Choice{{Text: "All kinds", Link: console.Link(changesPath, r.Values, "kind", ""), Selected: r.Value("kind") == ""}}}
	for _, each := range kinds.Rows() {
		kind := console.Plain(member(each, "kind"))
		chosen.Links = append(chosen.Links, console.Choice{Text: console.Word(kind), Link: console.Link(changesPath, r.Values, "kind", kind), Selected: r.Value("kind") == kind})
	}
	list := console.Section{Table: console.NewTable(a, "Nothing has changed.", append([]console.Shown{
		console.Linked("Manager", "gp_name", console.To("/gps/", "crd")), console.Linked("Fund", "fund_name", console.To("/funds/", "fund_id")),
	}, columns...)...)}
	if a.Meta["has_more"] == true {
		next := maps.Clone(r.Values)
		maps.DeleteFunc(next, func(name string, _ []string) bool { return name == "since" || name == "from" })
		list.Links = []console.Choice{{Text: "Later changes", Link: console.Link(changesPath, next, "cursor", console.Plain(a.Meta["next_cursor"]))}}
	}
	return console.View{
		Title: "What changed", Section: changesPath, Body: templates.Screen, Answer: a, Wide: true,
		Data: &console.Content{Lead: "What new filings, lists and corrections changed, in the order of the log.", Sections: []console.Section{chosen, list}},
	}, nil
}

var columns = []console.Shown{
	console.Value("Written", "at", console.Moment), console.Value("What", "kind", console.Word),
	{Text: "Changed", Value: changed},
	console.Value("By", "reason", console.Word), console.Value("Filing", "accession_number", console.Or(console.Plain, "–")),
}

// changed writes the fields of an event: "Assets: $1,000 → $2,000".
func changed(row map[string]any) console.Cell {
	fields, _ := row["changed"].([]any)
	var said []string
	for _, each := range fields {
		field := console.Plain(member(each, "field"))
		value := func(of string) string {
			return console.Or(func(v any) string { return console.Said(field, v) }, "none")(member(each, of))
		}
		said = append(said, console.Word(field)+": "+value("before")+" → "+value("after"))
	}
	if said == nil {
		said = []string{console.Or(console.Plain, "–")(row["form_type"])}
	}
	return console.Cell{Text: strings.Join(said, "; ")}
}

// ofManager shows the changes of the last weeks on the page of a manager.
func ofManager(ctx context.Context, r *console.Request) (any, error) {
	crd := r.Parameters["crd"]
	a, err := r.API.Get(ctx, "list-changes", url.Values{"crd": {crd}, "since": {r.Now.Add(-window).UTC().Format(time.RFC3339)}, "limit": {perPage}})
	if err != nil || len(a.Rows()) == 0 {
		return nil, err
	}
	t := console.NewTable(a, "", columns...)
	if a.Meta["has_more"] == true {
		t.Notes = append(t.Notes, "Only the first "+perPage+" of the last 30 days are shown. All are on the page of changes.")
	}
	return t, nil
}

func member(of any, name string) any {
	row, _ := of.(map[string]any)
	return row[name]
}
