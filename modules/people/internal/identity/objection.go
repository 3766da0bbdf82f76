package identity

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/name"
)

// place is the key of a post: an adviser, and the UID of the sighting.
type place struct{ crd, sight string }

// anchor is one post that an override suppresses, by the hashes of its names and numbers. For old ones the adviser is not
// known.
type anchor struct {
	person, of, crd, rule string
	override              int64
}

// objections are the suppressions in force, by hash.
type objections struct {
	list []*anchor
	by   map[string][]*anchor
	at   map[string]bool // advisers that have hashes
	any  bool            // there are old ones, for any adviser
}

func newObjections(list []suppression) *objections {
	o := &objections{by: map[string][]*anchor{}, at: map[string]bool{}}
	known := map[anchor]*anchor{}
	for i := range list {
		x := &list[i]
		k := anchor{x.PersonUID, x.OfUID, catalogapi.TextOf(x.CRD), catalogapi.TextOf(x.RuleUID), x.OverrideID}
		a := known[k]
		if a == nil {
			a = &k
			known[k], o.list = a, append(o.list, a)
		}
		o.by[x.KeyHash] = append(o.by[x.KeyHash], a)
		o.at[a.crd] = true
		o.any = o.any || a.crd == ""
	}
	return o
}

// hit is a post that has a name or number of an anchor.
type hit struct {
	place
	to       *anchor
	named    bool // the name at the adviser
	numbered bool // the number at the adviser
	alone    bool // the number, at any adviser
	same     bool // it is the sighting of the anchor
	number   bool // the post has a number
}

// hits returns the anchors that a post matches, in any of its spellings.
func (o *objections) hits(p *post, c *cluster) []hit {
	if len(o.list) == 0 {
		return nil
	}
	var order []*anchor
	found := map[*anchor]*hit{}
	add := func(hash string, mark func(h *hit)) {
		for _, a := range o.by[hash] {
			h := found[a]
			if h == nil {
				h = &hit{place: place{p.CRD, p.SightUID}, to: a, same: a.crd == p.CRD && a.rule == p.SightUID, number: c.number != ""}
				found[a], order = h, append(order, a)
			}
			mark(h)
		}
	}
	if o.any || o.at[p.CRD] {
		for _, m := range c.mentions {
			add(nameHash(p.CRD, m.key.Last, name.Formal(m.key.First)), func(h *hit) { h.named = true })
		}
		if c.number != "" {
			add(firmNumberHash(p.CRD, c.number), func(h *hit) { h.numbered = true })
		}
	}
	if c.number != "" {
		add(numberHash(c.number), func(h *hit) { h.alone = true })
	}
	list := make([]hit, len(order))
	for i, a := range order {
		list[i] = *found[a]
	}
	return list
}

// fit is higher the more likely the post is of the person who objected: a namesake has the name, but neither the number nor the sighting.
func (h *hit) fit() int {
	switch {
	case h.numbered:
		return 4
	case h.same:
		return 3
	case h.named && !h.number:
		return 2
	case h.named:
		return 1
	}
	return 0
}

// objectors returns the posts of people who objected, and the anchors that no post matches or whose adviser is not known. If one anchor
// matches several posts, those with the highest fit count.
func (o *objections) objectors(hits []hit) (posts map[place]bool, missing []*anchor) {
	type group struct {
		to  *anchor
		crd string
	}
	best := map[group]int{}
	found := map[*anchor]bool{}
	for i := range hits {
		h := &hits[i]
		if g := (group{h.to, h.crd}); h.fit() > best[g] {
			best[g], found[h.to] = h.fit(), true
		}
	}
	posts = map[place]bool{}
	for i := range hits {
		h := &hits[i]
		if fit := h.fit(); fit > 0 && fit == best[group{h.to, h.crd}] {
			posts[h.place] = true
		}
	}
	for _, a := range o.list {
		if !found[a] || a.crd == "" {
			missing = append(missing, a)
		}
	}
	return posts, missing
}
