// Package pages is the pages about plans and API tiers, and about the API keys of an account and their usage. The latter show what the
// operations return.
package pages

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"gpatlas/platform/charge"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

// The pages of the keys of an account. The page that creates one is console.KeysPath.
const (
	keysPath = "/account/keys"
	keyPath  = "/account/keys/{key_id}"
	oldPath  = "/api-keys" // links in earlier mails lead here
)

// keys are the pages on which an account sees, renames, replaces and revokes its keys.
func keys() []console.Page {
	pages := []console.Page{
		{Method: http.MethodGet, Path: oldPath, Access: console.SignedIn, Load: moved},
		{Method: http.MethodGet, Path: keysPath, Access: console.SignedIn, Menu: "API keys", Order: 20, Load: showKeys},
	}
	return append(pages, console.Page{Method: http.MethodGet, Path: keyPath, Access: console.SignedIn, Load: showKey}.With(
		console.Action{Path: keyPath, Operation: "rename-api-key", Lead: keyPath + "?notice=saved"},
		console.Action{Path: keyPath + "/revoke", Operation: "revoke-api-key", Button: true, Lead: keyPath + "?notice=revoked"},
	)...)
}

// Part is the pages.
func Part(prices *charge.List, offers charge.Offers) module.Part {
	return module.Part{Pages: slices.Concat(keys(), usage(), plans(prices, offers))}
}

func moved(_ context.Context, r *console.Request) (console.View, error) {
	return console.View{Redirect: console.Link(console.KeysPath, url.Values{}, "notice", r.Value("notice"))}, nil
}

func keyLink(row map[string]any) string { return keysPath + "/" + console.Plain(row["id"]) }

func showKeys(ctx context.Context, r *console.Request) (console.View, error) {
	all := r.Value("include_revoked") == "true"
	a, err := r.API.Get(ctx, "list-api-keys", url.Values{"include_revoked": {map[bool]string{true: "true", false: "false"}[all]}})
	if err != nil {
		return console.View{}, err
	}
	other := console.Choice{Text: "Show revoked keys too", Link: keysPath + "?include_revoked=true"}
	if all {
		other = console.Choice{Text: "Hide revoked keys", Link: keysPath}
	}
	return console.View{
		Title: "API keys", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{
			Lead: console.Count(a.Meta["active"]) + " of " + console.Count(a.Meta["active_max"]) + " active keys.",
			Sections: []console.Section{
				{Table: console.NewTable(a, "You have no API key yet.", keyColumns()...), Links: []console.Choice{{Text: "Create an API key", Link: console.KeysPath}, other}},
			},
		},
	}, nil
}

func keyColumns() []console.Shown {
	return []console.Shown{
		console.Linked("Name", "name", keyLink), console.Value("Mode", "mode", console.Word), console.Value("Key", "hint", console.Plain),
		console.Value("Tier", "tier", console.Word), console.Value("Created", "created_at", console.Day),
		console.Value("Last used", "last_used_at", console.Or(console.Moment, "never")), console.Value("Revoked", "revoked_at", console.Or(console.Day, "–")),
	}
}

// showKey is a key's own page, with what it was used for in the last 30 days.
func showKey(ctx context.Context, r *console.Request) (console.View, error) {
	id := r.Parameters["key_id"]
	a, err := r.API.Get(ctx, "get-api-key", url.Values{"key_id": {id}})
	if err != nil {
		return console.View{}, err
	}
	used, err := r.API.Get(ctx, "get-endpoint-usage", url.Values{"key": {id}})
	if err != nil {
		return console.View{}, err
	}
	key, path := a.Record(), console.Fill(keyPath, r.Parameters)
	v := console.View{Title: console.Plain(key["name"]), Body: templates.Screen, Answer: a, Wide: true}
	c := &console.Content{Sections: []console.Section{
		{Facts: facts(key)},
		{Title: "Requests of the last 30 days", Table: console.NewTable(used, "No requests.", usageColumns()...), Links: []console.Choice{{Text: "By day", Link: "/account/usage?key=" + id}}},
	}}
	v.Data = c
	if key["revoked_at"] != nil {
		return v, nil
	}
	c.Sections = append(
		c.Sections,
		console.Section{
			Title: "Replace it", Text: "Create a new key, give it to your program, then revoke this one. This key works until you do.",
			Links: []console.Choice{{Text: "Create a key that replaces this one", Link: console.KeysPath + "?replaces=" + id}},
		},
		console.Section{
			Title: "Revoke it", Text: "The key stops working at once, for good. Its record stays.",
			Buttons: []console.Button{{Action: path + "/revoke", Text: "Revoke this key", Danger: true}},
		},
	)
	v.Forms = []*console.Form{{Title: "Rename it", Action: path, Submit: "Save the name", Fields: []console.Field{
		{Name: "name", Label: "Name", Type: console.Text, Autocomplete: "off", Value: console.Plain(key["name"])},
	}}}
	return v, nil
}

func facts(key map[string]any) []console.Pair {
	list := []console.Pair{
		{Name: "Key", Value: console.Plain(key["hint"])},
		{Name: "Mode", Value: console.Word(key["mode"])},
		{Name: "Tier", Value: console.Word(key["tier"])},
		{Name: "Created", Value: console.Moment(key["created_at"])},
		{Name: "Last used", Value: console.Or(console.Moment, "never")(key["last_used_at"])},
	}
	if key["revoked_at"] != nil {
		list = append(list, console.Pair{Name: "Revoked", Value: console.Moment(key["revoked_at"])})
	}
	return list
}

// usageColumns are those of requests by operation.
func usageColumns() []console.Shown {
	return []console.Shown{
		console.Value("Operation", "endpoint", console.Plain), console.Value("Path", "path", console.Or(console.Plain, "–")), console.Figure("Requests", "request_count", console.Count),
		console.Figure("Successful", "success_rate", percent), console.Figure("Mean time", "avg_response_time_ms", milliseconds),
	}
}

func percent(v any) string { return console.Plain(v) + " %" }

func milliseconds(v any) string { return console.Plain(v) + " ms" }
