// Package pages is the page on which an account chooses its emails. It shows what the operations return.
package pages

import (
	"context"
	"net/http"

	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const path = "/account/notifications"

// Part is the page.
func Part() module.Part {
	page := console.Page{Method: http.MethodGet, Path: path, Access: console.SignedIn, Menu: "Emails", Order: 110, Load: show}
	return module.Part{Pages: append(page.With(
		console.Action{Path: path, Operation: "update-notification-preferences", Lead: path + "?notice=saved"},
		console.Action{Path: path + "/frequency", Operation: "update-preferences", Lead: path + "?notice=saved"},
		console.Action{Path: path + "/test", Operation: "send-test-notification", Query: []string{"kind"}, Lead: path + "?notice=sent"},
	), operator()...)}
}

// kinds are the emails that can be chosen.
var kinds = []struct{ name, label, hint string }{
	{"activity_digest", "News of managers on your watchlist", "Each day or week in which something happened."},
	{"market_intel", "Market report", "Weekly, on the plan Enterprise."},
	{"billing", "Receipts and spending alerts", "When you buy something, and when the charges of a month reach your percentages."},
	{"product", "News about the product", "Now and then."},
}

func show(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-notification-preferences", nil)
	if err != nil {
		return console.View{}, err
	}
	wishes, err := r.API.Get(ctx, "get-preferences", nil)
	if err != nil {
		return console.View{}, err
	}
	wanted := &console.Form{
		Title: "Which emails you get", Text: "Emails about the account and its security always arrive.", Action: path, Submit: "Save",
	}
	for _, k := range kinds {
		wanted.Fields = append(wanted.Fields, console.Field{Name: k.name, Label: k.label, Hint: k.hint, Type: console.Checkbox, Value: console.Ticked(a.Record()[k.name])})
	}
	choice := func(name, label, hint string) console.Field {
		return console.Field{Name: name, Label: label, Hint: hint, Type: console.Checkbox, Value: console.Ticked(wishes.Record()[name])}
	}
	return console.View{Title: "Emails", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{}, Forms: []*console.Form{
		wanted,
		{Title: "How often", Action: path + "/frequency", Submit: "Save", Fields: []console.Field{
			choice("weekly_digest", "News of managers on Mondays only", "Otherwise each day."), choice("email_receipts", "A receipt for each purchase", "Spending alerts do not depend on this."),
		}},
		{Title: "Try it", Text: "We send you one email with invented data. At most 5 a day.", Action: path + "/test", Submit: "Send a test email", Fields: []console.Field{
			{Name: "kind", Label: "Email", Type: console.Select, Value: "notification_test", Options: []console.Pair{
				{Name: "notification_test", Value: "A short one"},
				{Name: "activity_digest", Value: "News of managers"},
				{Name: "market_intel", Value: "Market report"},
				{Name: "trial_ending", Value: "The trial ends soon"},
				{Name: "trial_ended", Value: "The trial has ended"},
			}},
		}},
	}}, nil
}
