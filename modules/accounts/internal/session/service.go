package session

import (
	"context"
	"log/slog"
	"time"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Service opens, extends and ends sessions.
type Service struct {
	db        *database.DB
	clock     clock.Clock
	users     *user.Store
	log       *slog.Logger
	passwords *password.Hasher
	attempts  *throttle.Service
	signer    *token.Signer
	store     *Store

	Locator Locator // Nowhere, unless a GeoIP database is configured
}

// NewService works on db.
func NewService(
	db *database.DB, clk clock.Clock, log *slog.Logger,
	passwords *password.Hasher, attempts *throttle.Service, signer *token.Signer,
) *Service {
	return &Service{
		db: db, clock: clk, users: user.NewStore(db), log: log, passwords: passwords,
		attempts: attempts, signer: signer, store: NewStore(db), Locator: Nowhere{},
	}
}

// Open signs an account in and ends its other sessions: one device at a time can be signed in. It must run in a transaction that has
// locked the account's row (or just written it), so that of two sign-ins at once one remains.
//
// Spec: not shown; the contract has no sessions of browsers. A sign-in by API ends the sessions that have tokens, but not the browser's,
// because people use the pages while they make calls. A sign-in with a browser ends all others.
func (s *Service) Open(ctx context.Context, userID int64, from Client) (Tokens, error) {
	now := s.clock.Now()
	if err := s.store.endReplaced(ctx, userID, from.Browser, now); err != nil {
		return Tokens{}, err
	}
	row := &Row{
		ID: token.NewSessionID(), UserID: userID, Device: device(from.UserAgent), IPAddress: "unknown",
		CreatedAt: now, LastActive: now, ExpiresAt: now.Add(RefreshLifetime),
	}
	if from.Address.IsValid() {
		row.IPAddress = from.Address.String()
		if place, ok := s.Locator.Locate(from.Address); ok {
			row.Location = &place
		}
	}
	secret := ""
	if from.Browser {
		secret = token.Random()
		row.BrowserHash = token.Hash(secret)
	}
	if err := s.store.add(ctx, row); err != nil {
		return Tokens{}, err
	}
	if from.Browser {
		return Tokens{SessionID: row.ID, BrowserSecret: secret}, nil
	}
	return s.issue(ctx, userID, row.ID, now)
}

// issue makes the tokens of a session.
func (s *Service) issue(ctx context.Context, userID int64, sessionID string, now time.Time) (Tokens, error) {
	access, err := s.signer.Sign(userID, sessionID)
	if err != nil {
		return Tokens{}, err
	}
	refresh := token.NewRefresh()
	err = s.store.addRefresh(ctx, &RefreshRow{
		Hash: token.Hash(refresh), SessionID: sessionID, IssuedAt: now, ExpiresAt: now.Add(RefreshLifetime),
	})
	return Tokens{
		AccessToken: access, RefreshToken: refresh, TokenType: tokenType,
		ExpiresIn: int(token.AccessLifetime.Seconds()), SessionID: sessionID,
	}, err
}

// EndAll ends the sessions of an account except the given one (empty = all), and returns how many it ended. Inside a transaction it is
// part of it.
func (s *Service) EndAll(ctx context.Context, userID int64, reason Reason, exceptSessionID string) (int, error) {
	return s.store.endAll(ctx, userID, reason, exceptSessionID, s.clock.Now())
}

// Logout ends a session. It is no error if the session has already ended.
func (s *Service) Logout(ctx context.Context, userID int64, sessionID string) error {
	_, err := s.store.end(ctx, userID, sessionID, ByLogout, s.clock.Now())
	return err
}

// End ends one of an account's sessions. Sessions of other accounts are not found.
func (s *Service) End(ctx context.Context, userID int64, sessionID string) error {
	ended, err := s.store.end(ctx, userID, sessionID, ByUser, s.clock.Now())
	if err == nil && !ended {
		err = errNoSession
	}
	return err
}

// List returns the current sessions of an account, the last used first. current is the caller's.
func (s *Service) List(ctx context.Context, userID int64, current string) ([]Session, error) {
	rows, err := s.store.list(ctx, userID, s.clock.Now())
	if err != nil {
		return nil, err
	}
	list := make([]Session, len(rows))
	for i, r := range rows {
		list[i] = Session{
			ID: r.ID, Device: r.Device, IPAddress: r.IPAddress, Location: r.Location,
			CreatedAt: r.CreatedAt.UTC(), LastActive: r.LastActive.UTC(), IsCurrent: r.ID == current,
		}
	}
	return list, nil
}

// keptFor is how long sessions that have ended are kept, for the export.
const keptFor = 90 * 24 * time.Hour

// Sweep removes sessions that ended ninety days ago, and returns how many.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	return s.store.sweep(ctx, s.clock.Now().Add(-keptFor))
}
