// Package throttle counts what may happen only so often: sign-ins that fail, mails asked for. The counts are in the
// database, so that they hold over restarts and processes, and when Redis is away. Whom they are about is kept as a
// hash: addresses that somebody typed and that are nobody's are not stored.
package throttle

import (
	"context"
	"crypto/sha256"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// Rule is how often something may happen to one subject.
type Rule struct {
	Kind   string // of accounts.attempts
	Max    int    // times
	Window time.Duration
	// Even: a refused one is written down under Kind with "_refused" behind it, where no rule counts it. It then takes as
	// long as one that is let through, so that the time of an answer does not tell them apart.
	Even bool
}

// The rules of the contract.
//
// Spec: not shown; MailIP. Whoever registers or asks for a reset link types an address that gets a mail, whosever it is, and
// reads from the answer to a registration whether an account has it. The limits of requests have no day for these operations.
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
	Place   string // where the rule counts a subject for each place by itself: an IP address. Empty elsewhere
}

// Taken is what Take decided.
type Taken struct {
	// Wait is how long it takes until the next one would be let through; 0 = this one was, and has been counted.
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

// Take counts one time for each use, or for none of them where one is used up. What is counted is counted before the
// deed, so that many at once cannot all slip through; one that need not have been counted is given back with Forgive.
// Those refused are not counted: waiting as long as told is enough.
func (s *Service) Take(ctx context.Context, uses ...Use) (Taken, error) {
	return s.store.count(ctx, s.clock.Now(), uses)
}

// Forgive takes back what Take has counted.
func (s *Service) Forgive(ctx context.Context, t Taken) error { return s.store.forget(ctx, t.ids) }

// Sweep removes what no rule can ask for any more, and says how many.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	return s.store.sweep(ctx, s.clock.Now().Add(-longest))
}

// longest is no shorter than any rule's window.
const longest = 24 * time.Hour

// Clear takes back everything that a rule has counted for a subject, in all places. Inside a transaction it is part of it.
func (s *Service) Clear(ctx context.Context, rule Rule, subject string) error {
	return s.store.clear(ctx, Use{Rule: rule, Subject: subject})
}

// subject is what is stored of whom a count is about: a hash. With a place it is half a hash of each, so that what was
// counted in any place is found by the first half.
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

// waiting is the cause of a refusal: a httpapi.Waiter.
type waiting struct{ wait time.Duration }

func (w waiting) Error() string { return "wait for " + w.wait.String() }

// RetryAfter is how long to wait.
func (w waiting) RetryAfter() time.Duration { return w.wait }

// TooMany is the error of what Take has refused, with the sentence that the caller reads. The answer is a 429 that says in
// Retry-After how long to wait.
func TooMany(wait time.Duration, sentence string) error {
	return apperr.New(apperr.KindRateLimited, "%s", sentence).Wrap(waiting{wait})
}
