package identity

import (
	"context"
	"slices"
	"time"
)

// The kinds of decisions.
const (
	merged = "merge"
	split  = "split"
)

// decision is a row of people.decisions: what an override decides about identities.
type decision struct {
	ID         int64     `gorm:"column:id;primaryKey;->"`
	Kind       string    `gorm:"column:kind"`
	UID        string    `gorm:"column:uid"` // the person who is merged or split
	CRD        *string   `gorm:"column:crd"` // of a split: the adviser at which it is another person
	ToUID      string    `gorm:"column:to_uid"`
	OverrideID int64     `gorm:"column:override_id"`
	CreatedAt  time.Time `gorm:"column:created_at"`
}

// TableName is the table with its schema.
func (decision) TableName() string { return "people.decisions" }

// sighted is a post as decisions see it.
type sighted struct {
	CRD, SightUID string
	RuleUID       string // of the person by the rules alone
	PersonUID     string // of the person at present
}

// ruling is the result of all decisions.
type ruling struct {
	people []string                // for each post, its person
	heads  map[string]string       // the person that a uid of the rules leads to
	of     func(uid string) string // the person that a uid leads to
}

// decide applies decisions to posts in order, on top of the rules. former leads from uids that the rules no longer use to those
// they use now.
func decide(list []decision, former map[string]string, posts []sighted) ruling {
	d := deciding{posts: posts, people: make([]string, len(posts)), leads: map[string]string{}, former: former, made: map[string]bool{}}
	for i := range posts {
		d.people[i] = posts[i].RuleUID
	}
	for i := range list {
		if x := &list[i]; x.Kind == merged {
			d.merge(x.UID, x.ToUID)
		} else {
			d.split(x.UID, *x.CRD, x.ToUID)
		}
	}
	return ruling{d.people, d.heads(), d.follow}
}

type deciding struct {
	posts  []sighted
	people []string
	leads  map[string]string // from a merged person to the one who has the posts
	former map[string]string
	made   map[string]bool // people created by a split
}

// follow returns the person that a uid leads to at this point.
func (d *deciding) follow(uid string) string {
	if _, led := d.leads[uid]; !led && !d.made[uid] && d.former[uid] != "" {
		uid = d.former[uid]
	}
	for to, led := d.leads[uid]; led; to, led = d.leads[uid] {
		uid = to
	}
	return uid
}

func (d *deciding) merge(uid, into string) {
	uid, into = d.follow(uid), d.follow(into)
	if uid == into {
		return
	}
	for i := range d.people {
		if d.people[i] == uid {
			d.people[i] = into
		}
	}
	for from, to := range d.leads {
		if to == uid {
			d.leads[from] = into
		}
	}
	d.leads[uid] = into
	delete(d.made, uid)
}

// split has no effect if the adviser does not name the person, because another decision was undone or a filing withdrawn.
func (d *deciding) split(uid, crd, to string) {
	uid = d.follow(uid)
	if uid == to {
		return
	}
	for i := range d.people {
		if d.people[i] == uid && d.posts[i].CRD == crd {
			d.people[i], d.made[to] = to, true
		}
	}
	if d.made[to] {
		delete(d.leads, to)
	}
}

// heads leads from each uid of the rules to the person: the one of that uid, else the one it was merged into, else the one who
// has its first post.
func (d *deciding) heads() map[string]string {
	heads := map[string]string{}
	for from := range d.leads {
		heads[from] = d.follow(from)
	}
	for i := range d.posts {
		rule := d.posts[i].RuleUID
		if _, led := heads[rule]; !led {
			heads[rule] = d.people[i]
		}
	}
	for i := range d.posts {
		if d.people[i] == d.posts[i].RuleUID {
			heads[d.people[i]] = d.people[i]
		}
	}
	return heads
}

// parted returns the people that a ruling divides, each with the resulting people, in the order of posts.
func (r ruling) parted(posts []sighted) map[string][]string {
	now := map[string][]string{}
	for i := range posts {
		if before := posts[i].PersonUID; !slices.Contains(now[before], r.people[i]) {
			now[before] = append(now[before], r.people[i])
		}
	}
	for before, people := range now {
		if len(people) == 1 {
			delete(now, before)
		}
	}
	return now
}

// decide adds a decision, and applies all of them.
func (s *Service) decide(ctx context.Context, d *decision) error {
	if err := s.store.add(ctx, d); err != nil {
		return err
	}
	return s.redecide(ctx, nil)
}

// redecide applies all decisions after some were removed, while suppressed people are revealed.
func (s *Service) redecide(ctx context.Context, removed []decision) error {
	list, err := s.store.decisions(ctx)
	if err != nil {
		return err
	}
	r, posts, err := s.store.rule(ctx, list, removed...)
	if err != nil {
		return err
	}
	for uid, people := range r.parted(posts) {
		if err := s.store.part(ctx, uid, people); err != nil {
			return err
		}
	}
	crds := make([]string, len(posts))
	for i := range posts {
		crds[i] = posts[i].CRD
	}
	if err := s.store.note(ctx, crds); err != nil {
		return err
	}
	return s.store.assign(ctx)
}
