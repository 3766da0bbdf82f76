package identity

import (
	"context"

	"gpatlas/modules/people/internal/name"
)

// Sightings are the people in the filings of one manager. Suppressed people are among them: only a sighting with a post may be shown.
type Sightings struct {
	reading *reading
	uids    map[*mention]string // of the post that people.posts has of the mention, unless it is suppressed
}

// Sightings reads the filings of a manager.
func (s *Service) Sightings(ctx context.Context, crd string) (*Sightings, error) {
	x := &Sightings{uids: map[*mention]string{}}
	err := s.each(ctx, []string{crd}, func(crd string, owners []ownerRow, notices []noticeRow) error {
		x.reading = newReading(crd, owners, notices)
		people, _ := x.reading.grouped()
		for _, c := range people {
			uid := x.reading.uid(c.sighting())
			for _, m := range c.mentions {
				x.uids[m] = uid
			}
		}
		return nil
	})
	return x, err
}

// Of returns the sight UID of the person in a row of the schedules; empty if the row is no person's.
func (x *Sightings) Of(filed, number string) (sight string) {
	if x.reading == nil {
		return ""
	}
	return x.uids[x.reading.mentions[mentionID(name.Parse(filed).Key(), personNumber(number, x.reading.crd))]]
}

// In returns the sight UIDs of the people whose first and last names a text has, and of all whose last names it has.
func (x *Sightings) In(text string) (named, akin map[string]bool) {
	named, akin = map[string]bool{}, map[string]bool{}
	for m, uid := range x.uids {
		whole, last := m.key.In(text)
		if whole {
			named[uid] = true
		}
		if last {
			akin[uid] = true
		}
	}
	return named, akin
}
