package pages

import (
	"context"
	"net/url"
	"strings"

	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// panels are the lists of one manager or fund. They are those of today.
func panels() []console.Panel {
	role := console.Value("Role", "role", console.Word)
	related := console.Value("Related to the manager", "related", console.Word)
	return []console.Panel{
		gpPanel("Owners and control persons", "list-gp-owners", "The filing names no owners.",
			console.Value("Schedule", "schedule", console.Plain), console.Shown{Text: "Name", Value: owner}, console.Shown{Text: "Since", Value: since},
			console.Shown{Text: "Share", Value: share}, console.Value("Control", "control", console.Word)),
		gpPanel("Service providers", "list-gp-providers", "The filings name no service providers.",
			role, console.Value("Name", "name", console.Plain), related, console.Figure("Funds", "fund_ids", length), console.Figure("Gross assets served", "gav", console.Money)),
		gpPanel("Form D offerings", "list-gp-offerings", "No notice of Form D matches a fund of this manager.", offeringColumns()...),
		gpPanel("Offices", "list-gp-offices", "The filing names no offices.",
			console.Shown{Text: "Office", Value: func(row map[string]any) console.Cell { return console.Cell{Text: office(row)} }},
			console.Value("Main office", "main", console.Word), console.Value("Telephone", "phone", console.Plain), console.Figure("Employees", "employee_count", console.Count)),
		gpPanel("Affiliates", "list-gp-affiliates", "The filing names no affiliates.",
			console.Shown{Text: "Name", Value: firm("legal_name", "crd")}, console.Value("Controls it", "controls", console.Word), console.Value("Common control", "common_control", console.Word)),
		gpPanel("Funds of others that it sub-advises", "list-gp-sub-advised-funds", "The filing names no such funds.",
			console.Shown{Text: "Fund", Value: fundNamed}, console.Shown{Text: "Manager", Value: firm("adviser_name", "adviser_crd")}),
		panel(fundPath, "Service providers", "list-fund-providers", "The filing names no service providers.",
			role, console.Value("Name", "name", console.Plain), console.Value("As filed", "name_as_filed", console.Plain), related),
		panel(fundPath, "Form D offerings", "list-fund-offerings", "No notice of Form D matches this fund.", offeringColumns()...),
	}
}

func offeringColumns() []console.Shown {
	return []console.Shown{
		console.Value("Offering", "offering_id", console.Plain), console.Value("Stage", "stage", console.Word), console.Value("First sale", "first_sale", console.Day),
		console.Value("Latest notice", "latest_notice", console.Day), console.Figure("Offered", "offering_amount", console.Money),
		console.Figure("Sold", "amount_sold", console.Money), console.Figure("Investors", "investor_count", console.Count),
	}
}

func gpPanel(title, operation, empty string, columns ...console.Shown) console.Panel {
	return panel(gpPath, title, operation, empty, columns...)
}

// panel shows the first rows of a list of the manager or fund of its page.
func panel(page, title, operation, empty string, columns ...console.Shown) console.Panel {
	return console.Panel{Page: page, Title: title, Body: templates.TablePanel, Load: func(ctx context.Context, r *console.Request) (any, error) {
		values := url.Values{"per_page": {"25"}}
		for name, value := range r.Parameters {
			values.Set(name, value)
		}
		a, err := r.API.Get(ctx, operation, values)
		if err != nil {
			return nil, err
		}
		return console.NewTable(a, empty, columns...), nil
	}}
}

// owner is the name of a firm; the names of persons are sold.
func owner(row map[string]any) console.Cell {
	if name, ok := row["name"].(string); ok {
		return console.Cell{Text: name}
	}
	if row["kind"] == "person" {
		return console.Cell{Text: "a person"}
	}
	return console.Cell{Text: console.Word(row["kind"]) + ", not shown"}
}

// since is when a firm became an owner; that of a person is sold with the name.
func since(row map[string]any) console.Cell {
	if row["acquired"] == nil && row["kind"] == "person" {
		return console.Cell{Text: "not shown"}
	}
	return console.Cell{Text: console.Day(row["acquired"])}
}

// share is the band of ownership of Schedules A and B.
func share(row map[string]any) console.Cell {
	of, _ := row["ownership"].(map[string]any)
	if of["min_percent"] == nil || of["max_percent"] == nil {
		return console.Cell{Text: console.NotStated}
	}
	return console.Cell{Text: console.Count(of["min_percent"]) + " to " + console.Count(of["max_percent"]) + " %"}
}

// firm is a name that leads to the manager's page if its CRD number is known.
func firm(name, crd string) func(row map[string]any) console.Cell {
	return func(row map[string]any) console.Cell {
		c := console.Cell{Text: console.Plain(row[name])}
		if number, ok := row[crd].(string); ok {
			c.Link = "/gps?crd=" + number
		}
		return c
	}
}

func fundNamed(row map[string]any) console.Cell {
	c := console.Cell{Text: console.Plain(row["fund_name"])}
	if id, ok := row["fund_id"].(string); ok && strings.HasPrefix(id, "805-") {
		c.Link = "/funds?fund_id=" + id
	}
	return c
}

// length is the number of elements of a list.
func length(v any) string {
	list, _ := v.([]any)
	return console.Count(len(list))
}
