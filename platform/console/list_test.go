package console_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console"
)

// Guarantee: figures are written in one way, unknown is not zero, and nothing breaks on values of other types.
func TestFormat(t *testing.T) {
	t.Parallel()
	for v, want := range map[string][3]string{ // Money, Dollars, Count
		"0": {"$0", "$0", "0"}, "999": {"$999", "$999", "999"}, "1000": {"$1.00 k", "$1,000", "1,000"}, "999999": {"$1.00 m", "$999,999", "999,999"},
		"12400000000": {"$12.4 bn", "$12,400,000,000", "12,400,000,000"}, "105479905": {"$105 m", "$105,479,905", "105,479,905"}, "-3137717": {"−$3.14 m", "−$3,137,717", "−3,137,717"},
		"1500000000000": {"$1.50 tn", "$1,500,000,000,000", "1,500,000,000,000"},
	} {
		n := json.Number(v)
		require.Equal(t, want, [3]string{console.Money(n), console.Dollars(n), console.Count(n)}, v)
	}
	for _, write := range []func(any) string{console.Money, console.Dollars, console.Count, console.Day, console.Word, console.Plain} {
		require.Equal(t, console.NotStated, write(nil))
		require.Equal(t, console.NotStated, write(map[string]any{}))
	}
	require.Equal(t, "26 Mar 2026", console.Day("2026-03-26T10:00:00Z"))
	require.Equal(t, console.NotStated, console.Day("soon, one day"))
	require.Equal(t, []string{"Real estate", "Yes", "Fund of funds"}, []string{console.Word("real-estate"), console.Word(true), console.Word("fund_of_funds")})
}

func asked(t *testing.T, query string) *console.Request {
	t.Helper()
	values, err := url.ParseQuery(query)
	require.NoError(t, err)
	return &console.Request{Values: values}
}

// Guarantee: each link of a list is the list with one thing changed. It begins again at the first page; a value of a facet is added to those that are
// chosen, or taken away.
func TestList(t *testing.T) {
	t.Parallel()
	headings := []console.Heading{{Name: "state", Title: "State", Write: console.Plain}, {Name: "strategy", Title: "Strategy"}}
	r := asked(t, "q=kes&state=NY&strategy=venture&sort=aum&order=desc&page=3&city=")
	require.Equal(t, "facet_limit=12&facets=state%2Cstrategy&order=desc&page=3&per_page=25&q=kes&sort=aum&state=NY&strategy=venture", console.Query(r, headings).Encode())
	require.Empty(t, r.Value("facets"), "the request is left as it is")
	rows := make([]any, 25)
	a := &console.Answer{Data: rows, Meta: map[string]any{"total": json.Number("80"), "offset": json.Number("50"), "page": json.Number("3"), "facets": map[string]any{
		"state": map[string]any{"distinct": json.Number("35"), "unknown": json.Number("2"), "values": []any{
			map[string]any{"value": "NY", "count": json.Number("5"), "selected": true}, map[string]any{"value": "CA", "count": json.Number("4"), "selected": false},
		}},
	}}}
	columns := []console.Shown{
		console.Value("Name", "n", console.Plain).In("", "name"), console.Figure("Assets", "a", console.Money).In("aum", "aum"), console.Value("x", "x", console.Plain).In("x", ""),
		console.Value("More", "m", console.Plain).Extra("more", ""),
	}
	l := console.NewList("/gps", r, a, columns, headings)
	require.Equal(t, []int64{51, 75, 80}, []int64{l.First, l.Last, l.Total})
	require.Equal(t, "/gps?order=desc&page=2&q=kes&sort=aum&state=NY&strategy=venture", l.Previous)
	require.Equal(t, "/gps?order=desc&page=4&q=kes&sort=aum&state=NY&strategy=venture", l.Next)
	require.Equal(t, []console.Choice{
		{Text: "State: NY", Link: "/gps?order=desc&q=kes&sort=aum&strategy=venture"}, {Text: "Strategy: Venture", Link: "/gps?order=desc&q=kes&sort=aum&state=NY"},
	}, l.Chips)
	require.Equal(t, []string{"/gps?order=asc&q=kes&sort=name&state=NY&strategy=venture", "/gps?order=asc&q=kes&sort=aum&state=NY&strategy=venture", ""},
		[]string{l.Columns[0].Link, l.Columns[1].Link, l.Columns[2].Link})
	require.Equal(t, "descending", l.Columns[1].Sorted)
	require.Equal(t, []console.Choice{
		{Text: "NY", Link: "/gps?order=desc&q=kes&sort=aum&strategy=venture", Count: 5, Selected: true},
		{Text: "CA", Link: "/gps?order=desc&q=kes&sort=aum&state=NY%2CCA&strategy=venture", Count: 4},
	}, l.Facets[0].Values)
	require.Equal(t, []console.Pair{{"order", "desc"}, {"sort", "aum"}, {"state", "NY"}, {"strategy", "venture"}}, l.Kept)

	require.Len(t, l.Columns, 3)
	require.Equal(t, []console.Choice{
		{Text: "Assets", Link: "/gps?cols=x&order=desc&q=kes&sort=aum&state=NY&strategy=venture", Selected: true},
		{Text: "x", Link: "/gps?cols=aum&order=desc&q=kes&sort=aum&state=NY&strategy=venture", Selected: true},
		{Text: "More", Link: "/gps?cols=aum%2Cx%2Cmore&order=desc&q=kes&sort=aum&state=NY&strategy=venture"},
	}, l.Choose)
	chosen := asked(t, "cols=more,parking&state=NY")
	require.Equal(t, "per_page=25&state=NY", console.Query(chosen, nil).Encode(), "no operation has cols")
	l = console.NewList("/gps", chosen, &console.Answer{Data: []any{map[string]any{"n": "Kestrel", "m": "7"}}}, columns, headings)
	require.Equal(t, [][]console.Cell{{{Text: "Kestrel"}, {Text: "7"}}}, l.Rows)
	require.Equal(t, console.Choice{Text: "More", Selected: true}, l.Choose[2], "the last column stays")
	require.Equal(t, []console.Choice{{Text: "State: NY", Link: "/gps?cols=more%2Cparking"}}, l.Chips)

	none := console.NewList("/gps", asked(t, "state=ZZ&q=x"), &console.Answer{Data: []any{}, Meta: map[string]any{"nothing": []any{
		map[string]any{"without": "q", "total": json.Number("0")}, map[string]any{"without": "state", "total": json.Number("7")},
	}}}, nil, headings)
	require.Equal(t, []console.Choice{{Text: "State", Link: "/gps?q=x", Count: 7}}, none.Nothing)
}

// Guarantee: a table notes what the operation says about its rows: how many there are beside, how many are withheld, on which filing they rest.
func TestTable(t *testing.T) {
	t.Parallel()
	a := &console.Answer{Data: []any{map[string]any{"name": "KESTREL LLP", "gav": json.Number("5")}}, Meta: map[string]any{
		"total": json.Number("3"), "withheld": json.Number("1"), "basis": map[string]any{"filing_date": "2026-03-26", "accession_number": "ADV-1-2"},
	}}
	table := console.NewTable(a, "none", console.Value("Name", "name", console.Plain), console.Figure("Assets", "gav", console.Money))
	require.Equal(t, [][]console.Cell{{{Text: "KESTREL LLP"}, {Text: "$5", Number: true}}}, table.Rows)
	require.Equal(t, []string{"2 more are in the JSON of this list.", "1 not shown, because the name may be that of a person.", "According to the filing of 26 Mar 2026 (ADV-1-2)."}, table.Notes)
	silent := console.NewTable(&console.Answer{Data: []any{}, Meta: map[string]any{"basis": map[string]any{"stated": false}}}, "none")
	require.Equal(t, "No filing that was loaded states this.", silent.Empty)
}
