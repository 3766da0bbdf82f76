package pages

import (
	"context"
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

var gpColumns = []console.Shown{
	console.Linked("Manager", "legal_name", console.To("/gps/", "crd")).In("", "name"),
	console.Shown{Text: "Office", Value: func(row map[string]any) console.Cell { return console.Cell{Text: office(row)} }}.In("office", ""),
	console.Figure("Assets", "total_aum", console.Money).In("aum", "aum"),
	console.Figure("Funds", "fund_count", console.Count).In("funds", "fund_count"),
	console.Figure("Employees", "employee_count", console.Count).In("employees", "employees"),
	console.Value("Strategy", "primary_strategy", console.Word).In("strategy", ""),
	console.Figure("Latest filing", "latest_filing_date", console.Day).In("latest_filing", "latest_filing_date"),
	console.Value("Business name", "business_name", console.Plain).Extra("business_name", ""),
	console.Value("Kind", "manager_type", console.Word).Extra("kind", ""),
	console.Value("Registration", "registration_status", console.Word).Extra("registration", ""),
	console.Value("Registered", "registered_on", console.Day).Extra("registered", ""),
	console.Value("SEC number", "sec_number", console.Plain).Extra("sec_number", ""),
	console.Figure("CRD number", "crd", console.Plain).Extra("crd", ""),
	console.Value("Website", "website", console.Plain).Extra("website", ""),
}

var fundHeadings = []console.Heading{
	{Name: "strategy", Title: "Strategy"},
	{Name: "vintage_year", Title: "Vintage", Write: console.Plain},
	{Name: "status", Title: "Status"},
	{Name: "jurisdiction", Title: "Jurisdiction", Write: console.Plain},
	{Name: "has_auditor", Title: "Has an auditor"},
}

var fundColumns = []console.Shown{
	console.Linked("Fund", "name", func(row map[string]any) string {
		return "/funds/" + console.Or(console.Plain, console.Plain(row["id"]))(row["fund_id"])
	}).In("", "name"),
	console.Linked("Manager", "adviser_name", console.To("/gps/", "adviser_crd")).In("manager", ""),
	console.Figure("Gross assets", "gross_asset_value", console.Money).In("assets", "gav"),
	console.Figure("Vintage", "vintage_year", console.Plain).In("vintage", "vintage_year"),
	console.Value("Strategy", "strategy", console.Word).In("strategy", ""),
	console.Value("Jurisdiction", "jurisdiction", console.Plain).In("jurisdiction", ""),
	console.Value("Status", "status", console.Word).In("status", ""),
	console.Figure("Fund ID", "fund_id", console.Plain).Extra("fund_id", ""),
	console.Value("Section 3(c)(1)", "is_3c1", console.Word).Extra("3c1", ""),
	console.Value("Section 3(c)(7)", "is_3c7", console.Word).Extra("3c7", ""),
	console.Value("Master fund", "is_master", console.Word).Extra("master", ""),
	console.Value("Feeder fund", "is_feeder", console.Word).Extra("feeder", ""),
	console.Value("Auditor named", "has_auditor", console.Word).Extra("auditor", ""),
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
		Data: console.NewList(gpsPath, r, a, gpColumns, gpHeadings),
	}, nil
}

func funds(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "search-funds", console.Query(r, fundHeadings))
	if err != nil {
		return console.View{}, err
	}
	return console.View{
		Title: "Funds", Section: fundsPath, Body: fundsBody, Answer: a, Wide: true,
		Data: console.NewList(fundsPath, r, a, fundColumns, fundHeadings),
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
