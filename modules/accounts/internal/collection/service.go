package collection

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"gpatlas/modules/accounts/internal/manygps"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/plaintext"
)

// Service changes and reads collections for their owners.
type Service struct {
	db    *database.DB
	store *store
	clock clock.Clock
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock) *Service {
	return &Service{db: db, store: &store{db}, clock: clk}
}

// now is truncated to PostgreSQL's precision, so that a response has the same time as a later read.
func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }

// Create makes an empty collection. It locks the account, so that concurrent creations cannot exceed the limit.
func (s *Service) Create(ctx context.Context, userID int64, name, description string) (*Collection, error) {
	name, err := plaintext.Name(name)
	if err != nil {
		return nil, err
	}
	about, err := cleanDescription(description)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, apperr.Internal(err)
	}
	now := s.now()
	r := row{ID: id.String(), UserID: userID, Name: name, NameKey: nameKey(name), Description: about, CreatedAt: now, UpdatedAt: now}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if found, err := s.store.lockAccount(ctx, userID); err != nil || !found {
			return or(err, errGone)
		}
		n, err := s.store.count(ctx, userID)
		if err != nil {
			return err
		}
		if n >= PerUser {
			return errTooMany
		}
		return s.store.insert(ctx, r)
	})
	if err != nil {
		return nil, err
	}
	c := rowToCollection(r, 0)
	return &c, nil
}

// List returns all collections of a person, the newest first. There are at most PerUser.
func (s *Service) List(ctx context.Context, userID int64) ([]Collection, error) {
	return s.store.list(ctx, userID, "")
}

// Get returns a collection with a page of its items, the last added first.
func (s *Service) Get(ctx context.Context, userID int64, id string, limit, offset int) (*Full, error) {
	c, err := s.find(ctx, userID, id)
	if err != nil {
		return nil, err
	}
	items, err := s.store.items(ctx, c.ID, limit, offset)
	if err != nil {
		return nil, err
	}
	return &Full{Collection: *c, Items: items}, nil
}

func (s *Service) find(ctx context.Context, userID int64, id string) (*Collection, error) {
	found, err := s.store.list(ctx, userID, id)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, errNoCollection
	}
	return &found[0], nil
}

// Patch is a change of a collection; nil = left as it is. An empty description removes it.
type Patch struct{ Name, Description *string }

// Update changes a collection's name, its description, or both.
func (s *Service) Update(ctx context.Context, userID int64, id string, p Patch) (*Collection, error) {
	if p.Name == nil && p.Description == nil {
		return nil, errNothing
	}
	columns := map[string]any{"updated_at": s.now()}
	if p.Name != nil {
		name, err := plaintext.Name(*p.Name)
		if err != nil {
			return nil, err
		}
		columns["name"], columns["name_key"] = name, nameKey(name)
	}
	if p.Description != nil {
		about, err := cleanDescription(*p.Description)
		if err != nil {
			return nil, err
		}
		columns["description"] = about
	}
	if found, err := s.store.update(ctx, userID, id, columns); err != nil || !found {
		return nil, or(err, errNoCollection)
	}
	return s.find(ctx, userID, id)
}

// Delete removes a collection with all its items.
func (s *Service) Delete(ctx context.Context, userID int64, id string) error {
	if found, err := s.store.remove(ctx, userID, id); err != nil || !found {
		return or(err, errNoCollection)
	}
	return nil
}

// AddItem adds a GP to a collection. It locks the collection, so that concurrent additions cannot exceed the limit.
//
// Spec: not shown how a GP that is already in it is answered; it is a conflict, as on the watchlist.
func (s *Service) AddItem(ctx context.Context, userID int64, id, crd string) (*Item, error) {
	now := s.now()
	var item *Item
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		// Updating the collection's time takes the lock.
		if found, err := s.store.update(ctx, userID, id, map[string]any{"updated_at": now}); err != nil || !found {
			return or(err, errNoCollection)
		}
		g, err := s.store.findGP(ctx, crd)
		if err != nil {
			return err
		}
		if g == nil {
			return apperr.NotFound(catalogapi.NoGP, crd)
		}
		in, n, err := s.store.holds(ctx, id, crd)
		switch {
		case err != nil:
			return err
		case in:
			return errThere(crd)
		case n >= ItemsMax:
			return errFull
		}
		item = &Item{CRD: crd, GPName: &g.LegalName, City: g.City, State: g.State, AddedAt: now}
		return s.store.addItem(ctx, itemRow{CollectionID: id, AdviserCRD: crd, AddedAt: now})
	})
	if err != nil {
		return nil, err
	}
	return item, nil
}

// errUnchanged undoes the new time of a collection to which nothing was added.
var errUnchanged = errors.New("nothing was added")

// AddMany adds many GPs to a collection: all that the catalog has, or none if they are too many.
func (s *Service) AddMany(ctx context.Context, userID int64, id string, body *manygps.Body) (*manygps.Outcome, error) {
	crds, err := body.Numbers()
	if err != nil {
		return nil, err
	}
	now := s.now()
	var known, added []string
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if found, err := s.store.update(ctx, userID, id, map[string]any{"updated_at": now}); err != nil || !found {
			return or(err, errNoCollection)
		}
		if known, err = manygps.Known(ctx, s.db, crds); err != nil {
			return err
		}
		if added, err = s.store.addItems(ctx, id, known, now); err != nil {
			return err
		}
		if len(added) == 0 {
			return errUnchanged
		}
		n, err := s.store.size(ctx, id)
		if err == nil && n > ItemsMax {
			return errTooManyItems
		}
		return err
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return nil, err
	}
	return manygps.Sort(body.CRDs, known, added), nil
}

// RemoveItem removes a GP from a collection.
func (s *Service) RemoveItem(ctx context.Context, userID int64, id, crd string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		if found, err := s.store.update(ctx, userID, id, map[string]any{"updated_at": s.now()}); err != nil || !found {
			return or(err, errNoCollection)
		}
		if found, err := s.store.removeItem(ctx, id, crd); err != nil || !found {
			return or(err, errNotThere(crd))
		}
		return nil
	})
}

// ExportFor returns all collections with all their items.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	list, err := s.List(ctx, userID)
	if err != nil {
		return nil, err
	}
	all := make([]Full, len(list))
	for i, c := range list {
		items, err := s.store.items(ctx, c.ID, ItemsMax, 0)
		if err != nil {
			return nil, err
		}
		all[i] = Full{Collection: c, Items: items}
	}
	return all, nil
}

// or returns the error of a look-up, else the not-found error.
func or(err, missing error) error {
	if err != nil {
		return err
	}
	return missing
}
