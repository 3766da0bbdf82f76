package pages

import (
	"context"
	"time"

	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// sold are the pages about the whole market.
func sold() (pages []console.Page) {
	strategies := console.Field{Name: "strategy", Label: "Strategy", Type: console.Text, Optional: true, Hint: "Such as venture or buyout. Separate several with commas."}
	states := console.Field{Name: "state", Label: "State", Type: console.Text, Optional: true, Hint: "Such as NY. Separate several with commas."}
	role := console.Field{
		Name: "role", Label: "Role", Type: console.Select, Value: "administrator",
		Options: console.Options("administrator", "Administrator", "auditor", "Auditor", "custodian", "Custodian", "prime_broker", "Prime broker", "marketer", "Marketer"),
	}
	anyRole := role
	anyRole.Optional, anyRole.Value, anyRole.Options = true, "", append(console.Options("", "All"), role.Options...)
	list := []console.Sold{
		{
			Path: "/market", Nav: "Market", Title: "The market", Operation: "search-aggregate", Tables: groups,
			Lead: "Managers and funds in groups, with their number, assets and averages.",
			Fields: []console.Field{
				{Name: "group_by", Label: "Group by", Type: console.Select, Value: "strategy", Options: console.Options("strategy", "Strategy", "state", "State", "geography", "State or country",
					"vintage", "Vintage of the fund", "aum_band", "Size of the manager", "registration_status", "Registration", "strategy,state", "Strategy and state")},
				strategies, states,
			},
		},
		{
			Path: "/market/growth", Title: "Managers by growth", Operation: "search-growth", Tables: growing,
			Lead: "The managers whose assets grew most.",
			Fields: []console.Field{
				{Name: "horizon", Label: "Over", Type: console.Select, Value: "1y", Options: console.Options("1y", "1 year", "2y", "2 years", "3y", "3 years", "5y", "5 years")},
				{Name: "sort", Label: "By", Type: console.Select, Value: "growth", Options: console.Options("growth", "Percent a year", "change", "Dollars")},
				strategies, states,
			},
		},
		{
			Path: "/market/providers", Title: "Service providers", Operation: "list-providers", Tables: ranked,
			Lead:   "Administrators, auditors, custodians, prime brokers and marketers, by the funds that they serve.",
			Fields: []console.Field{role, {Name: "by", Label: "By", Type: console.Select, Value: "funds", Options: console.Options("funds", "Funds", "gps", "Managers", "gav", "Gross assets")}, strategies, states},
		},
		{
			Path: "/market/provider-changes", Title: "Changes of service providers", Operation: "list-provider-changes", Tables: switched, Choices: lastYear,
			Lead:   "Which managers changed a service provider, and to whom.",
			Fields: []console.Field{{Name: "from", Label: "Filed since", Type: console.Date}, anyRole, strategies, states},
		},
	}
	for _, s := range list {
		for _, other := range list {
			s.More = append(s.More, console.Choice{Text: other.Title, Link: other.Path, Selected: other.Path == s.Path})
		}
		s.Section, s.Body = "/market", templates.Sold
		pages = append(pages, s.Pages()...)
	}
	return pages
}

// lastYear is the first choice of a first day.
func lastYear(_ context.Context, r *console.Request, fields []console.Field) error {
	fields[0].Value = r.Now.AddDate(-1, 0, 0).Format(time.DateOnly)
	return nil
}

// groups has the columns that the grouping has.
func groups(a *console.Answer) []console.Titled {
	var columns []console.Shown
	first := map[string]any{} // all rows have the same members
	if rows := a.Rows(); len(rows) > 0 {
		first, _ = rows[0].(map[string]any)
	}
	for _, c := range []struct {
		member, title string
		write         func(v any) string
		number        bool
	}{
		{"strategy", "Strategy", console.Word, false},
		{"vintage_year", "Vintage", console.Plain, false},
		{"state", "State", console.Plain, false},
		{"country", "Country", console.Plain, false},
		{"aum_band", "Assets", band, false},
		{"registration_status", "Registration", console.Word, false},
		{"manager_type", "Kind", console.Word, false},
		{"gp_count", "Managers", console.Count, true},
		{"fund_count", "Funds", console.Count, true},
		{"total_aum", "Assets in all", console.Money, true},
		{"avg_aum", "Average assets", console.Money, true},
		{"total_gav", "Gross assets", console.Money, true},
		{"avg_fund_size", "Average fund", console.Money, true},
	} {
		if _, has := first[c.member]; has {
			columns = append(columns, console.Shown{Text: c.title, Number: c.number, Value: console.Value("", c.member, c.write).Value})
		}
	}
	return []console.Titled{{Table: console.NewTable(a, "No manager matches.", columns...)}}
}

func growing(a *console.Answer) []console.Titled {
	of := func(text, member string, write func(v any) string) console.Shown {
		return console.Shown{Text: text, Number: true, Value: func(row map[string]any) console.Cell {
			growth, _ := row["growth"].(map[string]any)
			return console.Cell{Text: write(growth[member])}
		}}
	}
	return []console.Titled{{Table: console.NewTable(a, "No manager matches whose growth is known.",
		console.Shown{Text: "Manager", Value: firm("legal_name", "crd")}, console.Value("State", "state", console.Plain), console.Figure("Assets", "total_aum", console.Money),
		of("Percent a year", "percent_a_year", console.Plain), of("Change", "change", console.Money), of("Before", "aum_before", console.Money), of("From", "from", console.Day), of("To", "to", console.Day))}}
}

func ranked(a *console.Answer) []console.Titled {
	return []console.Titled{{Table: console.NewTable(a, "No provider matches.",
		console.Figure("Rank", "rank", console.Count), console.Value("Name", "name", console.Plain), console.Figure("Funds", "funds", console.Count),
		console.Figure("Managers", "gps", console.Count), console.Figure("Gross assets", "gav", console.Money))}}
}

func switched(a *console.Answer) []console.Titled {
	names := func(text, member string) console.Shown {
		return console.Shown{Text: text, Value: func(row map[string]any) console.Cell {
			list, _ := row[member].([]any)
			c := console.Cell{}
			for i, each := range list {
				provider, _ := each.(map[string]any)
				if i > 0 {
					c.Text += "; "
				}
				c.Text += console.Plain(provider["name"])
			}
			if c.Text == "" {
				c.Text = "none, or not shown"
			}
			return c
		}}
	}
	return []console.Titled{{Table: console.NewTable(a, "No manager changed a provider.",
		console.Shown{Text: "Manager", Value: firm("gp_name", "crd")}, console.Value("Filed", "filing_date", console.Day), console.Value("Role", "role", console.Word),
		names("Before", "before"), names("After", "after"), console.Figure("Funds", "funds_changed", console.Count))}}
}
