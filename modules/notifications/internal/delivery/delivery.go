// Package delivery sends the mails of the queue. It checks again what may have changed since a mail was queued: the registry,
// the account, its preferences, its address, and how many mails of the kind it has had today.
package delivery

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
)

// Parts are the delivery's dependencies.
type Parts struct {
	render.Post

	Queue       *queue.Service
	Kinds       kind.Kinds
	Accounts    accountsapi.Directory
	Preferences *preference.Service
	Bounces     *Bounces
	Tracker     render.Tracker // nil: mails are not tracked
	Connections int            // mails sent at the same time
}

// Service delivers.
type Service struct {
	Parts

	store  *store
	clock  clock.Clock
	log    *slog.Logger
	starts *jobs.Enqueuer
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, log *slog.Logger, starts *jobs.Enqueuer, parts Parts) *Service {
	return &Service{Parts: parts, store: &store{db}, clock: clk, log: log, starts: starts}
}

// outcome is the final state of a mail, and the reason.
type outcome struct{ state, reason string }

func suppressed(reason string) *outcome { return &outcome{queue.Suppressed, reason} }

// recipient finds the account of a mail, or the reason why it does not get the mail.
//
// Spec: not shown whether unverified addresses get mail. Mails about the account and its trial are sent there; other mails only
// to verified addresses.
func (s *Service) recipient(ctx context.Context, userID int64, category string) (accountsapi.Account, *outcome, error) {
	account, found, err := s.Accounts.FindAccount(ctx, userID)
	switch {
	case err != nil:
		return account, nil, err
	case !found:
		return account, suppressed(queue.NoAccount), nil
	case !kind.Refusable(category):
		return account, nil, nil
	case !account.EmailVerified:
		return account, suppressed(queue.NotVerified), nil
	}
	wants, err := s.Preferences.Wants(ctx, userID, category)
	if err != nil || !wants {
		return account, suppressed(queue.Refused), err
	}
	bounced, err := s.Bounces.Suppressed(ctx, account.Email)
	if err != nil || bounced {
		return account, suppressed(queue.Bounced), err
	}
	return account, nil, nil
}

// compose renders a mail, or finds the reason why it is not sent.
func (s *Service) compose(ctx context.Context, p *prepared) (err error) {
	write := s.Renderers[p.kind.ID]
	if write == nil {
		p.why = &outcome{queue.Failed, queue.NotRenderable}
		return nil
	}
	if p.links, err = s.Links(ctx, p.account.ID, p.kind.Category); err != nil {
		return err
	}
	var something bool
	p.content, something, err = write(ctx, p.account, p.entry.Data, p.links)
	switch {
	case err != nil && apperr.From(err).Kind == apperr.KindUnavailable:
		return err
	case err != nil:
		s.log.ErrorContext(ctx, "a mail cannot be written", slog.String("kind", p.kind.ID), slog.Int64("mail", p.entry.ID), slog.Any("error", err))
		p.why = &outcome{queue.Failed, queue.NotRenderable}
	case !something:
		p.why = suppressed(queue.Overtaken)
	}
	return nil
}

// finder finds a kind.
type finder func(ctx context.Context, id string) (kind.Kind, bool, error)

// known reads each kind from the registry once.
func (s *Service) known() finder {
	type answer struct {
		k     kind.Kind
		found bool
	}
	seen := map[string]answer{}
	return func(ctx context.Context, id string) (kind.Kind, bool, error) {
		if a, asked := seen[id]; asked {
			return a.k, a.found, nil
		}
		k, found, err := s.Kinds.Find(ctx, id)
		if err == nil {
			seen[id] = answer{k, found}
		}
		return k, found, err
	}
}

// tries is the maximum number of attempts for a mail. With the waits between, they span most of a day.
const tries = 8

// wait is the delay after a failed attempt: five minutes at first, then twice as long each time, six hours at most.
func wait(attempt int) time.Duration {
	const first, most = 5 * time.Minute, 6 * time.Hour
	return min(most, first<<min(max(attempt-1, 0), tries))
}

// refusedServer reports whether a mail failed for a reason unrelated to it: the server is unavailable, or accepts no mail from
// us.
func refusedServer(err error) bool {
	e, ok := errors.AsType[*mail.SendError](err)
	return ok && (e.Stage == "connect" || e.Stage == "sign-in" || e.Stage == "sender" || e.Stage == "folder")
}

// refusedAddress reports whether a mail server permanently refuses the recipient.
func refusedAddress(err error) bool {
	e, ok := errors.AsType[*mail.SendError](err)
	return ok && e.Stage == "recipient" && e.Permanent
}
