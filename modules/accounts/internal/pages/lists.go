package pages

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const (
	watchlistPath   = "/account/watchlist"
	collectionsPath = "/account/collections"
	collectionPath  = "/account/collections/{collection_id}"
	activityPath    = "/account/activity"
	watchPath       = "/gps/{crd}/watch"
	gpPath          = "/gps/{crd}"
)

// lists are the pages of the managers that an account watches and collects, and of their news.
func lists() module.Part {
	own := func(path, text string, order int, load func(context.Context, *console.Request) (console.View, error)) console.Page {
		return console.Page{Method: http.MethodGet, Path: path, Access: console.SignedIn, Menu: text, Order: order, Load: load}
	}
	return module.Part{
		Pages: slices.Concat(
			own(watchlistPath, "Watchlist", 60, watchlist).With(
				console.Action{Path: watchlistPath, Operation: "add-watchlist-item", Lead: watchlistPath + "?notice=added"},
				console.Action{Path: watchlistPath + "/{item_id}/remove", Operation: "remove-watchlist-item", Button: true, Lead: watchlistPath + "?notice=removed"},
				console.Action{Path: watchPath, Operation: "add-watchlist-item", Button: true, Of: map[string]string{"crd": "adviser_crd"}, Lead: gpPath},
			),
			own(collectionsPath, "Collections", 70, collections).With(
				console.Action{Path: collectionsPath, Operation: "create-collection", Lead: collectionsPath + "?notice=added"},
			),
			own(collectionPath, "", 0, collection).With(
				console.Action{Path: collectionPath, Operation: "update-collection", Lead: collectionPath + "?notice=saved"},
				console.Action{Path: collectionPath + "/add", Operation: "add-collection-item", Lead: collectionPath + "?notice=added"},
				console.Action{Path: collectionPath + "/{crd}/remove", Operation: "remove-collection-item", Button: true, Lead: collectionPath + "?notice=removed"},
				console.Action{Path: collectionPath + "/delete", Operation: "delete-collection", Button: true, Lead: collectionsPath + "?notice=removed"},
			),
			[]console.Page{own(activityPath, "Activity", 90, activity)},
		),
		Panels: []console.Panel{
			{Page: gpPath, Title: "Watch", Button: true, Body: watchBody, Load: watch},
			{Page: accountPath, Title: "News of managers on your watchlist", Body: templates.TablePanel, Load: func(ctx context.Context, r *console.Request) (any, error) {
				a, err := r.API.Get(ctx, "list-activity", url.Values{"limit": {"5"}})
				if err != nil {
					return nil, err
				}
				return news("", r, a).Table, nil
			}},
		},
	}
}

// gpLink leads to a manager's page by the member of a row that has its CRD number.
func gpLink(member string) func(row map[string]any) string {
	return func(row map[string]any) string { return "/gps/" + console.Plain(row[member]) }
}

// managers are the columns of managers in lists.
func managers(crd, added string, remove func(row map[string]any) string) []console.Shown {
	return []console.Shown{
		console.Linked("Manager", "gp_name", gpLink(crd)), console.Value("CRD", crd, console.Plain),
		console.Value("City", "city", console.Plain), console.Value("State", "state", console.Plain), console.Value("Added", added, console.Day),
		console.Act("", func(row map[string]any) []console.Button {
			return []console.Button{{Action: remove(row), Text: "Remove", Of: console.Plain(row["gp_name"])}}
		}),
	}
}

func crdField(name string) console.Field {
	return console.Field{Name: name, Label: "CRD number", Type: console.Text, Hint: "It is on the page of each manager, such as 900001."}
}

func watchlist(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-watchlist", part(r))
	if err != nil {
		return console.View{}, err
	}
	list := console.Listed(watchlistPath, r, a, "You watch no managers yet.", managers("adviser_crd", "created_at", func(row map[string]any) string {
		return watchlistPath + "/" + console.Plain(row["id"]) + "/remove"
	})...)
	return console.View{
		Title: "Watchlist", Body: templates.Screen, Answer: a, Wide: true,
		Data:  &console.Content{Lead: "Managers whose news you get.", Sections: []console.Section{list, {Links: []console.Choice{{Text: "Their news", Link: activityPath}, {Text: "Emails about them", Link: "/account/notifications"}}}}},
		Forms: []*console.Form{{Title: "Watch a manager", Action: watchlistPath, Submit: "Watch", Fields: []console.Field{crdField("adviser_crd")}}},
	}, nil
}

// part are the parameters of a page of a list.
func part(r *console.Request) url.Values {
	values := url.Values{"per_page": {"25"}}
	if page := r.Value("page"); page != "" {
		values.Set("page", page)
	}
	return values
}

// watch is the button on a manager's page.
func watch(ctx context.Context, r *console.Request) (any, error) {
	if auth.From(ctx).Kind != auth.Session {
		return nil, nil //nolint:nilnil // nothing to show
	}
	crd := r.Parameters["crd"]
	a, err := r.API.Get(ctx, "list-watchlist", url.Values{"crd": {crd}})
	if err != nil {
		return nil, err
	}
	return map[string]any{"Watched": len(a.Rows()) > 0, "Button": console.Button{Action: "/gps/" + crd + "/watch", Text: "Watch"}}, nil
}

func collections(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-collections", nil)
	if err != nil {
		return console.View{}, err
	}
	table := console.NewTable(a, "You have no collections yet.",
		console.Linked("Collection", "name", func(row map[string]any) string { return collectionsPath + "/" + console.Plain(row["id"]) }),
		console.Value("Description", "description", console.Or(console.Plain, "–")), console.Figure("Managers", "item_count", console.Count), console.Value("Changed", "updated_at", console.Day))
	return console.View{
		Title: "Collections", Body: templates.Screen, Answer: a, Wide: true,
		Data:  &console.Content{Lead: "Lists of managers. " + console.Count(a.Meta["total"]) + " of " + console.Count(a.Meta["collections_max"]) + ".", Sections: []console.Section{{Table: table}}},
		Forms: []*console.Form{{Title: "Create a collection", Action: collectionsPath, Submit: "Create", Fields: collectionFields("", "")}},
	}, nil
}

func collectionFields(name, description string) []console.Field {
	return []console.Field{
		{Name: "name", Label: "Name", Type: console.Text, Value: name}, {Name: "description", Label: "Description", Type: console.Text, Optional: true, Always: true, Value: description},
	}
}

func collection(ctx context.Context, r *console.Request) (console.View, error) {
	values := url.Values{"collection_id": {r.Parameters["collection_id"]}}
	if page := r.Value("page"); page != "" {
		values.Set("page", page)
	}
	a, err := r.API.Get(ctx, "get-collection", values)
	if err != nil {
		return console.View{}, err
	}
	record, path := a.Record(), console.Fill(collectionPath, r.Parameters)
	items := console.Answer{Data: record["items"], Meta: a.Meta}
	list := console.Listed(path, r, &items, "No managers yet.", managers("crd", "added_at", func(row map[string]any) string { return path + "/" + console.Plain(row["crd"]) + "/remove" })...)
	description, _ := record["description"].(string)
	return console.View{
		Title: console.Plain(record["name"]), Body: templates.Screen, Answer: a, Wide: true,
		Data: &console.Content{Lead: description, Sections: []console.Section{
			list, {Title: "Delete it", Text: "The list is deleted; the managers stay.", Buttons: []console.Button{{Action: path + "/delete", Text: "Delete this collection", Danger: true}}},
		}},
		Forms: []*console.Form{
			{Title: "Add a manager", Action: path + "/add", Submit: "Add", Fields: []console.Field{crdField("crd")}},
			{Title: "Name and description", Action: path, Submit: "Save", Fields: collectionFields(console.Plain(record["name"]), description)},
		},
	}, nil
}

func activity(ctx context.Context, r *console.Request) (console.View, error) {
	values := url.Values{"limit": {"50"}}
	for _, name := range []string{"types", "cursor"} {
		if r.Value(name) != "" {
			values.Set(name, r.Value(name))
		}
	}
	a, err := r.API.Get(ctx, "list-activity", values)
	if err != nil {
		return console.View{}, err
	}
	list := news(activityPath, r, a)
	return console.View{
		Title: "Activity", Body: templates.Screen, Answer: a, Wide: true,
		Data: &console.Content{Lead: "Filings and new funds of the managers on your watchlist in the last 30 days, newest first.", Sections: []console.Section{list}},
	}, nil
}

func news(path string, r *console.Request, a *console.Answer) console.Section {
	s := console.Section{Table: console.NewTable(
		&console.Answer{Data: a.Data}, "Nothing new.",
		console.Value("Known since", "known_at", console.Moment), console.Linked("Manager", "gp_name", gpLink("crd")), console.Value("News", "type", console.Word),
		console.Shown{Text: "Of", Value: detail}, console.Value("Filed", "event_date", console.Day),
	)}
	if cursor, ok := a.Meta["next_cursor"].(string); ok && path != "" && a.Meta["has_more"] == true {
		s.Links = []console.Choice{{Text: "Older news", Link: console.Link(path, r.Values, "cursor", cursor)}}
	}
	return s
}

func detail(row map[string]any) console.Cell {
	of, _ := row["details"].(map[string]any)
	if row["type"] == "new_fund" {
		return console.Cell{Text: console.Plain(of["fund_name"]), Link: "/funds/" + console.Plain(of["fund_id"])}
	}
	return console.Cell{Text: console.Plain(of["form_type"]) + " " + console.Plain(of["accession_number"])}
}
