package apikey

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"gpatlas/modules/keys/internal/secret"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/plaintext"
)

// listMax bounds a list with revoked keys.
const listMax = 1_000

// Service manages keys for their owners.
type Service struct {
	store    *Store
	verifier *Verifier
	clock    clock.Clock
}

// NewService makes a Service. Keys that it revokes are removed from the verifier at once.
func NewService(store *Store, verifier *Verifier, clk clock.Clock) *Service {
	return &Service{store: store, verifier: verifier, clock: clk}
}

// CreateInput describes the new key.
type CreateInput struct {
	ID               string // of the new key; errMade if a key has it already. "" = a random one
	UserID           int64
	Name, Tier, Mode string
}

// Create makes a key and returns its secret, which is shown only once.
func (s *Service) Create(ctx context.Context, in CreateInput) (*Created, error) {
	name, err := plaintext.Name(in.Name)
	if err != nil {
		return nil, err
	}
	account, err := s.store.findOwner(ctx, in.UserID)
	switch {
	case err != nil:
		return nil, err
	case account == nil:
		return nil, errNoAccount
	case rank(in.Tier) > rank(account.APITier):
		return nil, errTier(in.Tier, account.APITier)
	case in.Mode == secret.Live && !account.EmailVerified:
		return nil, errUnverified
	}
	id, err := uuid.Parse(cmp.Or(in.ID, uuid.NewString()))
	if err != nil || id.Version() != 4 {
		return nil, apperr.Invalid(apperr.FieldError{Field: idField, Message: "is not the ID of a form: open the page again"})
	}
	key := secret.New(in.Mode)
	hash := secret.Sum(key)
	r := row{
		ID: id.String(), UserID: in.UserID, Name: name, Tier: in.Tier, Mode: in.Mode, Hash: hash[:], LastFour: secret.LastFour(key),
		CreatedAt: s.clock.Now(),
	}
	if err := s.store.add(ctx, r); err != nil {
		return nil, err
	}
	return &Created{ID: r.ID, Key: key, Warning: warning, Name: r.Name, Tier: r.Tier, Mode: r.Mode, CreatedAt: r.CreatedAt.UTC()}, nil
}

// List returns the account's keys, active ones first, the newest first.
func (s *Service) List(ctx context.Context, userID int64, revoked bool) ([]Key, ListMeta, error) {
	rows, err := s.store.list(ctx, userID, revoked)
	if err != nil {
		return nil, ListMeta{}, err
	}
	keys, meta := make([]Key, len(rows)), ListMeta{Total: len(rows), ActiveMax: ActiveMax}
	for i, r := range rows {
		keys[i] = rowToKey(r)
		if r.RevokedAt == nil {
			meta.Active++
		}
	}
	return keys, meta, nil
}

// Get returns one of the account's keys.
func (s *Service) Get(ctx context.Context, userID int64, id string) (*Key, error) {
	return found(s.store.find(ctx, userID, id))
}

// Rename names one of the account's keys.
//
// Spec: not shown for revoked keys; they are kept for audit, and cannot be renamed.
func (s *Service) Rename(ctx context.Context, userID int64, id, name string) (*Key, error) {
	name, err := plaintext.Name(name)
	if err != nil {
		return nil, err
	}
	r, err := s.store.rename(ctx, userID, id, name)
	if err != nil || r != nil {
		return found(r, err)
	}
	if r, err = s.store.find(ctx, userID, id); err == nil && r != nil {
		err = errRevoked
	}
	return found(nil, err)
}

func found(r *row, err error) (*Key, error) {
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errNoKey
	}
	k := rowToKey(*r)
	return &k, nil
}

// Revoke ends one of the account's keys. Revoking it again changes nothing.
func (s *Service) Revoke(ctx context.Context, userID int64, id string) error {
	r, err := s.store.find(ctx, userID, id)
	if err != nil {
		return err
	}
	if r == nil {
		return errNoKey
	}
	hashes, err := s.store.revoke(ctx, userID, r.ID, s.clock.Now())
	if err != nil {
		return err
	}
	s.verifier.Forget(hashes)
	return nil
}
