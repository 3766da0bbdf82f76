package pages

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
	"gpatlas/templates/email"
)

const mailsPath = "/admin/mails"

// operator are the pages on which an operator sees how emails are delivered, switches them off and on, and reads their texts.
func operator() []console.Page {
	page := console.Page{Method: http.MethodGet, Path: mailsPath, Access: console.Admin, Menu: "Mails", Order: 90, Load: mails}
	text := console.Page{Method: http.MethodGet, Path: mailsPath + "/{mail}", Access: console.Admin, Load: mailText}
	one := mailsPath + "/{notification_id}"
	return append(page.With(
		console.Action{Path: one + "/enable", Operation: "enable-notification", Button: true, Lead: mailsPath + "?notice=saved"},
		console.Action{Path: one + "/disable", Operation: "disable-notification", Button: true, Lead: mailsPath + "?notice=saved"},
		console.Action{Path: one + "/test", Operation: "test-notification", Of: map[string]string{"notification_id": "notification_id"}, Button: true, Lead: mailsPath + "?notice=sent"},
	), text)
}

func mails(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-notifications", nil)
	if err != nil {
		return console.View{}, err
	}
	stats, err := r.API.Get(ctx, "list-notification-stats", nil)
	if err != nil {
		return console.View{}, err
	}
	figures := map[any]map[string]any{}
	for _, each := range stats.Rows() {
		if row, ok := each.(map[string]any); ok {
			figures[row["id"]] = row
		}
	}
	figure := func(text, member string, write func(v any) string) console.Shown {
		return console.Shown{Text: text, Number: true, Value: func(row map[string]any) console.Cell {
			return console.Cell{Text: console.Or(write, "–")(figures[row["id"]][member])}
		}}
	}
	percent := func(v any) string { return console.Plain(v) + " %" }
	var texts []console.Choice
	for _, name := range slices.Sorted(maps.Keys(email.Examples("", ""))) {
		texts = append(texts, console.Choice{Text: console.Word(name), Link: mailsPath + "/" + name})
	}
	return console.View{Title: "Mails", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{
		Lead: "Emails that the service sends by itself, and notices. Figures are since the beginning.",
		Sections: []console.Section{
			{Table: console.NewTable(a, "There is no notification.",
				console.Value("Email", "name", console.Plain), console.Value("Category", "category", console.Word),
				console.Shown{Text: "State", Value: func(row map[string]any) console.Cell {
					return console.Cell{Text: map[bool]string{true: "✓\u00a0on", false: "✗\u00a0off"}[row["enabled"] == true]}
				}},
				figure("Waiting", "queued", console.Count), figure("Sent", "sent", console.Count), figure("Failed", "failed", console.Count),
				figure("Not wanted", "suppressed", console.Count), figure("Opened", "open_rate", percent), figure("Last sent", "last_sent_at", console.Moment),
				console.Act("Do", mailButtons))},
			{Title: "Texts of all emails", Text: "With invented data.", Links: texts},
		},
	}}, nil
}

func mailButtons(row map[string]any) []console.Button {
	path, name := mailsPath+"/"+console.Plain(row["id"]), console.Plain(row["name"])
	list := []console.Button{{Action: path + "/test", Text: "Send me a test", Of: name}}
	switch {
	case row["enabled"] != true:
		list = append(list, console.Button{Action: path + "/enable", Text: "Enable", Of: name})
	case row["category"] != "account":
		list = append(list, console.Button{Action: path + "/disable", Text: "Disable", Of: name, Danger: true})
	}
	return list
}

// mailText is the text of an email with invented data.
func mailText(_ context.Context, r *console.Request) (console.View, error) {
	name := r.Parameters["mail"]
	example, known := email.Examples(r.Origin, r.Origin+"/unsubscribe/…")[name]
	if !known {
		return console.View{}, apperr.NotFound("There is no email %s", name)
	}
	text, err := example.Content()
	if err != nil {
		return console.View{}, err
	}
	return console.View{Title: "Email: " + console.Word(name), Body: templates.Screen, Wide: true, Data: &console.Content{Sections: []console.Section{{
		Facts: []console.Pair{{Name: "Subject", Value: text.Subject}}, Code: text.Text, Links: []console.Choice{{Text: "All emails", Link: mailsPath}},
	}}}}, nil
}
