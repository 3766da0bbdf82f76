package registry

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Service reads and changes the registry, and sends tests of its kinds.
type Service struct {
	db        *database.DB
	store     *store
	clock     clock.Clock
	audit     *audit.Log
	directory accountsapi.Directory
	post      render.Post
}

// NewService works on db. post sends tests to administrators in the directory.
func NewService(db *database.DB, clk clock.Clock, directory accountsapi.Directory, post render.Post) *Service {
	return &Service{db: db, store: &store{db}, clock: clk, audit: audit.New(db, clk), directory: directory, post: post}
}

// now is truncated to PostgreSQL's precision, so that a response has the same time as a later read.
func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }

// Find implements kind.Kinds for the delivery. A change takes effect with the next delivered mail, in every process.
func (s *Service) Find(ctx context.Context, id string) (kind.Kind, bool, error) {
	n, err := s.find(ctx, id)
	if err != nil || n == nil {
		return kind.Kind{}, false, err
	}
	return kind.Kind{ID: n.ID, Category: n.Category, Enabled: n.Enabled, MaxPerDay: n.MaxPerDay}, true, nil
}

// find returns a kind; nil for none.
func (s *Service) find(ctx context.Context, id string) (*Notification, error) {
	r, err := s.store.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if r != nil {
		return new(r.notification()), nil
	}
	own, builtIn := builtIns()[id]
	if !builtIn {
		return nil, nil //nolint:nilnil // absence is no failure
	}
	return new(own.untouched()), nil
}

// List returns all kinds by ID.
func (s *Service) List(ctx context.Context) ([]Notification, error) {
	rows, err := s.store.all(ctx)
	return merge(rows), err
}

// Get returns one kind.
func (s *Service) Get(ctx context.Context, id string) (*Notification, error) {
	n, err := s.find(ctx, id)
	if err == nil && n == nil {
		err = errUnknown(id)
	}
	return n, err
}

// Create adds a kind. Changes of the registry are serialized, so that concurrent ones cannot exceed the limit.
func (s *Service) Create(ctx context.Context, by int64, e Entry) (*Notification, error) {
	set := e.settings()
	if list := set.faults(""); list != nil {
		if _, builtIn := builtIns()[set.ID]; builtIn {
			return nil, errTaken(set.ID)
		}
		return nil, apperr.Invalid(list...)
	}
	r := s.row(set, by)
	err := s.change(ctx, "create", func(ctx context.Context, all map[string]Notification) error {
		if _, taken := all[set.ID]; taken {
			return errTaken(set.ID)
		}
		if len(all)-len(builtIns()) >= customMax {
			return errTooMany
		}
		return s.store.save(ctx, r)
	})
	if err != nil {
		return nil, err
	}
	return new(r.notification()), nil
}

// Update changes a kind. Omitted fields stay as they are.
func (s *Service) Update(ctx context.Context, by int64, id string, c Change) (*Notification, error) {
	if c == (Change{}) {
		return nil, errNoChange
	}
	var changed row
	err := s.change(ctx, c.action(), func(ctx context.Context, all map[string]Notification) error {
		old, found := all[id]
		if !found {
			return errUnknown(id)
		}
		set := c.on(old)
		set.clean()
		if list := set.faults(""); list != nil {
			return apperr.Invalid(list...)
		}
		if alwaysOn(set) {
			return errAlwaysOn(id)
		}
		changed = s.row(set, by)
		if old.CreatedAt != nil {
			changed.CreatedAt = *old.CreatedAt
		}
		return s.store.save(ctx, changed)
	})
	if err != nil {
		return nil, err
	}
	return new(changed.notification()), nil
}

// Delete removes a kind that an administrator has added. Its queued mails are not sent.
func (s *Service) Delete(ctx context.Context, id string) error {
	return s.change(ctx, "delete", func(ctx context.Context, all map[string]Notification) error {
		n, found := all[id]
		switch {
		case !found:
			return errUnknown(id)
		case n.BuiltIn:
			return errBuiltIn(id)
		}
		return s.store.remove(ctx, id)
	})
}

// change runs fn on the locked registry, and writes an audit entry for what fn has changed. action is the operation.
func (s *Service) change(ctx context.Context, action string, fn func(ctx context.Context, all map[string]Notification) error) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.store.lock(ctx); err != nil {
			return err
		}
		list, err := s.List(ctx)
		if err != nil {
			return err
		}
		all := byID(list)
		if err := fn(ctx, all); err != nil {
			return err
		}
		if list, err = s.List(ctx); err != nil {
			return err
		}
		return s.record(ctx, action, all, byID(list))
	})
}

// action is the audit's word for a change.
func (c Change) action() string {
	switch {
	case c != (Change{Enabled: c.Enabled}):
		return "update"
	case c.Enabled.Value:
		return "enable"
	}
	return "disable"
}

func byID(list []Notification) map[string]Notification {
	all := make(map[string]Notification, len(list))
	for _, n := range list {
		all[n.ID] = n
	}
	return all
}

// record writes an audit row for each kind that differs, by ID.
func (s *Service) record(ctx context.Context, action string, before, after map[string]Notification) error {
	both := maps.Clone(before)
	maps.Copy(both, after)
	for _, id := range slices.Sorted(maps.Keys(both)) {
		old, was := before[id]
		now, is := after[id]
		if was == is && reflect.DeepEqual(old.settings(), now.settings()) {
			continue
		}
		c := audit.Change{Action: "notification." + action, Subject: "notification " + id}
		if was {
			c.Before = old.entry()
		}
		if is {
			c.After = now.entry()
		}
		if err := s.audit.Write(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// row is a kind as an administrator stores it now.
func (s *Service) row(set settings, by int64) row {
	now := s.now()
	return row{
		ID: set.ID, Name: set.Name, Description: set.Description, Category: set.Category, Enabled: set.Enabled, MaxPerDay: set.MaxPerDay,
		Subject: set.Subject, Text: set.Text, CreatedAt: now, UpdatedAt: now, UpdatedBy: &by,
	}
}

// alwaysOn reports whether a change would disable a kind that cannot be disabled.
func alwaysOn(s settings) bool { return s.Category == kind.Account && !s.Enabled }

// Changed is a kind that an administrator was the last to change, in the export of the account.
type Changed struct {
	ID        string    `json:"id"`
	UpdatedAt time.Time `json:"updated_at"`
}

// ExportFor returns the kinds that the account was the last to change.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	rows, err := s.store.changedBy(ctx, userID)
	list := make([]Changed, 0, len(rows))
	for _, r := range rows {
		list = append(list, Changed{r.ID, r.UpdatedAt.UTC()})
	}
	return list, err
}
