// Package throttle limits actions: failed sign-ins, requested mails. The counts are in the database, so that they survive
// restarts, hold across processes, and work while Redis is unavailable. Subjects are stored as hashes: typed addresses that
// belong to no account are not stored.
package throttle

import (
	"context"
	"crypto/sha256"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// Rule limits how often an action is allowed for one subject.
type Rule struct {
	Kind   string // of accounts.attempts
	Max    int    // times
	Window time.Duration
	// Even makes refused attempts take as long as accepted ones, so that response times do not reveal refusals: a refused
	// attempt is stored under Kind with the suffix "_refused", which no rule counts.
	Even bool
}

// The rules of the contract.
//
// Spec: not shown; MailIP. Registrations and requests for reset links send mail to any typed address, and the response to a
// registration reveals whether the address has an account. The request limits have no daily limit for these operations.
var (
	LoginPair      = Rule{Kind: "login_pair", Max: 10, Window: 15 * time.Minute}   // failures per email address and IP address
	LoginIP        = Rule{Kind: "login_ip", Max: 50, Window: 15 * time.Minute}     // failures per IP address
	LoginEmail     = Rule{Kind: "login_email", Max: 100, Window: 15 * time.Minute} // failures per email address
	Export         = Rule{Kind: "export", Max: 10, Window: 24 * time.Hour}         // exports per account
	VerifyMail     = Rule{Kind: "verify", Max: 3, Window: time.Hour}               // verification mails per account
	MailIP         = Rule{Kind: "mail_ip", Max: 100, Window: time.Hour}            // registrations and reset mails asked for per IP address
	ForgotPassword = Rule{Kind: "forgot", Max: 3, Window: time.Hour, Even: true}   // reset mails per email address
)

// Use is a subject that a rule is applied to.
type Use struct {
	Rule    Rule
	Subject string // an email address's key, an IP address, an account's number
	Place   string // an IP address, if the rule counts a subject separately for each place; else empty
}

// Taken is the result of Take.
type Taken struct {
	// Wait is how long until the next attempt is accepted; 0 = this one was accepted and counted.
	Wait time.Duration
	ids  []int64
}

// Service counts.
type Service struct {
	store *Store
	clock clock.Clock
}

// NewService counts by a clock.
func NewService(store *Store, clk clock.Clock) *Service { return &Service{store: store, clock: clk} }

// Take counts one attempt for each use, or for none if one of them is over its limit. Attempts are counted before the action,
// so that concurrent ones cannot all pass; Forgive takes back an attempt that should not count. Refused attempts are not
// counted: waiting as long as Wait is enough.
func (s *Service) Take(ctx context.Context, uses ...Use) (Taken, error) {
	return s.store.count(ctx, s.clock.Now(), uses)
}

// Spend is Take of an attempt that is not taken back. Its error for a refusal is TooMany's, with the message for the caller.
func (s *Service) Spend(ctx context.Context, use Use, sentence string) error {
	taken, err := s.Take(ctx, use)
	if err == nil && taken.Wait > 0 {
		err = TooMany(taken.Wait, sentence)
	}
	return err
}

// Forgive takes back what Take has counted.
func (s *Service) Forgive(ctx context.Context, t Taken) error { return s.store.forget(ctx, t.ids) }

// Sweep removes counts that no rule can need any more, and returns how many.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	return s.store.sweep(ctx, s.clock.Now().Add(-longest))
}

// longest is at least as long as the window of every rule.
const longest = 24 * time.Hour

// Clear removes all counts of a rule for a subject, in all places. Inside a transaction it is part of it.
func (s *Service) Clear(ctx context.Context, rule Rule, subject string) error {
	return s.store.clear(ctx, Use{Rule: rule, Subject: subject})
}

// subject is the stored form of a count's subject: a hash. With a place it is half a hash of each, so that the first half finds
// the counts of all places.
func (u Use) subject() []byte {
	whole := sha256.Sum256([]byte(u.Rule.Kind + "\x00" + u.Subject))
	if u.Place == "" {
		return whole[:]
	}
	place := sha256.Sum256([]byte(u.Rule.Kind + "\x00" + u.Place))
	return append(whole[:half:half], place[:half]...)
}

// half is the length of half a SHA-256 sum in bytes.
const half = sha256.Size / 2

// waiting is the cause of a refusal, a httpapi.Waiter.
type waiting struct{ wait time.Duration }

func (w waiting) Error() string { return "wait for " + w.wait.String() }

// RetryAfter is how long the caller should wait.
func (w waiting) RetryAfter() time.Duration { return w.wait }

// TooMany is the error for a refusal by Take, with the message for the caller: a 429 with Retry-After.
func TooMany(wait time.Duration, sentence string) error {
	return apperr.New(apperr.KindRateLimited, "%s", sentence).Wrap(waiting{wait})
}
