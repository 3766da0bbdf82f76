package identity

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// analyzeFrom is the number of advisers from which on the new posts are analyzed: otherwise the planner uses the table's old
// size, and joins row by row.
const analyzeFrom = 1_000

// revealed is the scope of suppressions while no post is hidden.
type revealed struct {
	objections *objections
	hits       []hit
	crds       []string // advisers that were read
}

// reveal restores the posts of suppressed people until the transaction hides them again, so that decisions do not depend on suppressions.
// It reads the filings of crds, and of the advisers at which posts are hidden: only hashes of hidden posts are stored.
func (s *Service) reveal(ctx context.Context, crds []string) (*revealed, Result, error) {
	list, err := s.store.suppressions(ctx)
	if err != nil {
		return nil, Result{}, err
	}
	held, err := s.store.holds(ctx)
	if err != nil {
		return nil, Result{}, err
	}
	u := &revealed{objections: newObjections(list), crds: slices.Clone(crds)}
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
		if err := s.store.steps(ctx, nil, []step{{"note hidden posts", noteHiddenSQL}, {"note numbers of the hidden", noteHiddenNumbersSQL}}); err != nil {
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
	if len(u.crds) >= analyzeFrom {
		if err := s.store.steps(ctx, nil, []step{{"count posts", "ANALYZE people.posts"}, {"count numbers", "ANALYZE r_number"}}); err != nil {
			return nil, r, err
		}
	}
	return u, r, s.store.assign(ctx)
}

// hide removes the posts that the current suppressions match, according to current filings and decisions. It reports whether it
// hides a post that was not hidden before.
func (s *Service) hide(ctx context.Context, u *revealed) (more bool, err error) {
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
	var newly []hold
	for i := range list {
		if !was[place{list[i].CRD, list[i].SightUID}] {
			fresh, newly = append(fresh, list[i].PersonUID), append(newly, list[i])
		}
	}
	shown, err := s.store.shown(ctx, fresh)
	if err != nil {
		return false, err
	}
	slices.Sort(fresh)
	for _, uid := range slices.Compact(slices.Clone(fresh)) {
		if slices.Contains(shown, uid) {
			continue // the person has another, visible post: only a namesake's post was hidden
		}
		// After the posts: a running enrichment stores nothing about people without posts.
		if err := s.store.forgetProfile(ctx, uid); err != nil {
			return false, err
		}
	}
	if len(newly) == 0 {
		return false, nil
	}
	return true, s.store.forget(ctx, newly)
}

// hidden returns the posts that suppressions hide: those of the people who objected, according to filings and decisions as they are now,
// those of namesakes at the same adviser, and those with a number of these people. People that decisions distinguish from them are shown.
func (s *Service) hidden(ctx context.Context, u *revealed) ([]hold, error) {
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
		if objectors[p.place()] {
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
	return h.holds(), nil
}

// hiding collects the posts that are to be hidden.
type hiding struct {
	r         ruling
	decisions []decision
	rules     map[string]bool // UIDs by the rules of hidden people
	posts     map[place]placed
}

// byNumber hides a post that has the number of a hidden person, unless decisions distinguish the two.
func (h *hiding) byNumber(p placed, owner string) {
	if h.rules[p.RuleUID] { // one by the rules: decisions have separated the two
		return
	}
	for i := range h.decisions {
		if d := &h.decisions[i]; d.Kind == split && *d.CRD == p.CRD && h.r.of(d.UID) == owner && h.r.of(d.ToUID) != owner {
			return
		}
	}
	h.posts[p.place()] = p
}

func (h *hiding) holds() []hold {
	list := make([]hold, 0, len(h.posts))
	for _, p := range h.posts {
		list = append(list, hold{
			CRD: p.CRD, SightUID: p.SightUID, PersonUID: p.PersonUID, RuleUID: p.RuleUID, NameHash: nameHash(p.CRD, p.LastKey, p.FirstKey),
		})
	}
	slices.SortFunc(list, func(a, b hold) int { return cmp.Or(cmp.Compare(a.CRD, b.CRD), cmp.Compare(a.SightUID, b.SightUID)) })
	return list
}

func (p placed) place() place { return place{p.CRD, p.SightUID} }
