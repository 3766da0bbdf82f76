// Package mailtoken keeps the tokens that are mailed: to verify an address, to reset a password. Each is good once, for a
// time, and for the address it was sent to. Only its SHA-256 is stored; the token itself is made in the job that mails it
// and is nowhere else.
package mailtoken

import (
	"context"
	"encoding/hex"
	"time"

	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/user"
)

// Purpose is what a token is for. A token of one purpose is unknown to the other.
type Purpose string

// The purposes, as they are stored.
const (
	Verify Purpose = "verify"
	Reset  Purpose = "reset"
)

// How long tokens are good for: a token of 24 hours is good until 23:59:59.999… after it was issued.
const (
	VerifyLifetime = 24 * time.Hour
	ResetLifetime  = time.Hour
)

// Lifetime is how long a token of the purpose is good for.
func (p Purpose) Lifetime() time.Duration {
	if p == Reset {
		return ResetLifetime
	}
	return VerifyLifetime
}

// MaxLength is the longest text that may be a token; a real one has 43 characters.
const MaxLength = 256

// keptFor is how long tokens that are good for nothing any more stay for the export.
const keptFor = 90 * 24 * time.Hour

// Issued is a new token.
type Issued struct {
	Secret string // goes into the mail's link and nowhere else
	Key    string // names the token and tells nothing about it: for the Message-ID
}

// Issue makes a token for the account's present address and ends the older unused ones of the purpose: of several mails the
// newest works. It must run in a transaction that has the account's row locked, so that of two at once one token is left.
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

// Find gives the row of a token, whatever has become of it; nil when there never was one.
func (s *Store) Find(ctx context.Context, purpose Purpose, secret string) (*Row, error) {
	if secret == "" || len(secret) > MaxLength {
		return nil, nil //nolint:nilnil // Find: may not be there
	}
	return s.find(ctx, purpose, token.Hash(secret))
}

// Good says whether a token can be used now, for an account as it is now.
func (r *Row) Good(u *user.User, now time.Time) bool {
	return r != nil && u != nil && r.UserID == u.ID && r.EmailKey == u.EmailKey && !u.Deleted() && r.UsedAt == nil && r.ExpiresAt.After(now)
}

// Sweep removes tokens that have been good for nothing for ninety days, and says how many.
func (s *Store) Sweep(ctx context.Context, now time.Time) (int64, error) {
	return s.sweep(ctx, now.Add(-keptFor))
}
