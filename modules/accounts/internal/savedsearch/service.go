package savedsearch

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/plaintext"
)

// Service changes and runs saved searches for their owners.
type Service struct {
	db     *database.DB
	clock  clock.Clock
	users  *user.Store
	search catalogapi.GPSearcher
	store  *store
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, search catalogapi.GPSearcher) *Service {
	return &Service{db: db, clock: clk, users: user.NewStore(db), search: search, store: &store{db}}
}

// now has PostgreSQL's precision, so that a response has the same time as a later read.
func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }

// check returns a search as it is stored, or all its faults.
//
// Spec: not shown; filters are checked when they are saved, as GET /v1/gps checks them, because a search that cannot run is
// useless. Empty filters are as valid as there: they find every GP. Names may be used twice.
func (s *Service) check(name string, filters map[string]any) (cleanName, encoded string, err error) {
	var faults []apperr.FieldError
	name = strings.TrimSpace(name)
	if fault := plaintext.NameFault(name); fault != "" {
		faults = append(faults, apperr.FieldError{Field: "name", Message: fault})
	}
	if err := s.search.CheckGPFilters(filters); err != nil {
		if apperr.From(err).Kind != apperr.KindInvalid {
			return "", "", err
		}
		faults = append(faults, below(err)...)
	}
	encoded, err = encodeFilters(filters)
	if err != nil {
		return "", "", err
	}
	if len(encoded) > filtersBytes {
		faults = append(faults, apperr.FieldError{Field: "filters", Message: fmt.Sprintf("must have at most %d bytes", filtersBytes)})
	}
	if faults != nil {
		return "", "", apperr.Invalid(faults...)
	}
	return name, encoded, nil
}

// Create saves a search. Concurrent creations of an account cannot exceed the limit.
//
// Spec: no limit is shown; 500 are more than anyone looks through, and keep a program in a loop from filling the table.
func (s *Service) Create(ctx context.Context, userID int64, name string, filters map[string]any) (*Search, error) {
	name, encoded, err := s.check(name, filters)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, apperr.Internal(err)
	}
	now := s.now()
	r := &row{ID: id.String(), UserID: userID, Name: name, Filters: encoded, CreatedAt: now, UpdatedAt: now}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		u, err := s.users.Lock(ctx, userID)
		if err != nil {
			return err
		}
		if u == nil || u.Deleted() {
			return errGone
		}
		n, err := s.store.count(ctx, userID)
		if err != nil {
			return err
		}
		if n >= SearchesMax {
			return errFull
		}
		return s.store.add(ctx, r)
	})
	return found(r, err)
}

// List returns a part of an account's searches, the newest first, and how many there are.
func (s *Service) List(ctx context.Context, userID int64, limit, offset int) ([]Search, int, error) {
	total, err := s.store.count(ctx, userID)
	if err != nil {
		return nil, 0, err
	}
	rows, err := s.store.list(ctx, userID, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	list := make([]Search, len(rows))
	for i := range rows {
		one, err := rowToSearch(&rows[i])
		if err != nil {
			return nil, 0, err
		}
		list[i] = *one
	}
	return list, total, nil
}

// Get returns one of the account's searches.
func (s *Service) Get(ctx context.Context, userID int64, id string) (*Search, error) {
	return found(s.store.find(ctx, userID, id))
}

// Replace sets the name and filters of one of the account's searches. With other filters it counts as never run.
func (s *Service) Replace(ctx context.Context, userID int64, id, name string, filters map[string]any) (*Search, error) {
	name, encoded, err := s.check(name, filters)
	if err != nil {
		return nil, err
	}
	return found(s.store.replace(ctx, userID, id, name, encoded, s.now()))
}

// Delete removes one of the account's searches.
func (s *Service) Delete(ctx context.Context, userID int64, id string) error {
	removed, err := s.store.remove(ctx, userID, id)
	if err == nil && !removed {
		err = errNoSearch
	}
	return err
}

// Run searches the GPs by the filters of one of the account's searches, and stores when and how many matched.
//
// Spec: not shown; each request is a run, whichever page it asks for.
func (s *Service) Run(ctx context.Context, userID int64, id string, limit, offset int) (*Search, catalogapi.GPPage, error) {
	none := catalogapi.GPPage{}
	r, err := s.store.find(ctx, userID, id)
	search, err := found(r, err)
	if err != nil {
		return nil, none, err
	}
	matches, err := s.search.SearchGPs(ctx, search.Filters, limit, offset)
	if err != nil {
		if apperr.From(err).Kind == apperr.KindInvalid { // the vocabulary has changed since it was saved
			err = apperr.Invalid(below(err)...).Wrap(err)
		}
		return nil, none, err
	}
	if err := s.store.ran(ctx, r, s.now(), matches.Total); err != nil {
		return nil, none, err
	}
	return search, matches, nil
}

func found(r *row, err error) (*Search, error) {
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errNoSearch
	}
	return rowToSearch(r)
}

// ExportFor returns all saved searches of an account.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	list, _, err := s.List(ctx, userID, SearchesMax, 0)
	return list, err
}
