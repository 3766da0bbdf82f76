package pages

import (
	"context"
	"slices"
	"strings"

	"gpatlas/platform/console"
)

var gpHeadings = []console.Heading{
	{Name: "state", Title: "State", Write: console.Plain},
	{Name: "strategy", Title: "Strategy"},
	{Name: "aum_band", Title: "Assets", Write: band},
	{Name: "registration_status", Title: "Registration"},
	{Name: "manager_type", Title: "Kind"},
	{Name: "has_funds", Title: "Has funds"},
	{Name: "country", Title: "Country", Write: console.Plain},
}

var gpColumns = []console.Column{
	{Text: "Manager", Sort: "name"},
	{Text: "Office"},
	{Text: "Assets", Number: true, Sort: "aum"},
	{Text: "Funds", Number: true, Sort: "fund_count"},
	{Text: "Employees", Number: true, Sort: "employees"},
	{Text: "Strategy"},
	{Text: "Latest filing", Number: true, Sort: "latest_filing_date"},
}

var fundHeadings = []console.Heading{
	{Name: "strategy", Title: "Strategy"},
	{Name: "vintage_year", Title: "Vintage", Write: console.Plain},
	{Name: "status", Title: "Status"},
	{Name: "jurisdiction", Title: "Jurisdiction", Write: console.Plain},
	{Name: "has_auditor", Title: "Has an auditor"},
}

var fundColumns = []console.Column{
	{Text: "Fund", Sort: "name"},
	{Text: "Manager"},
	{Text: "Gross assets", Number: true, Sort: "gav"},
	{Text: "Vintage", Number: true, Sort: "vintage_year"},
	{Text: "Strategy"},
	{Text: "Jurisdiction"},
	{Text: "Status"},
}

// band writes a band of assets: "100M-500M" is "$100M to $500M".
func band(v any) string {
	text := console.Plain(v)
	if from, to, both := strings.Cut(text, "-"); both {
		return "$" + from + " to $" + to
	}
	return strings.NewReplacer("<", "below $", ">", "above $").Replace(text)
}

func gps(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "search-gps", console.Query(r, gpHeadings))
	if err != nil {
		return console.View{}, err
	}
	return console.View{
		Title: "Managers", Section: gpsPath, Body: gpsBody, Answer: a, Wide: true, Search: r.Value("q"),
		Data: console.NewList(gpsPath, r, a, slices.Clone(gpColumns), gpHeadings),
	}, nil
}

func funds(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "search-funds", console.Query(r, fundHeadings))
	if err != nil {
		return console.View{}, err
	}
	return console.View{
		Title: "Funds", Section: fundsPath, Body: fundsBody, Answer: a, Wide: true,
		Data: console.NewList(fundsPath, r, a, slices.Clone(fundColumns), fundHeadings),
	}, nil
}

// newest is what the page of filings shows.
type newest struct {
	Rows  []any
	Forms []console.Choice
	Next  string // the page of older filings
	Feed  string // the same filters as an Atom feed
}

// filings are the newest filings of all managers. The operation has a cursor, so the list has no page numbers.
func filings(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-filings", r.Values)
	if err != nil {
		return console.View{}, err
	}
	n := &newest{Rows: a.Rows(), Feed: console.Link(filingsPath+".atom", r.Values, "cursor", "")}
	for _, form := range []string{"", "ADV", "ADV/A", "ADV-W"} {
		c := console.Choice{Text: form, Link: console.Link(filingsPath, r.Values, "form_type", form), Selected: r.Value("form_type") == form}
		if form == "" {
			c.Text = "All forms"
		}
		n.Forms = append(n.Forms, c)
	}
	if cursor, more := a.Meta["next_cursor"].(string); more {
		n.Next = console.Link(filingsPath, r.Values, "cursor", cursor)
	}
	return console.View{Title: "Newest filings", Section: filingsPath, Body: filingsBody, Answer: a, Wide: true, Data: n}, nil
}
