package identity

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Spell is the time during which the filings of one adviser name a person with the same title. The exact end of a title between
// two filings is unknown.
type Spell struct {
	PersonUID   string
	CRD, Firm   string
	Title       string     // as filed; several are joined by "; "
	AcquiredOn  *time.Time // first of the earliest month stated; nil: none is stated
	YearOnly    bool       // no month is stated
	FirstFiled  time.Time  // first and last filing that states it
	LastFiled   time.Time
	EndedBefore *time.Time // first later filing that does not state it, else the day on which the adviser became a former one; nil: there is none
	Current     bool
	Source      string // schedules or form_d
	Former
}

// Former is since when an adviser is a former one. Both are nil for a current one.
type Former struct{ WithdrawnOn, NotListedSince *time.Time }

// Careers returns what filings state about some people over the years, by uid, the earliest first. Former uids are not
// resolved.
func (s *Service) Careers(ctx context.Context, uids []string) (map[string][]Spell, error) {
	posts, err := s.store.careerPosts(ctx, uids)
	if err != nil || len(posts) == 0 {
		return map[string][]Spell{}, err
	}
	wanted := make(map[string]map[string]*careerPost, len(posts)) // by CRD, then uid of the first sighting
	var crds []string
	for i := range posts {
		p := &posts[i]
		if wanted[p.CRD] == nil {
			wanted[p.CRD] = map[string]*careerPost{}
			crds = append(crds, p.CRD)
		}
		wanted[p.CRD][p.SightUID] = p
	}
	slices.Sort(crds)
	careers := map[string][]Spell{}
	err = s.each(ctx, crds, func(crd string, owners []ownerRow, notices []noticeRow) error {
		r := newReading(crd, owners, notices)
		people, rows := r.grouped()
		for _, c := range people {
			if p := wanted[crd][r.post(c, rows[c]).SightUID]; p != nil {
				careers[p.PersonUID] = append(careers[p.PersonUID], r.spells(rows[c], p)...)
				delete(wanted[crd], p.SightUID)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Filings loaded since the last resolution may distinguish people in another way. Then the stored post decides.
	for _, crd := range crds {
		for _, p := range wanted[crd] {
			careers[p.PersonUID] = append(careers[p.PersonUID], p.spell())
		}
	}
	for _, list := range careers {
		slices.SortFunc(list, func(a, b Spell) int {
			return cmp.Or(a.since().Compare(b.since()), a.FirstFiled.Compare(b.FirstFiled), strings.Compare(a.CRD, b.CRD), strings.Compare(a.Title, b.Title))
		})
	}
	return careers, nil
}

// since is when the spell began, as far as known.
func (s *Spell) since() time.Time {
	if s.AcquiredOn != nil {
		return *s.AcquiredOn
	}
	return s.FirstFiled
}

// careerPost is a post of a person whose career is requested.
type careerPost struct {
	PersonUID, CRD, SightUID, Firm, Title, Source        string
	AcquiredOn, EndedBefore, WithdrawnOn, NotListedSince *time.Time
	NamedFrom, NamedUntil                                time.Time
	AcquiredYearOnly, Current                            bool
}

func (p *careerPost) former() Former { return Former{p.WithdrawnOn, p.NotListedSince} }

func (p *careerPost) spell() Spell {
	return Spell{
		PersonUID: p.PersonUID, CRD: p.CRD, Firm: p.Firm, Title: p.Title, AcquiredOn: p.AcquiredOn, YearOnly: p.AcquiredYearOnly, FirstFiled: p.NamedFrom, LastFiled: p.NamedUntil,
		EndedBefore: p.EndedBefore, Current: p.Current, Source: p.Source, Former: p.former(),
	}
}

// spells starts a new spell wherever the title changes or a filing with a Schedule A omits the person. Form D notices count
// only for people that are in no schedule, and never count as an omission.
func (r *reading) spells(rows []*row, p *careerPost) []Spell {
	notices := r.events[r.lastNaming(rows)].notice
	said := map[int]*post{} // posts by event
	for _, x := range rows {
		if r.events[x.event].notice != notices {
			continue
		}
		if said[x.event] == nil {
			said[x.event] = &post{}
		}
		said[x.event].addTitle(x)
	}
	var list []Spell
	open := false // the last of the list continues
	for i, e := range r.events {
		now := said[i]
		if e.notice != notices || now == nil && notices {
			continue
		}
		var last *Spell
		if open {
			last = &list[len(list)-1]
		}
		goesOn := last != nil && now != nil && last.Title == catalogapi.TextOf(now.Title)
		if last != nil && !goesOn {
			on := e.on
			last.EndedBefore = &on
		}
		switch {
		case now == nil:
			open = false
		case goesOn:
			last.LastFiled = e.on
			if now.AcquiredOn != nil && (last.AcquiredOn == nil || now.acquired().before(acquisition{*last.AcquiredOn, last.YearOnly})) {
				last.AcquiredOn, last.YearOnly = now.AcquiredOn, now.AcquiredYearOnly
			}
		default:
			next := Spell{
				PersonUID: p.PersonUID, CRD: p.CRD, Firm: p.Firm, Title: catalogapi.TextOf(now.Title), AcquiredOn: now.AcquiredOn, YearOnly: now.AcquiredYearOnly, FirstFiled: e.on, LastFiled: e.on,
				Source: sourceSchedules, Former: p.former(),
			}
			if notices {
				next.Source = sourceFormD
			}
			list, open = append(list, next), true
		}
	}
	if open {
		list[len(list)-1].Current, list[len(list)-1].EndedBefore = p.Current, p.EndedBefore
	}
	return list
}
