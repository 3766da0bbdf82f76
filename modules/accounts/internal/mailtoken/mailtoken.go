// Package mailtoken keeps the tokens that are mailed to verify an address or to reset a password. Each can be used once, within
// its lifetime, and for the address it was sent to. Only its SHA-256 is stored; the token itself exists only in the job that
// mails it.
package mailtoken

import (
	"context"
	"encoding/hex"
	"time"

	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/user"
)

// Purpose is what a token is for. A token is valid for its own purpose only.
type Purpose string

// The purposes, as they are stored.
const (
	Verify Purpose = "verify"
	Reset  Purpose = "reset"
)

// How long tokens are valid: a token of 24 hours is valid until 23:59:59.999… after it was issued.
const (
	VerifyLifetime = 24 * time.Hour
	ResetLifetime  = time.Hour
)

// Lifetime is how long a token of the purpose is valid.
func (p Purpose) Lifetime() time.Duration {
	if p == Reset {
		return ResetLifetime
	}
	return VerifyLifetime
}

// MaxLength is the maximum length of a token in requests; a real one has 43 characters.
const MaxLength = 256

// keptFor is how long invalid tokens are stored, for the export.
const keptFor = 90 * 24 * time.Hour

// Issued is a new token.
type Issued struct {
	Secret string // for the mail's link only
	Key    string // identifies the token without revealing it: for the Message-ID
}

// Issue makes a token for the account's present address and ends the older unused ones of the purpose: of several mails the
// newest works. It must run in a transaction that has locked the account's row, so that of two concurrent calls one token is
// left.
func (s *Store) Issue(ctx context.Context, u *user.User, purpose Purpose, now time.Time) (Issued, error) {
	if err := s.End(ctx, u.ID, purpose, now); err != nil {
		return Issued{}, err
	}
	secret := token.Random()
	row := &Row{
		Hash: token.Hash(secret), UserID: u.ID, Purpose: string(purpose), EmailKey: u.EmailKey,
		IssuedAt: now, ExpiresAt: now.Add(purpose.Lifetime()),
	}
	if err := s.add(ctx, row); err != nil {
		return Issued{}, err
	}
	return Issued{Secret: secret, Key: hex.EncodeToString(row.Hash)}, nil
}

// Find returns the row of a token, valid or not; nil if it never existed.
func (s *Store) Find(ctx context.Context, purpose Purpose, secret string) (*Row, error) {
	if secret == "" || len(secret) > MaxLength {
		return nil, nil //nolint:nilnil // Find: may not be there
	}
	return s.find(ctx, purpose, token.Hash(secret))
}

// Good reports whether a token can be used now for the account.
func (r *Row) Good(u *user.User, now time.Time) bool {
	return r != nil && u != nil && r.UserID == u.ID && r.EmailKey == u.EmailKey && !u.Deleted() && r.UsedAt == nil && r.ExpiresAt.After(now)
}

// Sweep removes tokens that have been invalid for ninety days, and returns how many.
func (s *Store) Sweep(ctx context.Context, now time.Time) (int64, error) {
	return s.sweep(ctx, now.Add(-keptFor))
}
