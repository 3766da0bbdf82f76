package identity

import (
	"context"
	"slices"
	"strings"

	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/plaintext"
)

// Merge says that two people are one: who has uid is the one who has into. It is kept as well where an override says so already: the
// override can be deleted.
func (s *Service) Merge(ctx context.Context, uid, into, reason string) error {
	return s.merge(ctx, decision{UID: uid, ToUID: into, Reason: reason})
}

func (s *Service) merge(ctx context.Context, d decision) error {
	d.Kind = merged
	if d.UID == d.ToUID {
		return apperr.Invalid(apperr.FieldError{Field: "into", Message: "must be the ID of another person"})
	}
	sent := d
	return s.add(ctx, &d, []*string{&d.UID, &d.ToUID}, func(ctx context.Context) error {
		same := d.ToUID == d.UID
		if d.OverrideID == nil {
			st, err := s.standing(ctx, sent)
			if err != nil {
				return err
			}
			d.UID, d.ToUID = st.lasting(sent.UID, d.UID), st.lasting(sent.ToUID, d.ToUID)
			same = same && st.commands.of(d.UID) == st.commands.of(d.ToUID)
		}
		if same {
			return apperr.New(apperr.KindConflict, "%s and %s are the same person already", sent.UID, sent.ToUID)
		}
		return nil
	}, func() audit.Change {
		return audit.Change{Action: "person.merge", Subject: d.UID, After: map[string]any{"into": d.ToUID, "reason": d.Reason}}
	})
}

// Split says that who has uid at an adviser is another person than elsewhere, whose uid it gives. It is kept as well where an override
// says so already.
func (s *Service) Split(ctx context.Context, uid, crd, reason string) (newUID string, err error) {
	return s.split(ctx, decision{UID: uid, CRD: &crd, Reason: reason})
}

func (s *Service) split(ctx context.Context, d decision) (newUID string, err error) {
	d.Kind = split
	sent := d.UID
	err = s.add(ctx, &d, []*string{&d.UID}, func(ctx context.Context) error {
		d.ToUID = uidOf("split|" + d.UID + "|" + *d.CRD)
		newUID = d.ToUID
		err := s.isAt(ctx, d.UID, *d.CRD)
		if d.OverrideID != nil {
			return err
		}
		about := d
		about.UID = sent
		st, failed := s.standing(ctx, about)
		if failed != nil {
			return failed
		}
		if err == nil {
			d.UID = st.splitOf(d.UID, *d.CRD)
			return nil
		}
		uid := st.lasting(sent, d.UID)
		holder := st.apart(uid, *d.CRD)
		if holder == "" {
			return err
		}
		if holder != d.UID { // else an override has split the person at the other advisers
			newUID = holder
		}
		d.UID = uid
		return nil
	}, func() audit.Change {
		return audit.Change{Action: "person.split", Subject: d.UID, After: map[string]any{"crd": *d.CRD, "new_uid": d.ToUID, "reason": d.Reason}}
	})
	return newUID, err
}

// add checks a decision about some people who are shown, keeps and applies it.
func (s *Service) add(ctx context.Context, d *decision, about []*string, check func(ctx context.Context) error, change func() audit.Change) error {
	if err := wantReason(d.Reason); err != nil {
		return err
	}
	return s.store.exclusively(ctx, func(ctx context.Context) (err error) {
		for _, uid := range about {
			if *uid, err = s.store.current(ctx, *uid); err != nil {
				return err
			}
			if _, err := s.posts(ctx, *uid); err != nil {
				return err
			}
		}
		u, _, err := s.uncover(ctx, nil)
		if err != nil {
			return err
		}
		for _, uid := range about { // what was read now may have given it up
			if *uid, err = s.store.current(ctx, *uid); err != nil {
				return err
			}
		}
		if err := check(ctx); err != nil {
			return err
		}
		d.CreatedAt = s.clock.Now()
		if err := s.redecide(ctx, *d, func() error { return s.store.add(ctx, d) }); err != nil {
			return err
		}
		if _, err := s.cover(ctx, u); err != nil {
			return err
		}
		return s.audit.Write(ctx, change())
	})
}

// undo takes the decision of an override back. Whoever is one with somebody suppressed then is suppressed, and the answers that were
// kept of operations are dropped.
func (s *Service) undo(ctx context.Context, overrideID int64, operations []string) error {
	return s.store.exclusively(ctx, func(ctx context.Context) error {
		list, err := s.store.ofOverride(ctx, overrideID)
		if err != nil || len(list) == 0 {
			return err
		}
		u, _, err := s.uncover(ctx, nil)
		if err != nil {
			return err
		}
		d := list[0]
		if err := s.redecide(ctx, d, func() error { return s.store.drop(ctx, &d) }); err != nil {
			return err
		}
		more, err := s.cover(ctx, u)
		if err != nil {
			return err
		}
		if more {
			if err := s.DropKept(ctx, operations); err != nil {
				return err
			}
		}
		return s.audit.Write(ctx, audit.Change{Action: "person." + d.Kind + ".undo", Subject: d.UID})
	})
}

// redecide changes the list of decisions by one, and applies those that there are then. Nobody is hidden meanwhile.
func (s *Service) redecide(ctx context.Context, about decision, change func() error) error {
	if err := change(); err != nil {
		return err
	}
	list, err := s.store.decisions(ctx)
	if err != nil {
		return err
	}
	r, posts, err := s.store.rule(ctx, list, about)
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

func wantReason(reason string) error {
	if message := plaintext.LineFault(reason); message != "" {
		return apperr.Invalid(apperr.FieldError{Field: "reason", Message: message})
	}
	return nil
}

// posts are those of somebody whom filings name.
func (s *Service) posts(ctx context.Context, uid string) ([]post, error) {
	posts, err := s.store.posts(ctx, uid)
	if err == nil && len(posts) == 0 {
		err = s.unknown(ctx, uid)
	}
	return posts, err
}

// isAt refuses a manager that does not name the person, and one that alone does: there is nobody else to tell the person from.
func (s *Service) isAt(ctx context.Context, uid, crd string) error {
	posts, err := s.posts(ctx, uid)
	if err != nil {
		return err
	}
	crds := make([]string, len(posts))
	for i := range posts {
		crds[i] = posts[i].CRD
	}
	switch crds = slices.Compact(crds); {
	case !slices.Contains(crds, crd):
		return apperr.NotFound("%s is not at CRD %s, but at %s", uid, crd, strings.Join(crds, ", "))
	case len(crds) == 1:
		return apperr.New(apperr.KindConflict, "%s is at CRD %s alone", uid, crd)
	}
	return nil
}
