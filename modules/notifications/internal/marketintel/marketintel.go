// Package marketintel sends accounts of the enterprise plan on Mondays what became known about the market in the week before:
// new advisers, the largest changes of assets, new funds and closings. Everything is counted by when it became known here, so a
// filing that is loaded late is in the mail of its week of loading.
package marketintel

import (
	"fmt"
	"strings"
	"time"

	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// Job makes the mails of a week.
const Job = "notifications.market_intel"

const (
	most  = 10 // rows of a table; the rest is counted
	batch = 200
	// recent is how long before the week something may have been filed and still count as new.
	recent = 92 * 24 * time.Hour

	timeout = time.Hour
	retries = 5
)

// sources is the mail's text about the source of its tables.
const sources = "Form ADV, Form ADV-W and lists of advisers and funds as published by the SEC, by the day on which GP Atlas loaded them. " +
	"What was filed more than three months before the week is left out of new advisers, new funds and closings."

// week is the last seven days from Monday to Sunday (New York) before a day.
type week struct{ from, until time.Time }

func weekBefore(day time.Time) week {
	back := (int(day.Weekday()) + 6) % 7 // days since Monday
	until := time.Date(day.Year(), day.Month(), day.Day()-back, 0, 0, 0, 0, jobs.Eastern)
	return week{until.AddDate(0, 0, -7), until}
}

// name is the week's name in keys of mails: its Monday.
func (w week) name() string { return w.from.Format(time.DateOnly) }

// days are the first and the last day of the week.
func (w week) days() (first, last time.Time) {
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return day(w.from), day(w.until.AddDate(0, 0, -1))
}

// report is the contents of a mail, as the queue stores it.
type report struct {
	From          time.Time `json:"from"`
	Until         time.Time `json:"until"`
	Registrations list      `json:"registrations"`
	Changes       list      `json:"changes"`
	Launches      list      `json:"launches"`
	Closings      list      `json:"closings"`
}

// empty is true for a week without news, and for the first week of a service: there is nothing to compare with.
func (r report) empty() bool {
	return r.Registrations.Total+r.Changes.Total+r.Launches.Total+r.Closings.Total == 0
}

// list is the first rows of a table.
type list struct {
	Rows  []row `json:"rows"`
	Total int   `json:"total"`
}

// row is a row of any of the tables.
type row struct {
	CRD    string    `json:"crd"`
	Name   string    `json:"name"`
	Path   string    `json:"path"`
	Word   string    `json:"word"`   // place, strategy or kind
	Amount int64     `json:"amount"` // USD; -1: not known
	Before int64     `json:"before"` // USD, of changes
	Day    time.Time `json:"day"`
	Total  int64     `json:"-"`
}

// content is the mail. page returns the URL of a path.
func (r report) content(fullName, unsubscribe string, page func(path string) string) email.MarketIntel {
	table := func(heading, note string, l list, columns []string, cells func(row) []string) email.Table {
		t := email.Table{Heading: heading, Note: note, Columns: columns, More: l.Total - len(l.Rows)}
		for _, r := range l.Rows {
			name := r.Name
			if name == "" { // the catalog no longer lists the GP
				name = "CRD " + r.CRD
			}
			t.Rows = append(t.Rows, email.Row{Name: name, URL: page(r.Path), Cells: cells(r)})
		}
		return t
	}
	placed := func(r row) []string { return []string{known(r.Word), money(r.Amount)} }
	return email.MarketIntel{
		FullName: fullName, From: r.From, Until: r.Until, Summary: r.summary(), Sources: sources, UnsubscribeURL: unsubscribe,
		Tables: []email.Table{
			table("New advisers", "Advisers whose first filing became known.", r.Registrations, []string{"Adviser", "Place", "Assets"}, placed),
			table("Largest changes of assets", "Regulatory assets under management, compared with the filing before.", r.Changes,
				[]string{"Adviser", "Assets", "Change"}, func(r row) []string {
					return []string{money(r.Before) + " to " + money(r.Amount), change(r.Before, r.Amount)}
				}),
			table("New funds", "Funds that a filing reported for the first time.", r.Launches, []string{"Fund", "Strategy", "Assets"}, placed),
			table("Closings", "Funds that are no longer reported, and advisers that have withdrawn.", r.Closings, []string{"Name", "Kind", "Assets"}, placed),
		},
	}
}

// summary returns how much there is: "2 new advisers, 1 change of assets, no new funds and no closings".
func (r report) summary() string {
	parts := make([]string, 0, 4)
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{r.Registrations.Total, "new adviser", "new advisers"},
		{r.Changes.Total, "change of assets", "changes of assets"},
		{r.Launches.Total, "new fund", "new funds"},
		{r.Closings.Total, "closing", "closings"},
	} {
		switch p.n {
		case 0:
			parts = append(parts, "no "+p.many)
		case 1:
			parts = append(parts, "1 "+p.one)
		default:
			parts = append(parts, email.Thousands(p.n)+" "+p.many)
		}
	}
	return strings.Join(parts[:3], ", ") + " and " + parts[3]
}

func known(word string) string {
	if word == "" {
		return "unknown"
	}
	return word
}

// money writes an amount in USD: "$1.2B"; "unknown" for none.
func money(n int64) string {
	if n < 0 {
		return "unknown"
	}
	for _, unit := range []struct {
		size int64
		name string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}} {
		if n >= unit.size-unit.size/20_000 { // rounds up to 1.0 of the unit
			return fmt.Sprintf("$%.1f%s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return fmt.Sprintf("$%d", n)
}

// change formats the change of an amount: "+141.7%", "-12.5%". Large ones are multiples: "x25".
func change(before, after int64) string {
	const multiple = 10
	if before <= 0 {
		return "new"
	}
	if after/multiple >= before {
		return fmt.Sprintf("x%.0f", float64(after)/float64(before))
	}
	return fmt.Sprintf("%+.1f%%", 100*(float64(after)-float64(before))/float64(before))
}
