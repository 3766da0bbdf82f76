package pages

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

const (
	sessionsPath = "/account/sessions"
	profilePath  = "/account/profile"
	dataPath     = "/account/data"
)

// own are the pages about the account itself: its sessions, its record and its end.
func (p pages) own() []console.Page {
	page := func(path, text string, order int, load func(context.Context, *console.Request) (console.View, error)) console.Page {
		return console.Page{Method: http.MethodGet, Path: path, Access: console.SignedIn, Menu: text, Order: order, Load: load}
	}
	deletion := console.Action{Path: dataPath + "/delete", Operation: "delete-account", Body: deleteBody, Then: func(context.Context, *console.Request, *console.Answer) (console.View, error) {
		v := lead(loginPath, "deleted")
		v.SignOut = true
		return v, nil
	}}
	return slices.Concat(
		page(sessionsPath, "Sessions", 120, sessions).With(
			console.Action{Path: sessionsPath + "/end", Operation: "end-other-sessions", Button: true, Lead: sessionsPath + "?notice=ended"},
			console.Action{Path: sessionsPath + "/{id}/end", Operation: "end-session", Button: true, Lead: sessionsPath + "?notice=ended"},
		),
		[]console.Page{page(profilePath, "Profile", 130, profile)},
		page(dataPath, "Your data", 140, data).With(
			console.Action{Path: dataPath + "/export", Operation: "export-account", Then: func(_ context.Context, _ *console.Request, a *console.Answer) (console.View, error) {
				return console.View{File: a.File}, nil
			}},
			deletion,
		),
	)
}

func sessions(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-sessions", nil)
	if err != nil {
		return console.View{}, err
	}
	rows, _ := a.Record()["sessions"].([]any)
	table := console.NewTable(
		&console.Answer{Data: rows}, "", console.Value("Device", "device", console.Plain), console.Value("IP address", "ip_address", console.Plain),
		console.Value("Place", "location", console.Or(console.Plain, "unknown")), console.Value("Signed in", "created_at", console.Moment), console.Value("Last used", "last_active", console.Moment),
		console.Act("", func(row map[string]any) []console.Button {
			if row["is_current"] == true {
				return []console.Button{{Action: logoutPath, Text: "Sign out here"}}
			}
			return []console.Button{{Action: sessionsPath + "/" + console.Plain(row["id"]) + "/end", Text: "End", Of: console.Plain(row["device"])}}
		}),
	)
	return console.View{Title: "Sessions", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{
		Lead: "Where your account is signed in. If you do not know one of them, end it and reset your password.",
		Sections: []console.Section{
			{Table: table, Buttons: []console.Button{{Action: sessionsPath + "/end", Text: "End all other sessions", Danger: true}}},
			{Links: []console.Choice{{Text: "Reset your password", Link: forgotPath}}},
		},
	}}, nil
}

func profile(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-me", nil)
	if err != nil {
		return console.View{}, err
	}
	me := a.Record()
	return console.View{Title: "Profile", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{Sections: []console.Section{
		{Facts: []console.Pair{
			{Name: "Name", Value: console.Plain(me["full_name"])},
			{Name: "Email address", Value: console.Plain(me["email"])},
			{Name: "Confirmed", Value: console.Word(me["email_verified"])},
			{Name: "Plan", Value: console.Word(me["subscription_plan"])},
			{Name: "API tier", Value: console.Word(me["api_tier"])},
			{Name: "Registered", Value: console.Day(me["created_at"])},
		}},
		{Title: "Password", Text: "We send you an email with a link to a page where you choose a new password. All sessions then end.", Links: []console.Choice{{Text: "Change the password", Link: forgotPath}}},
	}}}, nil
}

func data(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-me", nil)
	if err != nil {
		return console.View{}, err
	}
	address := console.Plain(a.Record()["email"])
	confirm := emailField()
	confirm.Label, confirm.Hint, confirm.Autocomplete = "Your email address", "Type it to confirm: "+address, "off"
	return console.View{Title: "Your data", Body: templates.Screen, Wide: true, Data: &console.Content{}, Forms: []*console.Form{
		{
			Title: "Export", Action: dataPath + "/export", Submit: "Download your data",
			Text: "One file with all that we store about you, without passwords and keys. You get an email about it. If you signed in more than ten minutes ago, sign in again first.",
		},
		{
			Title: "Delete the account", Action: dataPath + "/delete", Submit: "Delete my account", Danger: true, Fields: []console.Field{confirm, passwordField()},
			Text: "Your sessions end, your API keys are revoked and your subscription is canceled. For 30 days you can recover the account with your email address and password; then all data are erased.",
			Check: func(f *console.Form) error {
				if !strings.EqualFold(strings.TrimSpace(f.Value(confirm.Name)), address) {
					return apperr.Invalid(apperr.FieldError{Field: confirm.Name, Message: "must be the address of this account"})
				}
				return nil
			},
		},
	}}, nil
}

// deleteBody states the word of the API: the typed address is the page's confirmation.
func deleteBody(f *console.Form) any {
	return map[string]any{"confirmation": "DELETE", "password": f.Value("password")}
}
