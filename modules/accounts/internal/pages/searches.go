package pages

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const (
	searchesPath = "/account/searches"
	gpsPath      = "/gps"
)

// searches are the page of saved searches, and the link on the list of managers that saves one. Saved searches are of managers: the
// operation accepts no filters of funds.
func searches() module.Part {
	page := console.Page{Method: http.MethodGet, Path: searchesPath, Access: console.SignedIn, Menu: "Saved searches", Order: 80, Load: savedSearches}
	return module.Part{
		Pages: page.With(
			console.Action{Path: searchesPath, Operation: "create-saved-search", Body: searchBody, Lead: searchesPath + "?notice=saved"},
			console.Action{Path: searchesPath + "/{search_id}/delete", Operation: "delete-saved-search", Button: true, Lead: searchesPath + "?notice=removed"},
		),
		Panels: []console.Panel{{Page: gpsPath, Title: "Save this search", Button: true, Body: saveBody, Load: func(ctx context.Context, r *console.Request) (any, error) {
			if auth.From(ctx).Kind != auth.Session {
				return nil, nil //nolint:nilnil // nothing to show
			}
			return searchesPath + "?" + url.Values{"search": {console.Filters(r.Values).Encode()}}.Encode(), nil
		}}},
	}
}

func savedSearches(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-saved-searches", part(r))
	if err != nil {
		return console.View{}, err
	}
	list := console.Listed(searchesPath, r, a, "You have saved no searches yet.",
		console.Linked("Search", "name", func(row map[string]any) string { return gpsPath + "?" + filtersOf(row).Encode() }),
		console.Shown{Text: "Filters", Value: func(row map[string]any) console.Cell { return console.Cell{Text: describe(filtersOf(row))} }},
		console.Value("Saved", "created_at", console.Day),
		console.Act("", func(row map[string]any) []console.Button {
			return []console.Button{{Action: searchesPath + "/" + console.Plain(row["id"]) + "/delete", Text: "Delete", Of: console.Plain(row["name"])}}
		}))
	v := console.View{Title: "Saved searches", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{
		Lead: "Searches for managers, with their filters.", Sections: []console.Section{list, {Links: []console.Choice{{Text: "Search for managers, then save the search there", Link: gpsPath}}}},
	}}
	if r.Values.Has("search") {
		values, _ := url.ParseQuery(r.Value("search"))
		v.Forms = []*console.Form{{Title: "Save a search", Text: "Filters: " + describe(values) + ".", Action: searchesPath, Submit: "Save the search", Fields: []console.Field{
			{Name: "name", Label: "Name", Type: console.Text}, {Name: "search", Type: console.Hidden, Value: r.Value("search")},
		}}}
	}
	return v, nil
}

// filtersOf are the filters of a saved search as parameters of its page.
func filtersOf(row map[string]any) url.Values {
	values := url.Values{}
	of, _ := row["filters"].(map[string]any)
	for name, value := range of {
		values.Set(name, fmt.Sprint(value))
	}
	return values
}

func describe(values url.Values) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, console.Word(name)+" "+values.Get(name))
	}
	if parts == nil {
		return "none, so all managers"
	}
	return strings.Join(parts, ", ")
}

func searchBody(f *console.Form) any {
	values, _ := url.ParseQuery(f.Value("search"))
	of := map[string]any{}
	for name, value := range console.Filters(values) {
		of[name] = value[0]
	}
	return map[string]any{"name": f.Value("name"), "filters": of}
}
