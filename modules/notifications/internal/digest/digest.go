// Package digest sends accounts what has become known about the GPs that they watch: each day, or on Mondays. An account gets
// what became known since the last digest that was sent to it, so a filing that is loaded late is listed late and not lost.
// Without news there is no mail.
package digest

import (
	"fmt"
	"time"

	"gpatlas/templates/email"
)

// Job makes the digests of a day.
const Job = "notifications.daily_digest"

const (
	// firstReach is how far back the first digest of an account goes, but not before the GP was watched.
	firstReach = 7 * 24 * time.Hour
	// reach is how far back any digest goes, for accounts whose digests could not be sent for long.
	reach = 31 * 24 * time.Hour

	// The maximum that a digest lists; the rest is counted. Mail programs cut long mails.
	mostGPs  = 30
	mostNews = 5

	batch   = 100 // accounts per transaction
	timeout = 2 * time.Hour
	retries = 5
)

// data are the contents of a digest, as the queue stores them.
type data struct {
	Since   time.Time `json:"since"`
	Filings int       `json:"filings"`
	Funds   int       `json:"funds"`
	GPs     []gp      `json:"gps"`
	MoreGPs int       `json:"more_gps"`
}

type gp struct {
	CRD  string `json:"crd"`
	Name string `json:"name"`
	News []news `json:"news"`
	More int    `json:"more"`
}

type news struct {
	Fund bool      `json:"fund"`
	What string    `json:"what"` // the form, or the fund's name
	Day  time.Time `json:"day"`
}

// forms are the names of forms in sentences.
var forms = map[string]string{
	"ADV": "Form ADV", "ADV/A": "Form ADV amendment", "D": "Form D", "D/A": "Form D amendment",
}

func (n news) sentence() string {
	if n.Fund {
		return "New fund: " + n.What
	}
	if name := forms[n.What]; name != "" {
		return name
	}
	return "Form " + n.What
}

// content is the mail. page returns the URL of a path.
func (d data) content(fullName, unsubscribe string, page func(path string) string) email.ActivityDigest {
	m := email.ActivityDigest{
		FullName: fullName, Since: d.Since, Filings: d.Filings, Funds: d.Funds, MoreGPs: d.MoreGPs, UnsubscribeURL: unsubscribe,
	}
	for _, g := range d.GPs {
		section := email.DigestGP{Name: g.Name, CRD: g.CRD, URL: page("/gps/" + g.CRD), More: g.More}
		for _, n := range g.News {
			section.News = append(section.News, email.DigestNews{What: n.sentence(), Day: n.Day})
		}
		m.GPs = append(m.GPs, section)
	}
	return m
}

// add lists the news of a GP; GPs come in the order of the mail.
func (d *data) add(t section) {
	name := t.of.name
	if name == "" { // the catalog no longer lists the GP
		name = "CRD " + t.crd
	}
	listed := t.of.newest[:min(int(t.events), len(t.of.newest))]
	d.GPs = append(d.GPs, gp{CRD: t.crd, Name: name, News: listed, More: int(t.events) - len(listed)})
}

// key is the natural key of an account's digest of a day.
func key(userID int64, day string) string { return fmt.Sprintf("activity_digest:%d:%s", userID, day) }
