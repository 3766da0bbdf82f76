package pages

import (
	"context"
	"net/http"
	"net/url"

	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

const exportsPath = "/account/exports"

// exports are the page that makes files of the lists.
func exports() []console.Page {
	page := console.Page{Method: http.MethodGet, Path: exportsPath, Access: console.SignedIn, Menu: "Exports", Order: 100, Load: showExports}
	return page.With(console.Action{Path: exportsPath, Operation: "export-csv", Body: exportRequest, Then: func(_ context.Context, _ *console.Request, a *console.Answer) (console.View, error) {
		return console.View{File: a.File}, nil
	}})
}

// exportLink leads from a list to the page, with the filters of the list.
func exportLink(page, kind string) console.Panel {
	return console.Panel{Page: page, Title: "Export", Button: true, Body: exportBody, Load: func(ctx context.Context, r *console.Request) (any, error) {
		if auth.From(ctx).Kind != auth.Session || r.Value("as_of") != "" || r.Value("known_at") != "" { // a file is of today
			return nil, nil //nolint:nilnil // nothing to show
		}
		return exportsPath + "?" + url.Values{"type": {kind}, "search": {console.Filters(r.Values).Encode()}}.Encode(), nil
	}}
}

func showExports(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-export-fields", nil)
	if err != nil {
		return console.View{}, err
	}
	kind, operation := "gps", "search-gps"
	if r.Value("type") == "funds" {
		kind, operation = "funds", "search-funds"
	}
	search, _ := url.ParseQuery(r.Value("search"))
	wanted := console.Filters(search)
	wanted.Set("per_page", "1")
	found, err := r.API.Get(ctx, operation, wanted)
	if err != nil {
		return console.View{}, err
	}
	most := a.Meta["max_rows"]
	facts := []console.Pair{
		{Name: "Rows that match", Value: console.Count(found.Meta["total"])}, {Name: "Most rows of one file on your plan", Value: console.Count(most)}, {Name: "Price", Value: "free"},
	}
	v := console.View{Title: "Exports", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{
		Lead: "Lists of managers and funds as files. Choose the rows on the list, then export it from there.",
		Sections: []console.Section{
			{Title: map[string]string{"gps": "Managers", "funds": "Funds"}[kind], Facts: facts, Links: []console.Choice{{Text: "Choose managers", Link: gpsPath}, {Text: "Choose funds", Link: fundsPath}}},
		},
	}}
	if console.Whole(most) > 0 {
		v.Forms = []*console.Form{{Title: "Download", Action: exportsPath, Submit: "Download the file", Fields: []console.Field{
			{Name: "type", Type: console.Hidden, Value: kind},
			{Name: "search", Type: console.Hidden, Value: r.Value("search")},
			{Name: "format", Label: "Format", Type: console.Select, Value: "csv", Options: []console.Pair{{Name: "csv", Value: "CSV, for spreadsheets"}, {Name: "ndjson", Value: "NDJSON, for programs"}}},
		}}}
	}
	return v, nil
}

func exportRequest(f *console.Form) any {
	search, _ := url.ParseQuery(f.Value("search"))
	filters := map[string]any{}
	body := map[string]any{"type": f.Value("type"), "format": f.Value("format"), "filters": filters}
	for name, value := range console.Filters(search) {
		if name == "sort" || name == "order" {
			body[name] = value[0]
		} else {
			filters[name] = value[0]
		}
	}
	return body
}
