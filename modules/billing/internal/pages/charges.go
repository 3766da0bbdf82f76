package pages

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// charges are the pages of the ledger: fees, purchases of units such as persons, and corrections.
func charges() []console.Page {
	return []console.Page{
		{Method: http.MethodGet, Path: chargesPath, Access: console.SignedIn, Menu: "Charges", Order: 50, Load: showCharges},
		{Method: http.MethodGet, Path: chargesPath + ".csv", Access: console.SignedIn, Load: chargesFile},
	}
}

func showCharges(ctx context.Context, r *console.Request) (console.View, error) {
	values := console.Query(r, nil)
	a, err := r.API.Get(ctx, "list-purchases", values)
	if err != nil {
		return console.View{}, err
	}
	list := console.Listed(chargesPath, r, a, "Nothing was charged.", console.Value("Time", "created_at", console.Moment),
		console.Value("Operation", "operation", console.Plain), console.Value("Of", "subject", console.Or(console.Plain, "–")),
		console.Value("Bought for good", "product", console.Or(console.Word, "–")), console.Figure("Units", "quantity", console.Count),
		console.Shown{Text: "Key", Value: keyOf}, console.Figure("Amount", "amount", console.USD), console.Value("Request", "request_id", console.Plain),
		console.Value("Note", "reason", console.Or(console.Plain, "–")))
	list.Table.Notes = append(list.Table.Notes, "Sum of the whole list: "+console.USD(a.Meta["amount"])+". Request is the X-Request-ID of the response.")
	page := &console.Content{Sections: []console.Section{{Links: groups(r)}}}
	if by := r.Value("group_by"); by != "" {
		page.Sections = append(page.Sections, sums(a, by))
	}
	page.Sections = append(page.Sections, list, console.Section{Title: "As a file", Text: "The whole list, with the filters of this page.", Links: []console.Choice{{Text: "CSV", Link: fileLink(r)}}})
	return console.View{Title: "Charges", Body: templates.Screen, Answer: a, Wide: true, Data: page}, nil
}

func keyOf(row map[string]any) console.Cell {
	key, ok := row["key"].(map[string]any)
	if !ok {
		return console.Cell{Text: "–"}
	}
	return console.Cell{Text: console.Plain(key["name"])}
}

func groups(r *console.Request) (links []console.Choice) {
	for _, by := range []console.Pair{{Name: "", Value: "Each charge"}, {Name: "operation", Value: "Sums by operation"}, {Name: "key", Value: "By key"}, {Name: "day", Value: "By day"}} {
		links = append(links, console.Choice{Text: by.Value, Link: console.Link(chargesPath, r.Values, "group_by", by.Name), Selected: r.Value("group_by") == by.Name})
	}
	return links
}

func sums(a *console.Answer, by string) console.Section {
	groups, _ := a.Meta["groups"].([]any)
	return console.Section{Title: "Sums", Table: console.NewTable(
		&console.Answer{Data: groups}, "Nothing was charged.", console.Shown{Text: console.Word(by), Value: func(row map[string]any) console.Cell {
			if by == "key" {
				return keyOf(row)
			}
			return console.Cell{Text: console.Plain(row[by])}
		}},
		console.Figure("Charges", "charges", console.Count), console.Figure("Amount", "amount", console.USD),
	)}
}

func fileLink(r *console.Request) string {
	values := url.Values{}
	for name, value := range r.Values {
		if name != "page" && name != "notice" {
			values[name] = value
		}
	}
	return console.Link(chargesPath+".csv", values, "", "")
}

func chargesFile(ctx context.Context, r *console.Request) (console.View, error) {
	values := maps.Clone(r.Values)
	values.Set("format", "csv")
	a, err := r.API.Get(ctx, "list-purchases", values)
	if err != nil {
		return console.View{}, err
	}
	return console.View{File: a.File}, nil
}
