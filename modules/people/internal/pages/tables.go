package pages

import (
	"strings"

	"gpatlas/platform/console"
)

// people shows a team, or those who left it, with one more column.
func people(text, member string) func(a *console.Answer) []console.Titled {
	last := func(v any) string {
		if between, ok := v.(map[string]any); ok {
			return console.Day(between["before"])
		}
		return console.Plain(v)
	}
	return func(a *console.Answer) []console.Titled {
		return one(a.Rows(), "The filings name nobody who matches.",
			console.Linked("Name", "full_name", console.To("/people/", "id")),
			console.Value("Title", "title", console.Plain), console.Value("Role", "role", console.Word), console.Value(text, member, last),
			console.Figure("Years", "tenure_years", console.Plain), console.Value("Last named", "last_named", console.Day))
	}
}

func positions(a *console.Answer) []console.Titled {
	return one(a.Rows(), "There are no open positions, or no job board is known.",
		console.Value("Position", "title", console.Plain), console.Value("Department", "department_name", console.Plain), console.Value("Place", "location", console.Plain),
		console.Value("Posted", "posted_at", console.Day), console.Value("Last seen", "last_seen", console.Day))
}

// commitments shows each commitment with its LP.
func commitments(a *console.Answer) []console.Titled {
	var list []any
	for _, each := range a.Rows() {
		row, _ := each.(map[string]any)
		lp, _ := row["lp"].(map[string]any)
		made, grouped := row["commitments"].([]any)
		if !grouped {
			made = []any{row}
		}
		for _, commitment := range made {
			if c, ok := commitment.(map[string]any); ok {
				c["lp_name"], c["lp_id"] = lp["name"], lp["id"]
				list = append(list, c)
			}
		}
	}
	lp := console.Linked("Investor", "lp_name", console.To("/lps/", "lp_id"))
	return one(list, "No list of an LP names it.", append([]console.Shown{lp}, commitment...)...)
}

var commitment = []console.Shown{
	console.Linked("Fund", "fund_name", console.To("/funds/", "fund_id")),
	console.Figure("Vintage", "vintage_year", console.Plain), console.Figure("Committed", "committed", console.Money), console.Figure("Contributed", "contributed", console.Money),
	console.Figure("Distributed", "distributed", console.Money), console.Figure("Net asset value", "nav", console.Money), console.Figure("Net IRR, percent", "net_irr_percent", console.Plain),
	console.Figure("Multiple", "multiple", console.Plain), console.Value("As of", "as_of", console.Day),
}

func investments(a *console.Answer) []console.Titled {
	manager := console.Linked("Manager", "gp_name", console.To("/gps/", "gp_crd"))
	return one(a.Rows(), "The list names no funds.", append([]console.Shown{manager}, commitment...)...)
}

func lps(a *console.Answer) []console.Titled {
	return one(a.Rows(), "No LP matches.",
		console.Linked("Investor", "name", console.To("/lps/", "id")),
		console.Value("Kind", "entity_type", console.Word), console.Value("State", "state", console.Plain), console.Figure("Investments", "investment_count", console.Count),
		console.Figure("Committed", "total_committed", console.Money), console.Value("As of", "as_of", console.Day))
}

func found(a *console.Answer) []console.Titled {
	return one(a.Rows(), "Nobody of this name is in the filings.",
		console.Linked("Name", "full_name", console.To("/people/", "person_uid")),
		console.Value("Title", "current_title", console.Plain),
		console.Linked("Manager", "current_firm", console.To("/gps?crd=", "current_crd")), console.Value("Role", "role", console.Word))
}

// career lists the managers that a person worked for.
func career(a *console.Answer) []console.Titled {
	row := a.Record()
	worked := console.NewTable(&console.Answer{Data: row["employment"]}, "No filing states where this person worked.",
		console.Linked("Manager", "firm", console.To("/gps?crd=", "crd")), console.Value("Title", "title", console.Plain), console.Value("From", "from", console.Day), console.Value("To", "to", console.Or(console.Day, "now")))
	return []console.Titled{{Title: strings.TrimSpace(console.Plain(row["full_name"])), Table: worked}}
}

func one(rows []any, empty string, columns ...console.Shown) []console.Titled {
	return []console.Titled{{Table: console.NewTable(&console.Answer{Data: rows}, empty, columns...)}}
}
