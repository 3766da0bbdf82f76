package pages

import (
	"context"
	"encoding/json"
	"strconv"

	"gpatlas/platform/console"
)

// corrections are the operators' overrides, and the form that makes one.
func corrections(ctx context.Context, r *console.Request) (console.View, error) {
	all := r.Value("removed") == "true"
	a, err := r.API.Get(ctx, "list-overrides", param("active_only", strconv.FormatBool(!all)))
	if err != nil {
		return console.View{}, err
	}
	other := console.Choice{Text: "Show removed overrides too", Link: overridesPath + "?removed=true"}
	if all {
		other = console.Choice{Text: "Hide removed overrides", Link: overridesPath}
	}
	v := screen("Overrides", "An override replaces a value of the filings from a day on, whatever is loaded later.", a, console.Section{
		Table: console.NewTable(a, "No override is in force.",
			console.Value("Type", "override_type", console.Word), console.Value("ID", "entity_id", console.Plain), console.Value("Field", "field", console.Or(console.Plain, "–")),
			console.Value("Value", "value", raw), console.Value("Instead of", "original", raw), console.Value("Why", "reason", console.Plain),
			console.Value("Who", "created_by", console.Or(func(v any) string { return "account " + console.Plain(v) }, "command line")),
			console.Value("From", "valid_from", console.Day), console.Value("Until", "removed_at", console.Or(moment, "it is removed")),
			console.Act("Do", func(row map[string]any) []console.Button {
				if row["active"] != true {
					return nil
				}
				id := console.Plain(row["id"])
				return []console.Button{{Action: overridesPath + "/" + id + "/remove", Text: "Remove", Of: "override " + id, Danger: true}}
			})),
		Links: []console.Choice{other},
	})
	form := overrideForm()
	form.Title, form.Text, form.Action, form.Submit = "Correct a value", "The next page shows the value before and after. Nothing is saved before that.", overridesPath+"/preview", "Show before and after"
	form.Fields = append(form.Fields, console.Field{Name: "preview", Type: console.Hidden, Value: "true"})
	v.Forms = []*console.Form{form}
	if r.Values.Has("confirmed") { // the form of the page with both values was sent
		v.Forms = append(v.Forms, confirmation(r))
	}
	return v, nil
}

func overrideForm() *console.Form {
	return &console.Form{Fields: []console.Field{
		{Name: "override_type", Label: "Type", Type: console.Select, Options: console.Options(
			"gp_field", "Field of a manager", "canonical_group", "Group of a manager", "fund_status", "Status of a fund",
			"person_merge", "Merge people", "person_split", "Split a person", "person_suppress", "Hide a person", "lp_match", "Match of an LP’s investment")},
		{Name: "entity_id", Label: "ID", Hint: "CRD number, fund ID, person ID or ID of an investment", Type: console.Text},
		{Name: "field", Label: "Field", Hint: "For a manager: legal_name, website, primary_strategy …", Type: console.Text, Optional: true},
		{Name: "value", Label: "Value", Hint: "A text, or JSON; null is no value", Type: console.Text},
		{Name: "reason", Label: "Why", Type: console.Text},
		{Name: "valid_from", Label: "From", Hint: "Without a day: from today on", Type: console.Date, Optional: true},
	}}
}

// confirmation is the form that saves what was previewed.
func confirmation(r *console.Request) *console.Form {
	form := overrideForm()
	form.Title, form.Action, form.Submit, form.Prefix = "Save this override", overridesPath, "Save", "confirmed-"
	for i := range form.Fields {
		form.Fields[i].Type, form.Fields[i].Value = console.Hidden, r.Value(form.Fields[i].Name)
	}
	form.Fields = append(form.Fields, console.Field{Name: "confirmed", Type: console.Hidden, Value: "yes"})
	return form
}

// overrideBody sends a value that is JSON as it is, and any other as a text.
func overrideBody(f *console.Form) any {
	body := map[string]any{}
	for _, name := range []string{"override_type", "entity_id", "field", "reason", "valid_from"} {
		if value := f.Value(name); value != "" {
			body[name] = value
		}
	}
	body["value"] = f.Value("value")
	if typed := []byte(f.Value("value")); json.Valid(typed) {
		body["value"] = json.RawMessage(typed)
	}
	return body
}

// previewed shows the value before and after, and the form that saves it.
func previewed(_ context.Context, r *console.Request, a *console.Answer) (console.View, error) {
	of := a.Record()
	v := screen("Before and after", "Nothing is saved yet.", nil, console.Section{
		Facts: []console.Pair{
			{Name: "Type", Value: console.Word(of["override_type"])},
			{Name: "ID", Value: console.Plain(of["entity_id"])},
			{Name: "Field", Value: console.Or(console.Plain, "–")(of["field"])},
			{Name: "Before", Value: raw(of["original"])},
			{Name: "After", Value: raw(of["value"])},
			{Name: "From", Value: console.Day(of["valid_from"])},
			{Name: "Why", Value: console.Plain(of["reason"])},
		},
		Links: []console.Choice{{Text: "Back to the overrides", Link: overridesPath}},
	})
	v.Forms = []*console.Form{confirmation(r)}
	return v, nil
}
