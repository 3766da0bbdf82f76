package identity

import (
	"context"
	"slices"
)

// standing is what comes of all decisions, and what would come of those by command alone: an override can be deleted at any time, and
// what a command says must hold then.
type standing struct {
	now      ruling
	commands ruling
	posts    []sighted
}

func (s *Service) standing(ctx context.Context, about decision) (standing, error) {
	list, err := s.store.decisions(ctx)
	if err != nil {
		return standing{}, err
	}
	commands := slices.DeleteFunc(slices.Clone(list), func(d decision) bool { return d.OverrideID != nil })
	var st standing
	// Both read the posts of all decisions, so that they come in the same order.
	if st.now, st.posts, err = s.store.rule(ctx, list, about); err != nil {
		return standing{}, err
	}
	st.commands, _, err = s.store.rule(ctx, commands, append(list, about)...)
	return st, err
}

// lasting is how a decision by command names a person: as sent, so that it holds without the override that leads the uid elsewhere.
func (st *standing) lasting(sent, current string) string {
	if st.now.of(sent) == current {
		return sent
	}
	return current
}

// splitOf is how a split by command names who is at an adviser: as commands alone would.
func (st *standing) splitOf(uid, crd string) string {
	for i := range st.posts {
		if st.posts[i].PersonUID == uid && st.posts[i].CRD == crd && st.now.of(st.commands.people[i]) == uid {
			return st.commands.people[i]
		}
	}
	return uid
}

// apart gives the uid of whom an override has split from a person at an adviser; empty: none has.
func (st *standing) apart(uid, crd string) (holder string) {
	person, elsewhere := st.commands.of(uid), false
	for i := range st.posts {
		switch {
		case st.commands.people[i] != person:
		case st.posts[i].CRD != crd:
			elsewhere = true
		default:
			holder = st.posts[i].PersonUID
		}
	}
	if !elsewhere {
		return ""
	}
	return holder
}
