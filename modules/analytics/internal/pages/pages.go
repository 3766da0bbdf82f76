// Package pages is the pages for people about what the analytics sell: comparisons, similar managers and disclosures.
package pages

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const section, gpPath = "/gps", "/gps/{crd}"

// Part is the pages, and the links to them on the page of a manager.
func Part() module.Part {
	part := module.Part{Panels: []console.Panel{{Page: gpPath, Title: "Analysis", Body: templates.TablePanel, Load: links}}}
	for _, s := range sold {
		s.Section, s.Of, s.Body = section, "get-gp", templates.Sold
		part.Pages = append(part.Pages, s.Pages()...)
	}
	return part
}

var sold = []console.Sold{
	{
		Path: gpPath + "/compare", Title: "Compare two filings", Operation: "get-gp-diff", Tables: differences, Choices: filings,
		Lead: "The fields and funds that differ between two filings of",
		Fields: []console.Field{
			{Name: "from", Label: "Earlier filing", Type: console.Select},
			{Name: "to", Label: "Later filing", Type: console.Select, Optional: true},
		},
	},
	{
		Path: gpPath + "/changes", Title: "Changes between filings", Operation: "list-gp-changes", Tables: changes,
		Lead: "What each filing changed, of",
	},
	{
		Path: gpPath + "/related", Title: "Similar managers", Operation: "get-gp-related", Tables: similar,
		Lead: "Managers of the same strategy, size and country as",
	},
	{
		Path: gpPath + "/disclosures", Title: "Disclosures", Operation: "list-gp-regulatory-events", Tables: disclosures,
		Lead: "Regulatory, civil and criminal disclosures of Form ADV, Item 11, by",
	},
}

// links leads from the page of a manager to the pages that sell.
func links(ctx context.Context, r *console.Request) (any, error) {
	t := &console.Table{Columns: []console.Column{{Text: "What"}, {Text: "Price per request"}}}
	for _, s := range sold {
		price, err := r.API.Price(ctx, s.Operation, nil)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, []console.Cell{{Text: s.Title, Link: console.Fill(s.Path, r.Parameters)}, {Text: "$" + price.List}})
	}
	return t, nil
}

// filings offers the filings of the manager: the newest is compared with the one before.
func filings(ctx context.Context, r *console.Request, fields []console.Field) error {
	a, err := r.API.Get(ctx, "list-gp-filings", url.Values{"crd": {r.Parameters["crd"]}, "per_page": {"100"}})
	if err != nil {
		return err
	}
	var known []console.Pair
	for _, each := range a.Rows() {
		row, _ := each.(map[string]any)
		if form := console.Plain(row["filing_type"]); !strings.HasPrefix(form, "ADV") {
			continue // a notice of Form D is of a fund
		}
		number := console.Plain(row["accession_number"])
		known = append(known, console.Pair{Name: number, Value: console.Day(row["filing_date"]) + ", " + console.Plain(row["filing_type"]) + ", " + number})
	}
	for _, f := range fields { // a filing that a link names, and that is older than those
		if wanted := r.Value(f.Name); wanted != "" && !slices.ContainsFunc(known, func(p console.Pair) bool { return p.Name == wanted }) {
			known = append(known, console.Pair{Name: wanted, Value: wanted})
		}
	}
	fields[0].Options = known
	fields[1].Options = append([]console.Pair{{Name: "", Value: "Today"}}, known...)
	if len(known) > 1 {
		fields[0].Value = known[1].Name
	}
	return nil
}
