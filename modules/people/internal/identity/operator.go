package identity

import (
	"context"
	"time"

	"gpatlas/modules/people/internal/name"
	"gpatlas/platform/apperr"
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

// unknown says why there is nobody of a uid.
func (s *Service) unknown(ctx context.Context, uid string) error {
	if gone, err := s.store.isSuppressed(ctx, uid); err != nil {
		return err
	} else if gone {
		return apperr.NotFound("%s is suppressed", uid)
	}
	return apperr.NotFound("Nobody has the ID %s: gpatlas people find NAME lists the IDs of a name", uid)
}

func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}
