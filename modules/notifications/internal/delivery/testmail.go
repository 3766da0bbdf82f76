package delivery

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/platform/mail"
)

// testsPerDay is how many test mails an account can send itself per day.
const testsPerDay = 5

// Test sends an account a test mail of a built-in kind at once, with invented data. It ignores preferences and the registry,
// and does not track. If the mail server accepts it, earlier bounces of the address no longer count.
//
// Spec: not shown how often; five times a day (UTC), as a kind of the registry would allow, whether the mail arrives or not. An
// address that the mail server permanently refuses is a conflict. It is not counted as a bounce: only mails of the queue count,
// so that tests suppress nothing.
func (s *Service) Test(ctx context.Context, userID int64, id string) error {
	account, found, err := s.Accounts.FindAccount(ctx, userID)
	switch {
	case err != nil:
		return err
	case !found: // deleted a moment ago
		return apperr.New(apperr.KindUnauthenticated, "Sign in again")
	case !account.EmailVerified:
		return errUnverified
	}
	now := s.clock.Now().UTC()
	number, err := s.store.countTest(ctx, userID, testsPerDay, now)
	if err != nil {
		return err
	}
	if number == 0 {
		return tooMany(now)
	}
	if err = s.sample(ctx, account, id, mailKey(userID, now, number), now); err == nil {
		return s.Bounces.Forget(ctx, account.Email) // the address accepts mail again
	}
	if refusedAddress(err) {
		s.log.WarnContext(ctx, "a test mail was refused", slog.Int64("account", userID), slog.Any("error", err))
		return apperr.New(apperr.KindConflict, "The mail server refuses your address for good; check it, or change the email address of your account").Wrap(err)
	}
	if mail.IsPermanent(err) || refusedServer(err) {
		s.log.WarnContext(ctx, "a test mail was not sent", slog.Int64("account", userID), slog.Any("error", err))
		return apperr.Unavailable("The mail server did not accept the email; try again later").Wrap(err)
	}
	return err
}

// sample renders and sends a test mail.
func (s *Service) sample(ctx context.Context, account accountsapi.Account, id, key string, now time.Time) error {
	k, found, err := kind.InCode{}.Find(ctx, id)
	if err != nil || !found {
		return cmp.Or(err, error(apperr.NotFound("There is no such email")))
	}
	links, err := s.Links(ctx, account.ID, k.Category)
	if err != nil {
		return err
	}
	content, err := s.Sample(ctx, id, account, now, links)
	if err != nil {
		return err
	}
	return s.Sender.Send(ctx, render.Message(account, k.Category, content, links, mail.MessageID(key)))
}

var errUnverified = apperr.New(apperr.KindConflict, "Verify your email address first")

// mailKey is the natural key of a test mail.
func mailKey(userID int64, now time.Time, number int) string {
	return fmt.Sprintf("test:%d:%s:%d", userID, now.Format(time.DateOnly), number)
}

// tooMany refuses until the day (UTC) is over.
func tooMany(now time.Time) error {
	tomorrow := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	return apperr.New(apperr.KindRateLimited, "An account can send %d test emails per day", testsPerDay).Wrap(waiting{tomorrow.Sub(now)})
}

// waiting is the cause of a refusal, an httpapi.Waiter.
type waiting struct{ wait time.Duration }

func (w waiting) Error() string { return "wait for " + w.wait.String() }

// RetryAfter is how long the caller should wait.
func (w waiting) RetryAfter() time.Duration { return w.wait }
