package email

import (
	"strconv"
	"strings"
	"time"
)

// Mails that people can stop. UnsubscribeURL is the page where they do, for this category; it is optional so that a mail can be
// looked at before it has an address.
//
// Spec: not shown; the contents of mails are ours.

// ActivityDigest tells what has become known of the GPs on a watchlist.
type ActivityDigest struct {
	FullName string    `mail:"optional"`
	Since    time.Time // everything became known after this
	Filings  int       `mail:"optional"` // of all GPs, also of those that are not named
	Funds    int       `mail:"optional"`
	GPs      []DigestGP
	MoreGPs  int `mail:"optional"` // GPs with news that are not named

	UnsubscribeURL string `mail:"optional"`
}

// DigestGP is the news about one GP, the newest first.
type DigestGP struct {
	Name string
	CRD  string
	URL  string
	News []DigestNews
	More int `mail:"optional"` // news that are not listed
}

// DigestNews is one filing or fund.
type DigestNews struct {
	What string    // "Form ADV amendment", "New fund: Harbor Ridge Growth Fund III, L.P."
	Day  time.Time // of the filing
}

// Content is the mail.
func (m ActivityDigest) Content() (Content, error) { return ready("activity_digest", m) }

// Sum counts the news: "4 new filings and 1 new fund".
func (m ActivityDigest) Sum() string {
	var parts []string
	if m.Filings > 0 {
		parts = append(parts, Count(m.Filings, "new filing"))
	}
	if m.Funds > 0 {
		parts = append(parts, Count(m.Funds, "new fund"))
	}
	return strings.Join(parts, " and ")
}

// Names are the first GPs, for the line that mail programs show beside the subject.
func (m ActivityDigest) Names() string {
	const shown = 3
	var names []string
	for i := range min(len(m.GPs), shown) {
		names = append(names, m.GPs[i].Name)
	}
	if left := len(m.GPs) + m.MoreGPs - len(names); left > 0 {
		names = append(names, Thousands(left)+" more")
	}
	return strings.Join(names, ", ")
}

// MarketIntel tells what has become known of the market in a week, as tables.
type MarketIntel struct {
	FullName string    `mail:"optional"`
	From     time.Time // first day of the week
	Until    time.Time // its last day
	Summary  string    // "12 new registrations, 3 fund launches"
	Tables   []Table
	Sources  string // what the tables rest on

	UnsubscribeURL string `mail:"optional"`
}

// Table is a list with a heading. Without rows it says so.
type Table struct {
	Heading string
	Note    string   // what is listed
	Columns []string // the first one is of names
	Rows    []Row    `mail:"optional"`
	More    int      `mail:"optional"` // rows that are not listed
}

// Row is a row of a table.
type Row struct {
	Name  string
	URL   string
	Cells []string // of the columns after the first
}

// Content is the mail.
func (m MarketIntel) Content() (Content, error) { return ready("market_intel", m) }

// NotificationTest is what people send themselves to see whether mails reach them.
type NotificationTest struct {
	FullName string `mail:"optional"`
	Category string // "activity_digest"
	SentAt   time.Time
	URL      string // of the page of the account

	UnsubscribeURL string `mail:"optional"`
}

// Content is the mail.
func (m NotificationTest) Content() (Content, error) { return ready("notification_test", m) }

// Count says how many: "1 new filing", "1,250 new filings".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(n) + " " + noun + "s"
}

// Thousands writes a number with commas: "12,500".
func Thousands(n int) string {
	text := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(text) - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
