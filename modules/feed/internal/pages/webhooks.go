package pages

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

const (
	webhooksPath = "/account/webhooks"
	webhookPath  = "/account/webhooks/{endpoint_id}"
)

// webhooks are the pages on which an account manages its webhook endpoints.
func webhooks() []console.Page {
	list := console.Page{Method: http.MethodGet, Path: webhooksPath, Access: console.SignedIn, Menu: "Webhooks", Order: 35, Load: showWebhooks}
	one := console.Page{Method: http.MethodGet, Path: webhookPath, Access: console.SignedIn, Load: showWebhook}
	button := func(path, operation string, body map[string]any, lead string) console.Action {
		return console.Action{Path: webhookPath + path, Operation: operation, Button: true, Lead: lead, Body: func(*console.Form) any { return body }}
	}
	test, roll := button("/test", "test-webhook", nil, ""), button("/roll", "roll-webhook-secret", map[string]any{}, "")
	test.Then, roll.Then = showTest, showSecret
	return slices.Concat(
		list.With(console.Action{Path: webhooksPath, Operation: "create-webhook", Body: webhookBody, Then: showSecret}),
		one.With(
			test, roll,
			button("/pause", "update-webhook", map[string]any{"state": "paused"}, webhookPath+"?notice=saved"),
			button("/continue", "update-webhook", map[string]any{"state": "active"}, webhookPath+"?notice=saved"),
			button("/delete", "delete-webhook", nil, webhooksPath+"?notice=removed"),
			button("/messages/{message_id}/resend", "resend-webhook-message", nil, webhookPath+"?notice=queued"),
		),
	)
}

func showWebhooks(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-webhooks", nil)
	if err != nil {
		return console.View{}, err
	}
	table := console.NewTable(
		a, "You have no webhook endpoint yet.", console.Linked("URL", "url", func(row map[string]any) string { return webhooksPath + "/" + console.Plain(row["id"]) }),
		console.Shown{Text: "Events", Value: func(row map[string]any) console.Cell { return console.Cell{Text: kindsOf(row)} }},
		console.Value("State", "state", console.Word), console.Figure("Waiting", "waiting", console.Count), console.Value("Created", "created_at", console.Day),
	)
	return console.View{
		Title: "Webhooks", Body: templates.Screen, Answer: a, Wide: true,
		Data: &console.Content{Lead: "URLs of yours that GP Atlas calls when something changes.", Sections: []console.Section{{Table: table}}},
		Forms: []*console.Form{{Title: "Create an endpoint", Action: webhooksPath, Submit: "Create the endpoint", Fields: []console.Field{
			{Name: "url", Label: "URL", Type: console.Text, Autocomplete: "off", Max: 2000, Hint: "https, and the name of a public host."},
			{Name: "scope", Label: "Managers", Type: console.Select, Value: "watchlist", Options: console.Options("watchlist", "On your watchlist", "all", "All")},
			{Name: "kinds", Label: "Kinds of events", Type: console.Text, Autocomplete: "off", Optional: true, Hint: "Separated by commas, such as aum_change, new_fund. Empty: all."},
			{Name: "mode", Label: "Messages", Type: console.Select, Value: "each", Options: console.Options("each", "One for each event", "notify", "One that says that there are events")},
		}}},
	}, nil
}

func webhookBody(f *console.Form) any {
	kinds := strings.FieldsFunc(f.Value("kinds"), func(r rune) bool { return r == ',' || r == ' ' })
	return map[string]any{"url": f.Value("url"), "mode": f.Value("mode"), "scope": map[string]any{f.Value("scope"): true}, "kinds": append([]string{}, kinds...)}
}

func kindsOf(row map[string]any) string {
	var words []string
	kinds, _ := row["kinds"].([]any)
	for _, kind := range kinds {
		words = append(words, console.Word(kind))
	}
	if words == nil {
		return "All"
	}
	return strings.Join(words, ", ")
}

// scopeOf says whose events are sent.
func scopeOf(row map[string]any) string {
	scope, _ := row["scope"].(map[string]any)
	switch crds, _ := scope["crds"].([]any); {
	case scope["all"] == true:
		return "All"
	case scope["watchlist"] == true:
		return "On your watchlist"
	case len(crds) > 0:
		return console.Count(len(crds)) + " by CRD number"
	}
	return "In a collection of yours"
}

// showSecret shows the secret of an endpoint once, and leads to its page.
func showSecret(_ context.Context, r *console.Request, a *console.Answer) (console.View, error) {
	made := a.Record()
	id := r.Parameters["endpoint_id"]
	if id == "" {
		id = console.Plain(made["id"])
	}
	return console.View{Title: "Signing secret", Body: templates.Screen, Data: &console.Content{
		Lead: "Copy the secret now. This page shows it once. It proves to your program that a request comes from GP Atlas.",
		Sections: []console.Section{
			{Code: console.Plain(made["secret"])},
			{Links: []console.Choice{{Text: "The endpoint", Link: webhooksPath + "/" + id}, {Text: "All endpoints", Link: webhooksPath}}},
		},
	}}, nil
}

// showTest shows what the receiver answered.
func showTest(_ context.Context, r *console.Request, a *console.Answer) (console.View, error) {
	got := a.Record()
	result := "The message was not delivered."
	if got["delivered"] == true {
		result = "The message was delivered."
	}
	dash := console.Or(console.Plain, "–")
	return console.View{Title: "Test of a webhook", Body: templates.Screen, Data: &console.Content{Lead: result, Sections: []console.Section{
		{Facts: []console.Pair{
			{Name: "Status", Value: dash(got["status"])},
			{Name: "Time", Value: console.Plain(got["ms"]) + " ms"},
			{Name: "Error", Value: dash(got["error"])},
			{Name: "Response", Value: dash(got["said"])},
		}},
		{Links: []console.Choice{{Text: "The endpoint", Link: console.Fill(webhookPath, r.Parameters)}}},
	}}}, nil
}

// showWebhook is an endpoint's own page, with its messages.
func showWebhook(ctx context.Context, r *console.Request) (console.View, error) {
	id := r.Parameters["endpoint_id"]
	a, err := r.API.Get(ctx, "get-webhook", url.Values{"endpoint_id": {id}})
	if err != nil {
		return console.View{}, err
	}
	asked := url.Values{"endpoint_id": {id}, "per_page": {"25"}}
	if page := r.Value("page"); page != "" {
		asked.Set("page", page)
	}
	messages, err := r.API.Get(ctx, "list-webhook-messages", asked)
	if err != nil {
		return console.View{}, err
	}
	row, path := a.Record(), console.Fill(webhookPath, r.Parameters)
	turn := console.Button{Action: path + "/pause", Text: "Pause it"}
	if row["state"] != "active" {
		turn = console.Button{Action: path + "/continue", Text: "Continue where it stood"}
	}
	list := console.Listed(
		path, r, messages, "No message yet.", console.Value("Made", "created_at", console.Moment), console.Value("Event", "kind", console.Word),
		console.Value("Message", "id", console.Plain), console.Value("State", "state", console.Word), console.Figure("Attempts", "attempts", console.Count),
		console.Act("", func(m map[string]any) []console.Button {
			if row["state"] != "active" {
				return nil
			}
			return []console.Button{{Action: path + "/messages/" + console.Plain(m["id"]) + "/resend", Text: "Send again", Of: console.Plain(m["id"])}}
		}))
	list.Title = "Messages of the last 30 days"
	dash := console.Or(console.Word, "–")
	return console.View{Title: "Webhook", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{
		Lead: console.Plain(row["url"]), Sections: []console.Section{
			{
				Facts: []console.Pair{
					{Name: "State", Value: console.Word(row["state"])},
					{Name: "Why", Value: dash(row["why"])},
					{Name: "Managers", Value: scopeOf(row)},
					{Name: "Events", Value: kindsOf(row)},
					{Name: "Failures since the last success", Value: console.Count(row["failures"])},
					{Name: "Waiting", Value: console.Count(row["waiting"])},
				},
				Buttons: []console.Button{{Action: path + "/test", Text: "Send a test"}, turn},
			},
			list,
			{
				Title: "Replace the secret", Text: "The next page shows the new secret. The present one signs too for 24 hours.",
				Buttons: []console.Button{{Action: path + "/roll", Text: "Replace the secret"}},
			},
			{
				Title: "Delete it", Text: "Its messages are deleted too. Events are not sent any more.",
				Buttons: []console.Button{{Action: path + "/delete", Text: "Delete this endpoint", Danger: true}},
			},
		},
	}}, nil
}
