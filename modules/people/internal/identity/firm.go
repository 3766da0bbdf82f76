package identity

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/name"
)

// freshness is how much older than the adviser's newest filing a Form D notice may be for its people to count as the team.
// Notices are filed once an offering or once a year, and never state that a person has left.
const freshness = 2 * 366 * 24 * time.Hour

// event is one filing that names people: one with a Schedule A, or a notice of Form D.
type event struct {
	accession string
	on        time.Time
	notice    bool
}

// row is one row that names a person in an event.
type row struct {
	event       int
	mention     *mention
	filed       name.Name
	title       string
	acquired    acquisition
	city, state string
}

// reading is the filings of one adviser while they are read.
type reading struct {
	crd      string
	events   []event
	rows     []row
	mentions map[string]*mention
}

// readFirm derives the posts of one adviser, and the posts that match suppressions. owners are in the order of filings, only of
// filings with a Schedule A; notices are in theirs.
func readFirm(crd string, owners []ownerRow, notices []noticeRow, o *objections) (posts []post, hits []hit, f firm) {
	r := newReading(crd, owners, notices)
	posts, hits = r.posts(o)
	return posts, hits, r.firm()
}

func newReading(crd string, owners []ownerRow, notices []noticeRow) *reading {
	r := &reading{crd: crd, mentions: map[string]*mention{}}
	r.date(owners, notices)
	at := make(map[string]int, len(r.events))
	for i, e := range r.events {
		at[e.accession] = i
	}
	for i := range owners {
		o := &owners[i]
		if catalogapi.MarksPerson(o.EntityType) && !name.IsEntity(o.Name) {
			r.add(at[o.Accession], name.Parse(o.Name), personNumber(o.OwnerID, crd), o.Title, acquired(o), "", "")
		}
	}
	for i := range notices {
		n := &notices[i]
		if !name.IsEntity(n.FirstName + " " + n.LastName) {
			r.add(at[n.Accession], name.Of(n.FirstName, n.MiddleName, n.LastName), "", noticeTitle(n), acquisition{}, n.City, n.State)
		}
	}
	return r
}

// date puts all events in order: by day, filings before notices, then as they were read.
func (r *reading) date(owners []ownerRow, notices []noticeRow) {
	for i := range owners {
		if o := &owners[i]; i == 0 || o.Accession != owners[i-1].Accession {
			r.events = append(r.events, event{accession: o.Accession, on: o.FilingDate})
		}
	}
	for i := range notices {
		if n := &notices[i]; i == 0 || n.Accession != notices[i-1].Accession {
			r.events = append(r.events, event{accession: n.Accession, on: n.FilingDate, notice: true})
		}
	}
	slices.SortStableFunc(r.events, func(a, b event) int { return a.on.Compare(b.on) })
}

func (r *reading) add(event int, filed name.Name, number, title string, acquired acquisition, city, state string) {
	key := filed.Key()
	if key.Last == "" {
		return
	}
	id := mentionID(key, number)
	m := r.mentions[id]
	if m == nil {
		m = &mention{key: key, number: number, first: event, in: map[int]bool{}}
		r.mentions[id] = m
	}
	if w := filed.Words(); !slices.Contains(m.words, w) {
		m.words = append(m.words, w)
	}
	if event < m.first {
		m.first = event
	}
	m.in[event] = true
	r.rows = append(r.rows, row{event, m, filed, title, acquired, city, state})
}

func mentionID(key name.Key, number string) string { return key.String() + "#" + number }

// firm returns which filings exist.
func (r *reading) firm() firm {
	f := firm{CRD: r.crd}
	for _, e := range r.events {
		on := e.on
		if e.notice {
			f.Notices++
			f.NoticesUntil = &on
			continue
		}
		f.Schedules++
		f.SchedulesUntil = &on
		if f.SchedulesFrom == nil {
			f.SchedulesFrom = &on
		}
	}
	return f
}

// grouped distinguishes the people, and returns the rows that name each.
func (r *reading) grouped() ([]*cluster, map[*cluster][]*row) {
	all := make([]*mention, 0, len(r.mentions))
	for _, m := range r.mentions {
		all = append(all, m)
	}
	people := clusters(all)
	of := make(map[*mention]*cluster, len(all))
	for _, c := range people {
		for _, m := range c.mentions {
			of[m] = c
		}
	}
	rows := make(map[*cluster][]*row, len(people))
	for i := range r.rows {
		c := of[r.rows[i].mention]
		rows[c] = append(rows[c], &r.rows[i])
	}
	return people, rows
}

// posts returns the posts of all people, in order of first sighting.
func (r *reading) posts(o *objections) (list []post, hits []hit) {
	people, rows := r.grouped()
	list = make([]post, 0, len(people))
	for _, c := range people {
		p := r.post(c, rows[c])
		hits = append(hits, o.hits(&p, c)...)
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b post) int {
		return cmp.Or(a.NamedFrom.Compare(b.NamedFrom), cmp.Compare(a.SightUID, b.SightUID))
	})
	return list, hits
}

// post is what the filings state about one person.
func (r *reading) post(c *cluster, rows []*row) post {
	last := r.lastNaming(rows)
	sighted, spelled := c.sighting(), r.spelled(rows, r.events[last].notice)
	p := post{
		CRD: r.crd, SightUID: r.uid(sighted), LastKey: spelled.mention.key.Last, FirstKey: name.Formal(spelled.mention.key.First), FullName: spelled.filed.Full(),
		NamedFrom: r.events[sighted.first].on, SightedIn: r.events[sighted.first].accession,
	}
	p.PersonUID, p.RuleUID = p.SightUID, p.SightUID
	if c.number != "" {
		p.Number = &c.number
	}
	for _, m := range c.mentions {
		if uid := r.uid(m); uid != p.SightUID {
			p.names = append(p.names, uid)
		}
	}
	p.NamedUntil = r.events[last].on
	p.Source = sourceSchedules
	if r.events[last].notice {
		p.Source = sourceFormD
	}
	p.Standing, p.LeftBefore = r.standing(last)
	for _, x := range rows {
		if x.event == last {
			p.addTitle(x)
		}
	}
	joined := r.joined(rows)
	p.JoinedAfter, p.JoinedBefore, p.JoinedMonthly = joined.after, joined.before, joined.monthly
	return p
}

// spelled is the newest row with the person's name in filings of the kind that counts, so that the name is from the source that the
// post states. A spelling that has the words of the first one in another order is not taken: notices often swap first and last name.
func (r *reading) spelled(rows []*row, notice bool) *row {
	rows = slices.DeleteFunc(slices.Clone(rows), func(x *row) bool { return r.events[x.event].notice != notice })
	key := func(x *row) string { return x.mention.key.String() }
	first := slices.MinFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.event, b.event), cmp.Compare(key(a), key(b)))
	}).mention
	rows = slices.DeleteFunc(rows, func(x *row) bool { return x.mention.key.Last != first.key.Last && x.mention.reordered(first) })
	return slices.MaxFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.event, b.event), cmp.Compare(len(a.mention.key.Middle), len(b.mention.key.Middle)), cmp.Compare(key(a), key(b)))
	})
}

// uid is that of the person first sighted as a mention.
func (r *reading) uid(m *mention) string {
	if m.number != "" {
		return uidOf(numberKey(m.number, m.key))
	}
	return uidOf(firmKey(r.crd, m.key))
}

// lastNaming is the event that counts for a person: the last filing with a Schedule A, or the last notice if there is no such
// filing.
func (r *reading) lastNaming(rows []*row) int {
	last, notice := -1, -1
	for _, x := range rows {
		if r.events[x.event].notice {
			notice = max(notice, x.event)
		} else {
			last = max(last, x.event)
		}
	}
	if last < 0 {
		return notice
	}
	return last
}

// standing of a person last named by an event: if a later filing has a Schedule A, the person has left by that filing's day.
func (r *reading) standing(last int) (standing string, leftBefore *time.Time) {
	if r.events[last].notice {
		if r.events[len(r.events)-1].on.Sub(r.events[last].on) > freshness {
			return standingLapsed, nil
		}
		return standingTeam, nil
	}
	for _, e := range r.events[last+1:] {
		if !e.notice {
			on := e.on
			return standingAlumni, &on
		}
	}
	return standingTeam, nil
}

// addTitle adds one title of the person in the filing that counts.
func (p *post) addTitle(x *row) {
	if filed := strings.Join(strings.Fields(x.title), " "); filed != "" {
		switch {
		case p.Title == nil:
			p.Title = &filed
		case !slices.Contains(strings.Split(*p.Title, "; "), filed):
			joined := *p.Title + "; " + filed
			p.Title = &joined
		}
	}
	if a := x.acquired; !a.on.IsZero() && (p.AcquiredOn == nil || a.before(p.acquired())) {
		p.AcquiredOn, p.AcquiredYearOnly = &a.on, a.yearOnly
	}
	if x.city != "" || x.state != "" {
		p.City, p.State = catalogapi.Text(x.city), catalogapi.Text(x.state)
	}
}

// acquisition is when a title was acquired: the first of a month, or of a year if no month is stated.
type acquisition struct {
	on       time.Time
	yearOnly bool
}

// before reports whether it is earlier than another, or equal and more precise.
func (a acquisition) before(o acquisition) bool {
	return a.on.Before(o.on) || a.on.Equal(o.on) && !a.yearOnly && o.yearOnly
}

// acquired is that of a post that has one.
func (p *post) acquired() acquisition { return acquisition{*p.AcquiredOn, p.AcquiredYearOnly} }

// acquired is when a title was acquired; zero if it is not stated or lies after the filing.
func acquired(o *ownerRow) acquisition {
	if o.AcquiredYear == 0 {
		return acquisition{}
	}
	on := time.Date(int(o.AcquiredYear), time.Month(max(1, o.AcquiredMonth)), 1, 0, 0, 0, 0, time.UTC)
	if on.After(o.FilingDate) {
		return acquisition{}
	}
	return acquisition{on, o.AcquiredMonth == 0}
}

// noticeTitle is the person's title by a notice: in its own words, else by the boxes that it ticks.
func noticeTitle(n *noticeRow) string {
	if n.Clarification != "" && len(n.Clarification) <= 120 {
		return n.Clarification
	}
	return strings.Join(n.Relationships, ", ")
}
