// Package pages is the pages for people about people and institutional investors (LPs).
package pages

import (
	"context"
	"net/url"
	"slices"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const gpPath, fundPath = "/gps/{crd}", "/funds/{fund_id}"

// Part is the pages, and the links to them on the pages of a manager and a fund.
func Part() module.Part {
	part := module.Part{Panels: []console.Panel{
		{Page: gpPath, Title: "People and investors", Body: templates.TablePanel, Load: links(ofGP)},
		{Page: fundPath, Title: "Investors", Body: templates.TablePanel, Load: links(ofFund)},
	}}
	for _, s := range slices.Concat(ofGP, ofFund, market) {
		s.Body = templates.Sold
		part.Pages = append(part.Pages, s.Pages()...)
	}
	return part
}

var hundred = url.Values{"limit": {"100"}}

var ofGP = []console.Sold{
	{
		Path: gpPath + "/team", Title: "Team", Section: "/gps", Of: "get-gp", Operation: "list-gp-team", Fixed: hundred, Tables: people("Title since", "title_since"),
		Lead: "The executive officers, directors, partners and owners that the filings name, of",
		Fields: []console.Field{
			{Name: "role", Label: "Role", Type: console.Select, Optional: true, Options: console.Options("", "All", "partner", "Partner", "md", "Managing director", "vp", "Vice president", "other", "Other")},
			{Name: "function", Label: "Function", Type: console.Select, Optional: true, Options: console.Options("", "All", "founder", "Founder", "ceo", "CEO", "president", "President", "cio", "CIO", "cfo", "CFO", "coo", "COO", "cco", "CCO", "gc", "General counsel")},
		},
	},
	{
		Path: gpPath + "/alumni", Title: "Alumni", Section: "/gps", Of: "get-gp", Operation: "list-gp-alumni", Fixed: hundred, Tables: people("Left by", "departed_between"),
		Lead: "People whom earlier filings named and newer ones do not, of",
	},
	{
		Path: gpPath + "/hiring", Title: "Open positions", Section: "/gps", Of: "get-gp", Operation: "list-gp-hiring", Fixed: hundred, Tables: positions,
		Lead: "Open positions on the job board of",
	},
	{Path: gpPath + "/lps", Title: "Investors (LPs)", Section: "/gps", Of: "get-gp", Operation: "list-gp-lps", Fixed: hundred, Tables: commitments, Lead: "Institutions whose published lists name funds of"},
}

var ofFund = []console.Sold{
	{Path: fundPath + "/lps", Title: "Investors (LPs)", Section: "/funds", Of: "get-fund", Operation: "list-fund-lps", Fixed: hundred, Tables: commitments, Lead: "Institutions whose published lists name"},
}

var market = []console.Sold{
	{
		Path: "/people", Nav: "People", Title: "People", Section: "/people", Operation: "search-people", Tables: found,
		Lead:   "People whom Form ADV and Form D name, by name.",
		Fields: []console.Field{{Name: "q", Label: "Name", Type: console.Text, Max: 100}, {Name: "company", Label: "Manager", Type: console.Text, Optional: true, Max: 100}},
	},
	{
		Path: "/people/{person_uid}", Title: "Person", Section: "/people", Operation: "get-person-history", Tables: career, Lead: "The career of one person, as the filings state it.",
	},
	{
		Path: "/lps", Nav: "LPs", Title: "Institutional investors (LPs)", Section: "/lps", Operation: "list-lps", Fixed: hundred, Tables: lps,
		Lead: "Pension funds, endowments, insurers and others that publish which private funds they invest in.",
		Fields: []console.Field{
			{Name: "q", Label: "Name", Type: console.Text, Optional: true, Max: 200},
			{Name: "entity_type", Label: "Kind", Type: console.Select, Optional: true, Options: kinds()},
			{Name: "sort", Label: "Order", Type: console.Select, Optional: true, Value: "name", Options: console.Options("name", "Name", "investment_count", "Number of investments")},
		},
	},
	{
		Path: "/lps/{lp_id}", Title: "Investments of an LP", Section: "/lps", Operation: "list-lp-investments", Fixed: hundred, Tables: investments,
		Lead: "The private funds that one institution has committed capital to, as its own list states.",
	},
}

// links leads from the page of a manager or fund to the pages that sell. Signed-in people see how many people there are.
func links(sold []console.Sold) func(context.Context, *console.Request) (any, error) {
	return func(ctx context.Context, r *console.Request) (any, error) {
		t := &console.Table{Columns: []console.Column{{Text: "What"}, {Text: "Price"}, {Text: "How many", Number: true}}}
		counts := map[string]any{}
		if crd := r.Parameters["crd"]; crd != "" && auth.From(ctx).UserID != 0 {
			preview, err := r.API.Get(ctx, "preview-gp-team", url.Values{"crd": {crd}})
			if err != nil {
				return nil, err
			}
			alumni, _ := preview.Record()["alumni"].(map[string]any)
			counts["list-gp-team"], counts["list-gp-alumni"] = preview.Record()["total_count"], alumni["count"]
		}
		for _, s := range sold {
			price, err := r.API.Price(ctx, s.Operation, nil)
			if err != nil {
				return nil, err
			}
			count := console.Cell{Number: true}
			if n := counts[s.Operation]; n != nil {
				count.Text = console.Count(n)
			}
			t.Rows = append(t.Rows, []console.Cell{{Text: s.Title, Link: console.Fill(s.Path, r.Parameters)}, {Text: "$" + price.List + " per " + price.Per}, count})
		}
		return t, nil
	}
}

// kinds are the kinds of LPs to choose from.
func kinds() []console.Pair {
	list := console.Options("", "All")
	for _, kind := range peopleapi.EntityTypes() {
		list = append(list, console.Pair{Name: kind, Value: console.Word(kind)})
	}
	return list
}
