package pages

import (
	"context"
	"net/url"
	"strings"
	"time"

	"gpatlas/platform/console"
	"gpatlas/platform/console/chart"
)

// manager is what the page of a manager shows.
type manager struct {
	Record   map[string]any
	AsOf     string // the day that was asked for; "" is today
	Sentence string
	Tiles    []tile
	Plots    []console.Choice // the values that can be plotted
	Plot     plot
	Funds    *console.Answer // nil for a past day
	Filings  *console.Answer
}

// tile is a figure, with the filing that it comes from.
type tile struct {
	Title, Text, Full string
	Source            string
}

// plot is a series of a manager's or fund's filings.
type plot struct {
	Title  string
	Line   chart.Line
	Rows   []plotted
	Narrow int // widths in pixels
	Wide   int
	Height int
}

type plotted struct{ Day, Text, Accession, Note string }

// The widths of the two drawings: the main column of a window of 1280 pixels, and of one of 390.
const (
	wideDrawing   = 600
	narrowDrawing = 350
	drawingHeight = 220
)

// series are the values of a manager that can be plotted.
var series = []struct {
	field, title string
	write        func(v any) string
}{
	{"total_aum", "Assets", console.Money},
	{"total_gav", "Gross assets of the funds", console.Money},
	{"fund_count", "Funds", console.Count},
	{"employee_count", "Employees", console.Count},
}

// gp shows a manager, as of a day if one is asked for.
func gp(ctx context.Context, r *console.Request) (console.View, error) {
	crd, asOf := r.Parameters["crd"], r.Value("as_of")
	detail, err := r.API.Get(ctx, "get-gp", parameters("crd", crd, "include", "provenance", "as_of", asOf))
	if err != nil {
		return console.View{}, err
	}
	m := &manager{Record: detail.Record(), AsOf: asOf}
	m.Sentence, m.Tiles = sentence(m.Record), tiles(m.Record)
	points, err := r.API.Get(ctx, "get-gp-series", parameters("crd", crd, "as_of", asOf))
	if err != nil {
		return console.View{}, err
	}
	at := 0
	for i, s := range series {
		chosen := r.Value("plot") == s.field
		if chosen {
			at = i
		}
		m.Plots = append(m.Plots, console.Choice{Text: s.title, Link: console.Link("/gps/"+crd, r.Values, "plot", s.field), Selected: chosen})
	}
	m.Plots[at].Selected = true
	m.Plot = newPlot(points, series[at].field, series[at].title, series[at].write, day(asOf))
	if m.Filings, err = r.API.Get(ctx, "list-gp-filings", parameters("crd", crd, "per_page", "15")); err != nil {
		return console.View{}, err
	}
	if asOf == "" {
		if m.Funds, err = r.API.Get(ctx, "list-gp-funds", parameters("crd", crd, "per_page", "100")); err != nil {
			return console.View{}, err
		}
	}
	return console.View{
		Title: console.Plain(m.Record["legal_name"]), Section: gpsPath, Body: gpBody, Data: m, Wide: true,
		Answer: &console.Answer{URL: "/v1/gps/" + crd + query("as_of", asOf)},
	}, nil
}

// parameters are those with a value.
func parameters(pairs ...string) url.Values {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	return values
}

func query(name, value string) string {
	if value == "" {
		return ""
	}
	return "?" + url.Values{name: {value}}.Encode()
}

// day is a day of the API; the present if it is empty.
func day(text string) time.Time {
	on, _ := time.Parse(time.DateOnly, text)
	return on
}

// sentence is the status of a manager in words, so that no reader has to guess what a status means.
func sentence(record map[string]any) string {
	var parts []string
	status := "Registration unknown"
	switch record["registration_status"] {
	case "registered":
		status = "Registered with the SEC"
	case "exempt_reporting":
		status = "Exempt reporting adviser, not registered"
	}
	if on := record["registered_on"]; on != nil {
		status += " since " + console.Day(on)
	}
	if on := record["withdrawn_on"]; on != nil {
		status = "Withdrawn on " + console.Day(on)
	} else if on := record["not_listed_since"]; on != nil {
		status = "Not listed by the SEC since " + console.Day(on)
	}
	parts = append(parts, status, "CRD "+console.Plain(record["crd"]))
	if number, ok := record["sec_number"].(string); ok {
		parts = append(parts, number)
	}
	if record["primary_strategy"] != nil {
		parts = append(parts, console.Word(record["primary_strategy"]))
	}
	return strings.Join(append(parts, office(record)), " · ")
}

// office is the city and state or country of the main office.
func office(row map[string]any) string {
	var parts []string
	for _, member := range []string{"city", "state", "country"} {
		if text, ok := row[member].(string); ok && (member != "country" || row["state"] == nil) {
			parts = append(parts, text)
		}
	}
	if parts == nil {
		return "office " + console.NotStated
	}
	return strings.Join(parts, ", ")
}

func tiles(record map[string]any) []tile {
	provenance, _ := record["provenance"].(map[string]any)
	figure := func(title, member string, short, full func(v any) string) tile {
		t := tile{Title: title, Text: short(record[member])}
		if record[member] == nil {
			return t
		}
		t.Full = full(record[member])
		if source, ok := provenance[member].(map[string]any); ok {
			t.Source = console.Plain(source["filing_type"]) + " of " + console.Day(source["filing_date"])
			if source["filing_type"] == nil {
				t.Source = console.Word(source["source"])
			}
		}
		return t
	}
	assets := "Assets, Form ADV 5.F(2)(c)"
	if record["registration_status"] != "registered" {
		assets = "Assets: gross assets of the funds"
	}
	return []tile{
		figure(assets, "total_aum", console.Money, console.Dollars),
		figure("Gross assets of the funds", "total_gav", console.Money, console.Dollars),
		figure("Without feeders", "net_gav", console.Money, console.Dollars),
		figure("Funds", "fund_count", console.Count, console.Count),
		figure("Investors in the funds", "total_investors", console.Count, console.Count),
		figure("Employees", "employee_count", console.Count, console.Count),
	}
}

// newPlot reads a series. A row that cannot be compared with the one before begins a new line.
func newPlot(a *console.Answer, field, title string, write func(v any) string, until time.Time) plot {
	p := plot{Title: title, Line: chart.Line{Title: title, Until: until, Label: func(v float64) string { return write(v) }}, Narrow: narrowDrawing, Wide: wideDrawing, Height: drawingHeight}
	notes := map[string]string{}
	breaks, _ := a.Meta["breaks"].([]any)
	for _, each := range breaks {
		if b, ok := each.(map[string]any); ok && b["field"] == field {
			notes[console.Plain(b["date"])] = console.Word(b["reason"])
		}
	}
	for _, each := range a.Rows() {
		row, _ := each.(map[string]any)
		date := console.Plain(row["date"])
		note := notes[date]
		p.Line.Points = append(p.Line.Points, chart.Point{On: day(date), Value: float64(console.Whole(row[field])), Known: row[field] != nil, Break: note != ""})
		p.Rows = append(p.Rows, plotted{Day: console.Day(date), Text: full(write, row[field]), Accession: console.Plain(row["accession_number"]), Note: note})
	}
	return p
}

// full writes an amount to the dollar in a table beside a plot with rounded labels.
func full(write func(v any) string, v any) string {
	if strings.HasPrefix(write(v), "$") || strings.HasPrefix(write(v), "−$") {
		return console.Dollars(v)
	}
	return write(v)
}
