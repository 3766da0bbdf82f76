package identity

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// uncovered is what is known of suppressions while nobody is hidden.
type uncovered struct {
	objections *objections
	hits       []hit
	crds       []string // advisers that were read
}

// uncover shows everybody until the transaction covers them again: whatever is decided meanwhile is decided as if nobody was suppressed,
// so a suppression never changes who is who. It reads anew some advisers and those at which somebody is hidden: of whom is hidden,
// hashes alone are kept.
func (s *Service) uncover(ctx context.Context, crds []string) (*uncovered, Result, error) {
	list, err := s.store.suppressions(ctx)
	if err != nil {
		return nil, Result{}, err
	}
	held, err := s.store.holds(ctx)
	if err != nil {
		return nil, Result{}, err
	}
	u := &uncovered{objections: newObjections(list), crds: slices.Clone(crds)}
	for i := range held {
		u.crds = append(u.crds, held[i].CRD)
	}
	for crd := range u.objections.at {
		if crd != "" {
			u.crds = append(u.crds, crd)
		}
	}
	slices.Sort(u.crds) // as the filings are read
	u.crds = slices.Compact(u.crds)
	if err := s.store.begin(ctx); err != nil || len(u.crds) == 0 {
		return u, Result{}, err
	}
	r := Result{Advisers: len(crds)}
	if len(held) > 0 {
		if err := s.store.steps(ctx, nil, []step{{"note who was hidden", noteHiddenSQL}, {"note numbers of the hidden", noteHiddenNumbersSQL}}); err != nil {
			return nil, r, err
		}
	}
	for some := range slices.Chunk(u.crds, chunk) {
		rows, posts, hits, err := s.read(ctx, some, u.objections)
		if err != nil {
			return nil, r, err
		}
		r.Rows, r.Posts, u.hits = r.Rows+rows, r.Posts+posts, append(u.hits, hits...)
	}
	return u, r, s.store.assign(ctx)
}

// cover removes whom the suppressions in force are about, from filings and decisions as they are now. It says whether anybody is hidden
// who was not before.
func (s *Service) cover(ctx context.Context, u *uncovered) (more bool, err error) {
	before, err := s.store.holds(ctx)
	if err != nil || len(before) == 0 && len(u.objections.list) == 0 {
		return false, err
	}
	list, err := s.hidden(ctx, u)
	if err != nil {
		return false, err
	}
	if err := s.store.hide(ctx, list); err != nil {
		return false, err
	}
	was := map[place]bool{}
	for i := range before {
		was[place{before[i].CRD, before[i].SightUID}] = true
	}
	var fresh []string
	for i := range list {
		if !was[place{list[i].CRD, list[i].SightUID}] {
			fresh = append(fresh, list[i].PersonUID)
		}
	}
	shown, err := s.store.shown(ctx, fresh)
	if err != nil {
		return false, err
	}
	slices.Sort(fresh)
	for _, uid := range slices.Compact(slices.Clone(fresh)) {
		if slices.Contains(shown, uid) {
			continue // a post of the person is left out as that of a namesake
		}
		// After the posts: an enrichment that is under way keeps nothing of whom nobody names.
		if err := s.store.forgetProfile(ctx, uid); err != nil {
			return false, err
		}
	}
	return len(fresh) > 0, nil
}

// hidden are the posts that suppressions keep out: all of the people who objected, as filings and decisions say today who they are, those
// of namesakes at the same adviser, and those that have a number of these people. Whom decisions tell apart from them is not.
func (s *Service) hidden(ctx context.Context, u *uncovered) ([]hold, error) {
	decisions, err := s.store.decisions(ctx)
	if err != nil {
		return nil, err
	}
	former, posts, err := s.store.decidedPosts(ctx, decisions)
	if err != nil {
		return nil, err
	}
	objectors, missing := u.objections.objectors(u.hits)
	seen := len(posts)
	for _, a := range missing {
		posts = append(posts, sighted{CRD: a.crd, RuleUID: cmp.Or(a.rule, a.person), PersonUID: a.person})
	}
	r := decide(decisions, former, posts)
	h := hiding{r: r, decisions: decisions, rules: map[string]bool{}, posts: map[place]placed{}}

	places := map[place]bool{}
	for i := range u.hits {
		places[u.hits[i].place] = true
	}
	found, err := s.store.at(ctx, slices.Collect(maps.Keys(places)))
	if err != nil {
		return nil, err
	}
	people := map[string]bool{}
	for _, uid := range r.people[seen:] {
		people[uid] = true
	}
	hitPosts := map[place]placed{}
	for _, p := range found {
		hitPosts[p.place()] = p
		if _, objected := objectors[p.place()]; objected {
			people[p.PersonUID] = true
		}
	}
	same, err := s.store.placed(ctx, slices.Collect(maps.Keys(people)), nil)
	if err != nil {
		return nil, err
	}
	owners := map[string][]string{} // of numbers
	for _, p := range same {
		h.posts[p.place()], h.rules[p.RuleUID] = p, true
		if p.Number != "" && r.of(p.RuleUID) == p.PersonUID {
			owners[p.Number] = append(owners[p.Number], p.PersonUID)
		}
	}
	for i := range u.hits {
		x := &u.hits[i]
		if p, there := hitPosts[x.place]; there && x.fit() > 0 {
			h.posts[x.place] = p
		} else if there && x.alone {
			h.byNumber(p, r.of(x.to.of))
		}
	}
	numbered, err := s.store.placed(ctx, nil, slices.Collect(maps.Keys(owners)))
	if err != nil {
		return nil, err
	}
	for _, p := range numbered {
		for _, owner := range owners[p.Number] {
			h.byNumber(p, owner)
		}
	}
	return h.holds(objectors), nil
}

// hiding collects the posts that are to be hidden.
type hiding struct {
	r         ruling
	decisions []decision
	rules     map[string]bool // people by the rules who are hidden, or parts of them
	posts     map[place]placed
}

// byNumber hides a post that has the number of somebody hidden, unless decisions tell the two apart.
func (h *hiding) byNumber(p placed, owner string) {
	if h.rules[p.RuleUID] { // one by the rules: decisions have said who is who
		return
	}
	for i := range h.decisions {
		if d := &h.decisions[i]; d.Kind == split && *d.CRD == p.CRD && h.r.of(d.UID) == owner && h.r.of(d.ToUID) != owner {
			return
		}
	}
	h.posts[p.place()] = p
}

func (h *hiding) holds(objectors map[place]bool) []hold {
	list := make([]hold, 0, len(h.posts))
	for at, p := range h.posts {
		list = append(list, hold{
			CRD: p.CRD, SightUID: p.SightUID, PersonUID: p.PersonUID, RuleUID: p.RuleUID, NameHash: nameHash(p.CRD, p.LastKey, p.FirstKey), Objected: objectors[at],
		})
	}
	slices.SortFunc(list, func(a, b hold) int { return cmp.Or(cmp.Compare(a.CRD, b.CRD), cmp.Compare(a.SightUID, b.SightUID)) })
	return list
}

func (p placed) place() place { return place{p.CRD, p.SightUID} }
