package session

import (
	"context"
	"strings"
	"time"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
)

// Login signs in with an address and a password.
//
// A failure does not reveal whether the address is known: an unknown address, a wrong password and a deleted account return the same
// error after the same work, one look-up and one hash. Attempts over the limit do that work too, even with the right password. The
// Hasher bounds what a flood costs. Failures are counted per address, per IP address and per both, for known and unknown addresses.
// Spec: not shown; an unverified address can sign in, because resending the verification mail needs a session.
func (s *Service) Login(ctx context.Context, username, secret string, from Client) (Tokens, user.Summary, error) {
	username = strings.TrimSpace(username) // as registration does
	attempt, err := s.attempts.Take(ctx, throttle.SignIn(username, from.Address)...)
	if err != nil {
		return Tokens{}, user.Summary{}, err
	}
	u, match, err := s.check(ctx, username, secret)
	switch {
	case err != nil: // not checked, so no failed attempt
		if forgetErr := s.attempts.Forgive(context.WithoutCancel(ctx), attempt); forgetErr != nil {
			s.log.WarnContext(ctx, "a sign-in without a verdict stays counted as a failure", "error", forgetErr)
		}
		return Tokens{}, user.Summary{}, err
	case attempt.Wait > 0:
		return Tokens{}, user.Summary{}, throttle.TooMany(attempt.Wait, throttledText)
	case !match.OK || u.Deleted():
		return Tokens{}, user.Summary{}, errCredentials
	}
	fresh := ""
	if match.Outdated {
		if fresh, err = s.passwords.Hash(ctx, secret); err != nil {
			return Tokens{}, user.Summary{}, err
		}
	}
	var tokens Tokens
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		now := s.clock.Now()
		locked, err := s.users.Lock(ctx, u.ID)
		if err != nil {
			return err
		}
		if err := s.stillHolds(ctx, locked, u.PasswordHash, secret); err != nil {
			return err
		}
		if err := s.users.Update(ctx, u.ID, signedIn(now, fresh)); err != nil {
			return err
		}
		if err := s.attempts.Forgive(ctx, attempt); err != nil {
			return err
		}
		u = locked
		tokens, err = s.Open(ctx, u.ID, from)
		return err
	})
	if err != nil {
		return Tokens{}, user.Summary{}, err
	}
	return tokens, u.Summary(), nil
}

// stillHolds checks again what may have changed since the password was checked: the account may have been deleted, or its password
// reset, or hashed again by another sign-in.
func (s *Service) stillHolds(ctx context.Context, locked *user.User, checked, secret string) error {
	if locked == nil || locked.Deleted() {
		return errCredentials
	}
	if locked.PasswordHash == checked {
		return nil
	}
	match, err := s.passwords.Check(ctx, locked.PasswordHash, secret)
	if err == nil && !match.OK {
		err = errCredentials
	}
	return err
}

// check looks an account up and computes one hash, also where there is no such account. u is nil only when match is not OK.
func (s *Service) check(ctx context.Context, username, secret string) (*user.User, password.Match, error) {
	if user.EmailFault(username) != "" {
		username = "" // matches no account; PostgreSQL accepts no NUL
	}
	u, err := s.users.FindByEmail(ctx, username)
	if err != nil {
		return nil, password.Match{}, err
	}
	hash := ""
	if u != nil {
		hash = u.PasswordHash
	}
	match, err := s.passwords.Check(ctx, hash, secret)
	return u, match, err
}

func signedIn(now time.Time, hash string) map[string]any {
	columns := map[string]any{"last_login_at": now, "updated_at": now}
	if hash != "" {
		columns["password_hash"] = hash
	}
	return columns
}
