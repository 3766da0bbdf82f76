package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"gpatlas/modules/feed/internal/sending"
	"gpatlas/modules/feed/internal/signing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/changes"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/outbound"
)

// Service keeps endpoints for their owners.
type Service struct {
	db     *database.DB
	store  *store
	clock  clock.Clock
	vault  signing.Vault
	out    *outbound.Client
	sender *sending.Service
	most   map[string]int // active endpoints by plan; nil: all plans are open
	tests  chan struct{}
}

// testsMost is how many tests a process runs at the same time.
const testsMost = 32

// NewService keeps endpoints whose messages sender sends. It takes what both need from the sender.
func NewService(sender *sending.Service) *Service {
	return &Service{
		db: sender.DB, store: &store{sender.DB}, clock: sender.Clock, vault: sender.Vault, out: sender.Out, sender: sender, most: sender.Most, tests: make(chan struct{}, testsMost),
	}
}

// now has PostgreSQL's precision, so that a response has the same time as a later read.
func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }

const (
	active   = "active"
	paused   = "paused"
	scopeAll = "all"
)

// Create makes an endpoint that gets the events from now on.
func (s *Service) Create(ctx context.Context, user int64, in *CreateInput) (*Created, error) {
	b := &in.Body
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, apperr.Internal(err)
	}
	now := s.now()
	r := &row{ID: id.String(), UserID: user, URL: b.URL, Kinds: append([]string{}, b.Kinds...), Mode: b.Mode, State: active, CreatedAt: now, UpdatedAt: now}
	if err := s.check(ctx, r, &b.Scope, &b.Headers); err != nil {
		return nil, err
	}
	secret := signing.NewSecret()
	sealed, err := s.vault.SealSecret(r.ID, secret)
	if err != nil {
		return nil, err
	}
	head, err := changes.HeadOf(ctx, s.db)
	if err != nil {
		return nil, err
	}
	r.Position = head.Newest
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.room(ctx, r); err != nil {
			return err
		}
		return s.store.add(ctx, r, sealed)
	})
	if err != nil {
		return nil, err
	}
	return &Created{shown(r, head), secret}, nil
}

// check refuses what is at fault in an endpoint, and takes in its scope and headers, which are nil if they stay as they are.
func (s *Service) check(ctx context.Context, r *row, scope *Scope, headers *map[string]string) (err error) {
	var f faults
	f.add("url", s.out.Check(r.URL))
	f.add("kinds", kindsFault(r.Kinds))
	if scope != nil {
		f.scope(*scope)
	}
	if headers != nil {
		f.add("headers", headersFault(*headers))
	}
	if err := f.err(); err != nil {
		return err
	}
	if scope != nil {
		if err := s.setScope(ctx, r, scope); err != nil {
			return err
		}
	}
	if headers != nil {
		r.HeaderNames = append([]string{}, slices.Sorted(maps.Keys(*headers))...)
		r.Headers, err = s.vault.SealHeaders(r.ID, *headers)
	}
	return err
}

const collectionSQL = "SELECT count(*) FROM accounts.pub_collection_item WHERE user_id = @user AND collection_id = @id::uuid"

func (s *Service) setScope(ctx context.Context, r *row, scope *Scope) error {
	r.Scope, r.CRDs, r.CollectionID = scopeAll, []string{}, nil
	switch {
	case scope.Watchlist:
		r.Scope = "watchlist"
	case scope.CRDs != nil:
		r.Scope, r.CRDs = "crds", scope.CRDs
	case scope.CollectionID != "":
		r.Scope, r.CollectionID = "collection", &scope.CollectionID
		n, err := database.Values[int64](ctx, s.db, "find a collection", collectionSQL, database.Args{"user": r.UserID, "id": scope.CollectionID})
		if err != nil {
			return err
		}
		if n[0] == 0 { // an empty one has a row
			return apperr.Invalid(apperr.FieldError{Field: "scope.collection_id", Message: "is not one of your collections"})
		}
	}
	return nil
}

// room refuses another active endpoint of an account that has as many as it may have. Requests of the account wait for one another.
func (s *Service) room(ctx context.Context, r *row) error {
	a, ok, err := s.store.lock(ctx, r.UserID, r.ID, s.clock.Now())
	if err != nil {
		return err
	}
	if !ok {
		return errGone
	}
	most, named := EndpointsMost["enterprise"], "enterprise"
	if s.most != nil {
		most, named = s.most[a.Plan], a.Plan
	}
	if a.Active >= most {
		return errTooMany(named, most)
	}
	return nil
}

// shown is an endpoint as its owner sees it.
func shown(r *row, head changes.Head) Endpoint {
	e := Endpoint{
		ID: r.ID, URL: r.URL, Kinds: r.Kinds, Mode: r.Mode, Headers: r.HeaderNames, State: r.State, Why: r.Why, FailingSince: clock.UTC(r.FailingSince), Failures: r.Streak,
		Waiting: r.Waiting, Cursor: head.At(r.Position).String(), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	switch r.Scope {
	case scopeAll:
		e.Scope.All = true
	case "watchlist":
		e.Scope.Watchlist = true
	case "crds":
		e.Scope.CRDs = r.CRDs
	default:
		e.Scope.CollectionID = *r.CollectionID
	}
	return e
}

// List returns an account's endpoints, the oldest first.
func (s *Service) List(ctx context.Context, user int64) ([]Endpoint, error) {
	rows, err := s.store.find(ctx, user, "")
	if err != nil {
		return nil, err
	}
	head, err := changes.HeadOf(ctx, s.db)
	list := make([]Endpoint, len(rows))
	for i := range rows {
		list[i] = shown(&rows[i], head)
	}
	return list, err
}

// one returns one of the account's endpoints as it is stored.
func (s *Service) one(ctx context.Context, user int64, id string) (*row, error) {
	rows, err := s.store.find(ctx, user, id)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errNoEndpoint
	}
	return &rows[0], nil
}

// Get returns one of the account's endpoints.
func (s *Service) Get(ctx context.Context, user int64, id string) (*Endpoint, error) {
	r, err := s.one(ctx, user, id)
	if err != nil {
		return nil, err
	}
	head, err := changes.HeadOf(ctx, s.db)
	if err != nil {
		return nil, err
	}
	e := shown(r, head)
	return &e, nil
}

// Update changes the settings or the state of one of the account's endpoints.
func (s *Service) Update(ctx context.Context, user int64, in *PatchInput) (*Endpoint, error) {
	b := &in.Body
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		r, err := s.one(ctx, user, in.EndpointID)
		if err != nil {
			return err
		}
		if b.State != nil && *b.State == active && r.State != active {
			if err := s.room(ctx, r); err != nil {
				return err
			}
		}
		if b.URL != nil {
			r.URL = *b.URL
		}
		if b.Kinds != nil {
			r.Kinds = *b.Kinds
		}
		if b.Mode != nil {
			r.Mode = *b.Mode
		}
		if err := s.check(ctx, r, b.Scope, b.Headers); err != nil {
			return err
		}
		if b.State != nil && *b.State != r.State {
			r.State, r.Why, r.Streak, r.FailingSince = *b.State, nil, 0, nil
		}
		r.UpdatedAt = s.now()
		return s.store.change(ctx, r)
	})
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, user, in.EndpointID)
}

// Delete removes one of the account's endpoints, with its messages.
func (s *Service) Delete(ctx context.Context, user int64, id string) error {
	n, err := s.store.remove(ctx, user, id)
	if err == nil && n == 0 {
		err = errNoEndpoint
	}
	return err
}

// Roll makes a new secret. The previous ones sign too for a while.
func (s *Service) Roll(ctx context.Context, user int64, in *RollInput) (*Rolled, error) {
	now := s.now()
	rolled := &Rolled{Secret: signing.NewSecret(), ExpiresAt: now.Add(time.Duration(in.Body.ExpiresIn) * time.Second)}
	sealed, err := s.vault.SealSecret(in.EndpointID, rolled.Secret)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.one(ctx, user, in.EndpointID); err != nil {
			return err
		}
		left, err := s.store.expire(ctx, in.EndpointID, rolled.ExpiresAt, now)
		if err != nil {
			return err
		}
		if left >= secretsMost {
			return errSecrets
		}
		return s.store.addSecret(ctx, in.EndpointID, sealed)
	})
	if err != nil {
		return nil, err
	}
	return rolled, nil
}

// Recover sets an endpoint back: the events since then are sent again, with the same IDs.
func (s *Service) Recover(ctx context.Context, user int64, in *RecoverInput) (*Endpoint, error) {
	since, cursor, err := in.read()
	if err != nil {
		return nil, err
	}
	if _, err := s.one(ctx, user, in.EndpointID); err != nil {
		return nil, err
	}
	head, err := changes.HeadOf(ctx, s.db)
	if err != nil {
		return nil, err
	}
	field := "cursor"
	var to int64
	if cursor != nil {
		to = cursor.Seq
		if head.Expired(*cursor) {
			return nil, errExpired
		}
	} else {
		field = "since"
		if head.Swept > 0 && head.OldestAt != nil && since.Before(*head.OldestAt) {
			return nil, errExpired
		}
		if to, err = changes.Since(ctx, s.db, *since); err != nil {
			return nil, err
		}
	}
	done, err := s.store.rewind(ctx, user, in.EndpointID, to)
	if err != nil {
		return nil, err
	}
	if !done {
		return nil, apperr.Invalid(apperr.FieldError{Field: field, Message: "is later than what the endpoint has read: it would skip events"})
	}
	return s.Get(ctx, user, in.EndpointID)
}

// Test posts webhook.test to an endpoint, and waits for the response.
func (s *Service) Test(ctx context.Context, user int64, id string) (*Tested, error) {
	r, err := s.one(ctx, user, id)
	if err != nil {
		return nil, err
	}
	select {
	case s.tests <- struct{}{}:
		defer func() { <-s.tests }()
	default:
		return nil, errBusy
	}
	now := s.now()
	secrets, err := s.store.secrets(ctx, id, now)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]any{"type": sending.Test, "timestamp": now.Format(time.RFC3339Nano), "data": map[string]string{"endpoint_id": id}})
	if err != nil {
		return nil, fmt.Errorf("encode a test: %w", err)
	}
	tested := &Tested{MessageID: signing.MessageID(id, now.UnixMicro(), sending.Test)}
	header, err := s.sender.Header(id, r.Headers, secrets, tested.MessageID, body)
	if err != nil {
		return nil, err
	}
	response, err := s.out.Post(ctx, r.URL, header, body)
	tested.MS = s.clock.Now().Sub(now).Milliseconds()
	if err != nil {
		tested.Error = new(err.Error())
		return tested, nil
	}
	tested.Status, tested.Delivered = &response.Status, response.Status >= 200 && response.Status < 300
	if said := sending.Printable(response.Body, header); said != "" {
		tested.Said = &said
	}
	return tested, nil
}
