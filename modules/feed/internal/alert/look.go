package alert

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/feed/internal/sending"
	"gpatlas/modules/feed/internal/signing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
)

const (
	// LookJob looks for news of loads.
	LookJob = "feed.look_for_news"
	// MailJob sends the news of a day.
	MailJob = "feed.mail_news"
	// MailKind is the kind of mails about news.
	MailKind = "search_alert"
	// insertBy is how many sets' matches are stored at once.
	insertBy = 1000
	// hookMatches and mailMatches are how many news of a search a message and a mail list.
	hookMatches, mailMatches = 20, 10
)

// Look compares the advisers that loads have changed since the last look, and stores the news. It queues the webhooks, and the mails of alerts
// that send one after each load. All of it is one transaction: if a look is stopped, the next one does the same again.
func (s *Service) Look(ctx context.Context) (struct{}, error) {
	if s.most != nil {
		plans, _ := json.Marshal(s.most) // a map of numbers cannot fail
		if _, err := database.Run(ctx, s.db, "pause alerts above a plan", loweredSQL, database.Args{"now": s.now(), "most": string(plans)}); err != nil {
			return struct{}{}, err
		}
	}
	var l *look
	return struct{}{}, s.differ.CompareGPs(ctx, func(ctx context.Context, of catalogapi.Compared, c catalogapi.GPComparison) (err error) {
		if l == nil {
			// The news of an edited search begin with this comparison. Earlier news of its new filters were found for other searches.
			if err = s.store.edited(ctx, "", of.Arrival-1); err != nil {
				return err
			}
			l = &look{Service: s, of: of, at: s.now(), rows: map[string]int{}, gps: map[string]matched{}}
			if l.sets, err = s.store.sets(ctx); err != nil {
				return err
			}
		}
		if err = l.compare(ctx, c); err != nil || !of.Last {
			return err
		}
		if err = l.post(ctx); err != nil {
			return err
		}
		return s.mail(ctx, strconv.FormatInt(of.Arrival, 10), mailEach)
	})
}

// look is one comparison.
type look struct {
	*Service

	of      catalogapi.Compared
	at      time.Time
	sets    []set
	rows    map[string]int // by hash: how many are stored
	pending []match
	gps     map[string]matched
}

// compare stores what has happened to some advisers, once for each set of filters.
func (l *look) compare(ctx context.Context, c catalogapi.GPComparison) error {
	for i := range l.sets {
		set := &l.sets[i]
		var filters map[string]any
		if err := json.Unmarshal([]byte(set.Filters), &filters); err != nil {
			return fmt.Errorf("read watched filters: %w", err)
		}
		list, err := c.News(filters)
		if err != nil {
			if err := l.invalid(ctx, set.Hash, err); err != nil {
				return err
			}
			continue
		}
		l.take(set, list)
		if len(l.pending) >= insertBy {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
	}
	if err := l.flush(ctx); err != nil || len(l.gps) == 0 {
		return err
	}
	err := l.store.add(ctx, matchedSQL, slices.Collect(maps.Values(l.gps)), l.of.Arrival, l.of.KnownAt, l.at)
	clear(l.gps) // others come with the next advisers
	return err
}

// take notes the news of a set, as many as are kept.
func (l *look) take(set *set, list []catalogapi.GPNews) {
	if !set.Changed {
		list = slices.DeleteFunc(list, func(n catalogapi.GPNews) bool { return n.What == catalogapi.NewsChanged })
	}
	if len(list) == 0 {
		return
	}
	m := match{Hash: set.Hash, Truncated: l.rows[set.Hash]+len(list) > rowsMost}
	list = list[:min(len(list), rowsMost-l.rows[set.Hash])]
	l.rows[set.Hash] += len(list)
	for i := range list {
		n := &list[i]
		to := &m.Changed
		switch n.What {
		case catalogapi.NewsEntered:
			to = &m.Entered
		case catalogapi.NewsLeft:
			to = &m.Gone
		}
		*to = append(*to, n.CRD)
		if g, known := l.gps[n.CRD]; !known || len(g.Fields) < len(n.Fields) {
			l.gps[n.CRD] = matched{n.CRD, n.Name, n.Fields}
		}
	}
	l.pending = append(l.pending, m)
}

func (l *look) flush(ctx context.Context) error {
	if len(l.pending) == 0 {
		return nil
	}
	err := l.store.add(ctx, matchesSQL, l.pending, l.of.Arrival, l.of.KnownAt, l.at)
	l.pending = l.pending[:0]
	return err
}

// invalid pauses the alerts whose filters are no longer valid, and queues one mail to the owner of each.
func (l *look) invalid(ctx context.Context, hash string, fault error) error {
	e := apperr.From(fault)
	if e.Kind != apperr.KindInvalid {
		return fault
	}
	list, err := l.store.invalid(ctx, hash, e.Message, l.at)
	if err != nil {
		return err
	}
	for _, p := range list {
		if err := mail.Notify(ctx, l.queue, mail.Notification{
			Kind: MailKind, UserID: p.UserID, Key: fmt.Sprintf("%s:paused:%s:%s", MailKind, p.SearchID, l.at.Format(time.RFC3339)),
			Data: Letter{Searches: []Section{{SearchID: p.SearchID, Name: p.Name, Fault: e.Message}}},
		}); err != nil {
			return err
		}
	}
	return nil
}

// post queues a message search_match for each alert with webhooks and news of this load.
func (l *look) post(ctx context.Context) error {
	return l.store.each(ctx, whose{hooks: true, arrival: l.of.Arrival, most: hookMatches}, func(_ []int64, list []told) error {
		var endpoints, ids, bodies []string
		var owners, events []int64
		for of := range chunks(list) {
			body, err := l.body(of)
			if err != nil {
				return err
			}
			for _, endpoint := range of[0].Webhooks {
				endpoints, owners, events = append(endpoints, endpoint), append(owners, of[0].UserID), append(events, of[0].Total)
				ids, bodies = append(ids, signing.MessageID(endpoint, l.of.Arrival, sending.Match+" "+of[0].SearchID)), append(bodies, string(body))
			}
		}
		_, err := database.Run(ctx, l.db, "queue messages of alerts", messagesSQL, database.Args{
			"endpoints": endpoints, "owners": owners, "ids": ids, "events": events, "bodies": bodies, "arrival": l.of.Arrival, "kind": sending.Match, "now": l.at,
		})
		return err
	})
}

// body is the body of a message, with as many of the news as it has room for.
func (l *look) body(of []told) ([]byte, error) {
	m := sending.Matches{
		SearchID: of[0].SearchID, SearchName: of[0].Name, KnownAt: of[0].KnownAt.UTC(), Count: of[0].Total, Truncated: of[0].Truncated,
		News: "/v1/me/searches/" + of[0].SearchID + "/news?cursor=" + cursor{l.of.Arrival - 1, lastCRD}.String(),
	}
	for _, n := range of {
		m.Matches = append(m.Matches, sending.MatchedGP{CRD: n.CRD, GPName: n.GPName, What: n.What, ChangedFields: n.Fields})
	}
	for {
		body, err := httpapi.Marshal(sending.Body{Type: sending.Match, Timestamp: l.at, Data: m})
		if err != nil || len(body) <= sending.BodyMax || len(m.Matches) == 0 {
			return body, err
		}
		m.Matches = m.Matches[:len(m.Matches)-1]
	}
}

// lastCRD is behind every CRD number.
const lastCRD = "9999999999"

// Letter is the data of a mail about news.
type Letter struct {
	Searches []Section `json:"searches"`
}

// Section is the news of a search, or why its alert was paused.
type Section struct {
	SearchID string `json:"search_id"`
	Name     string `json:"name"`
	Total    int64  `json:"total"`
	GPs      []GP   `json:"gps"`
	Fault    string `json:"fault,omitempty"`
}

// GP is one of the news.
type GP struct {
	CRD    string   `json:"crd"`
	Name   string   `json:"name"`
	What   string   `json:"what"`
	Fields []string `json:"fields,omitempty"`
}

// mail queues one mail with the news since the last one for each account that has some. run names the run: a second one in the transaction of another is
// the same mail.
func (s *Service) mail(ctx context.Context, run string, modes ...string) error {
	return s.store.each(ctx, whose{modes: modes, most: mailMatches}, func(users []int64, list []told) error {
		for len(list) > 0 {
			user, letter := list[0].UserID, Letter{}
			n := slices.IndexFunc(list, func(t told) bool { return t.UserID != user })
			if n < 0 {
				n = len(list)
			}
			for of := range chunks(list[:n]) {
				section := Section{SearchID: of[0].SearchID, Name: of[0].Name, Total: of[0].Total}
				for _, t := range of {
					section.GPs = append(section.GPs, GP{t.CRD, t.GPName, t.What, t.Fields})
				}
				letter.Searches = append(letter.Searches, section)
			}
			list = list[n:]
			if err := mail.Notify(ctx, s.queue, mail.Notification{
				Kind: MailKind, UserID: user, Key: fmt.Sprintf("%s:%d:%s:%s", MailKind, user, modes[0], run), Data: letter,
			}); err != nil {
				return err
			}
		}
		return s.store.mailed(ctx, users, modes)
	})
}

// Mail queues the daily mails of a day, "2026-11-23", on Mondays the weekly ones too, and removes what is no longer needed. It may run twice.
func (s *Service) Mail(ctx context.Context, day string) (struct{}, error) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return struct{}{}, jobs.Never(fmt.Errorf("%s: %q is not a day", MailJob, day))
	}
	modes := []string{mailDaily}
	if date.Weekday() == time.Monday {
		modes = append(modes, mailWeekly)
	}
	return struct{}{}, s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.mail(ctx, day, modes...); err != nil {
			return err
		}
		if _, err := database.Run(ctx, s.db, "remove alerts without a search", orphanSQL, nil); err != nil {
			return err
		}
		_, err := database.Run(ctx, s.db, "remove old news", agedSQL, database.Args{"before": s.now().Add(-keep)})
		return err
	})
}

// chunks are the news of each alert.
func chunks(list []told) iter.Seq[[]told] {
	return func(yield func([]told) bool) {
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].SearchID == list[0].SearchID {
				n++
			}
			if !yield(list[:n]) {
				return
			}
			list = list[n:]
		}
	}
}
