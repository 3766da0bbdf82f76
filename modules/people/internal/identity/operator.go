package identity

import (
	"context"
	"slices"
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

// Record is everything that is stored about a person.
type Record struct {
	PersonUID  string   `json:"person_uid"`
	FormerUIDs []string `json:"former_uids"`
	Posts      []Kept   `json:"posts"`
}

// Kept is a row that is stored about a person.
type Kept struct {
	Found
	AcquiredOn string `json:"acquired_on"`
	LeftBefore string `json:"left_before"`
	Source     string `json:"source"`
	City       string `json:"city"`
	State      string `json:"state"`
	SightedIn  string `json:"sighted_in"`
}

// Find returns the people who have a last name, and a first name if text has one, in any order of the two.
func (s *Service) Find(ctx context.Context, text string) ([]Found, error) {
	key := name.Parse(text).Key()
	if key.Last == "" {
		return nil, apperr.Invalid(apperr.FieldError{Field: "name", Message: "name a person, as in \"Ada Larkspur\" or \"Larkspur, Ada\""})
	}
	return s.store.find(ctx, key.Last, name.Formal(key.First))
}

// Export returns everything that is stored about a person, by a present or a former UID.
func (s *Service) Export(ctx context.Context, uid string) (Record, error) {
	uid, err := Current(ctx, s.store.db, uid)
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
	former, err := s.store.formers(ctx, uid)
	if err != nil {
		return Record{}, err
	}
	return Record{PersonUID: uid, FormerUIDs: append([]string{}, former...), Posts: posts}, nil
}

// managers returns the CRD numbers of the managers whose filings name a person, in order. A former UID leads to the person.
func (s *Service) managers(ctx context.Context, uid string) (crds []string, err error) {
	if uid, err = Current(ctx, s.store.db, uid); err != nil {
		return nil, err
	}
	posts, err := s.store.posts(ctx, uid)
	if err == nil && len(posts) == 0 {
		err = s.unknown(ctx, uid)
	}
	for i := range posts {
		crds = append(crds, posts[i].CRD)
	}
	return slices.Compact(crds), err
}

// unknown is the error for a UID without posts.
func (s *Service) unknown(ctx context.Context, uid string) error {
	if gone, err := s.store.isSuppressed(ctx, uid); err != nil {
		return err
	} else if gone {
		return apperr.NotFound("%s is suppressed", uid)
	}
	return apperr.NotFound("There is no person %s: gpatlas people find NAME lists the IDs of a name", uid)
}

func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}
