package identity

import (
	"context"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/people/internal/name"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/idempotency"
)

// Found is one post of a person, for the operator.
type Found struct {
	PersonUID  string `json:"person_uid"`
	FullName   string `json:"full_name"`
	CRD        string `json:"crd"`
	Firm       string `json:"firm"`
	Title      string `json:"title"`
	Number     string `json:"number"`
	Standing   string `json:"standing"`
	NamedFrom  string `json:"named_from"`
	NamedUntil string `json:"named_until"`
}

// Record is everything that is kept of a person.
type Record struct {
	PersonUID  string   `json:"person_uid"`
	FormerUIDs []string `json:"former_uids"`
	Posts      []Kept   `json:"posts"`
}

// Kept is a row that is kept of a person.
type Kept struct {
	Found
	AcquiredOn string `json:"acquired_on"`
	LeftBefore string `json:"left_before"`
	Source     string `json:"source"`
	City       string `json:"city"`
	State      string `json:"state"`
	SightedIn  string `json:"sighted_in"`
}

// Find gives the people of a name, whichever way it is written: of the same last name, and the first name where there is one.
func (s *Service) Find(ctx context.Context, text string) ([]Found, error) {
	key := name.Parse(text).Key()
	if key.Last == "" {
		return nil, apperr.Invalid(apperr.FieldError{Field: "name", Message: "name a person, as in \"Ada Larkspur\" or \"Larkspur, Ada\""})
	}
	return s.store.find(ctx, key.Last, name.Formal(key.First))
}

// Export gives everything that is kept of a person; a former uid will do.
func (s *Service) Export(ctx context.Context, uid string) (Record, error) {
	uid, err := s.store.current(ctx, uid)
	if err != nil {
		return Record{}, err
	}
	posts, err := s.store.kept(ctx, uid)
	if err != nil {
		return Record{}, err
	}
	if len(posts) == 0 {
		return Record{}, s.unknown(ctx, uid)
	}
	former, err := s.store.aliases(ctx, []string{uid})
	if err != nil {
		return Record{}, err
	}
	return Record{PersonUID: uid, FormerUIDs: append([]string{}, former[uid]...), Posts: posts}, nil
}

// Suppress removes a person from everything that is answered, and for ever: what later filings say of whoever has the person's
// number, or the name at one of the person's advisers, is not taken in. The answers that were kept for requests with an Idempotency-Key are dropped, of all
// operations that may show people. It gives the number of posts removed.
func (s *Service) Suppress(ctx context.Context, uid, reason string, operations []string) (removed int64, err error) {
	if err := wantReason(reason); err != nil {
		return 0, err
	}
	err = s.store.exclusively(ctx, func(ctx context.Context) error {
		if uid, err = s.store.current(ctx, uid); err != nil {
			return err
		}
		posts, err := s.store.posts(ctx, uid)
		if err != nil {
			return err
		}
		if len(posts) == 0 {
			return s.unknown(ctx, uid)
		}
		if err := s.store.suppress(ctx, uid, reason, s.clock.Now(), posts); err != nil {
			return err
		}
		removed = int64(len(posts))
		if err := idempotency.Drop(ctx, s.store.db, s.clock.Now(), operations); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "person.suppress", Subject: uid, After: map[string]any{"reason": reason}})
	})
	if err != nil {
		return 0, err
	}
	// Once more: a request may have begun and read the person before the transaction was committed.
	return removed, idempotency.Drop(ctx, s.store.db, s.clock.Now(), operations)
}

// Merge says that two people are one: who has uid is the one who has into, for ever.
func (s *Service) Merge(ctx context.Context, uid, into, reason string) error {
	return s.override(ctx, reason, uid, func(ctx context.Context, uid string) error {
		into, err := s.store.current(ctx, into)
		if err != nil {
			return err
		}
		if into == uid {
			return apperr.New(apperr.KindConflict, "%s and %s are the same person already", uid, into)
		}
		if posts, err := s.store.posts(ctx, into); err != nil || len(posts) == 0 {
			return s.orUnknown(ctx, err, into)
		}
		if err := s.store.merge(ctx, merge{UID: uid, IntoUID: into, Reason: reason, CreatedAt: s.clock.Now()}); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "person.merge", Subject: uid, After: map[string]any{"into": into, "reason": reason}})
	})
}

// Split says that who has uid at an adviser is another person than elsewhere, whose uid it gives.
func (s *Service) Split(ctx context.Context, uid, crd, reason string) (newUID string, err error) {
	err = s.override(ctx, reason, uid, func(ctx context.Context, uid string) error {
		if err := s.isAt(ctx, uid, crd); err != nil {
			return err
		}
		newUID = uidOf("split|" + uid + "|" + crd)
		if err := s.store.split(ctx, split{
			UID: uid, CRD: crd, NewUID: newUID, KeptUID: uidOf("kept|" + uid + "|" + crd), Reason: reason, CreatedAt: s.clock.Now(),
		}); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{
			Action: "person.split", Subject: uid, After: map[string]any{"crd": crd, "new_uid": newUID, "reason": reason},
		})
	})
	return newUID, err
}

// override notes the operator's word and applies it.
func (s *Service) override(ctx context.Context, reason, uid string, note func(ctx context.Context, uid string) error) error {
	if err := wantReason(reason); err != nil {
		return err
	}
	return s.store.exclusively(ctx, func(ctx context.Context) error {
		uid, err := s.store.current(ctx, uid)
		if err != nil {
			return err
		}
		posts, err := s.store.posts(ctx, uid)
		if err != nil || len(posts) == 0 {
			return s.orUnknown(ctx, err, uid)
		}
		if err := s.store.begin(ctx); err != nil {
			return err
		}
		if err := note(ctx, uid); err != nil {
			return err
		}
		crds := make([]string, len(posts))
		for i := range posts {
			crds[i] = posts[i].CRD
		}
		if err := s.store.note(ctx, crds); err != nil {
			return err
		}
		return s.store.assign(ctx)
	})
}

func wantReason(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return apperr.Invalid(apperr.FieldError{Field: "reason", Message: "say why; it is kept"})
	}
	return nil
}

// isAt refuses a manager that does not name the person.
func (s *Service) isAt(ctx context.Context, uid, crd string) error {
	posts, err := s.store.posts(ctx, uid)
	if err != nil {
		return err
	}
	var crds []string
	for i := range posts {
		crds = append(crds, posts[i].CRD)
	}
	if !slices.Contains(crds, crd) {
		return apperr.NotFound("%s is not at CRD %s, but at %s", uid, crd, strings.Join(slices.Compact(crds), ", "))
	}
	return nil
}

// unknown says why there is nobody of a uid.
func (s *Service) unknown(ctx context.Context, uid string) error {
	if gone, err := s.store.isSuppressed(ctx, uid); err != nil {
		return err
	} else if gone {
		return apperr.NotFound("%s is suppressed", uid)
	}
	return apperr.NotFound("Nobody has the ID %s: gpatlas people find NAME lists the IDs of a name", uid)
}

func (s *Service) orUnknown(ctx context.Context, err error, uid string) error {
	if err != nil {
		return err
	}
	return s.unknown(ctx, uid)
}

func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}
