package delivery

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/templates/email"
)

// freshFor is how long the checks of a mail hold. A mail that waits longer is prepared again.
const freshFor = 5 * time.Second

// prepared is a claimed mail that was checked again and rendered.
type prepared struct {
	entry   queue.Entry
	at      time.Time
	kind    kind.Kind
	account accountsapi.Account
	content email.Content
	links   render.Links
	why     *outcome // it is not to be sent
	err     error
}

// prepare checks claimed mails again, and renders them. It stores all its changes in one transaction, because a commit for each
// mail would take most of the time. After an error that ends the run, further mails are left out.
func (s *Service) prepare(ctx context.Context, entries []queue.Entry) []*prepared {
	find, now := s.known(), s.clock.Now().UTC()
	var list, toSend []*prepared
	for _, e := range entries {
		p := &prepared{entry: e, at: now}
		list = append(list, p)
		if p.err = s.write(ctx, p, find); ends(ctx, p.err) {
			break
		}
		if p.err == nil && p.why == nil {
			toSend = append(toSend, p)
		}
	}
	if len(toSend) == 0 {
		return list
	}
	err := s.reserve(ctx, toSend)
	for _, p := range toSend {
		p.err = err
		if err != nil && len(toSend) > 1 && !ends(ctx, err) { // a fault of one of them: the others continue
			p.err = s.reserve(ctx, []*prepared{p})
		}
	}
	return list
}

// ends reports whether an error is not a fault of a mail, and so ends the run.
func ends(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || apperr.From(err).Kind == apperr.KindUnavailable)
}

// write checks a mail again, and renders it. A panic of a renderer is a fault of its mail.
func (s *Service) write(ctx context.Context, p *prepared, find finder) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	k, found, err := find(ctx, p.entry.Kind)
	switch {
	case err != nil:
		return err
	case !found:
		p.why = suppressed(queue.UnknownKind)
		return nil
	case !k.Enabled:
		p.why = suppressed(queue.Disabled)
		return nil
	}
	p.kind = k
	p.account, p.why, err = s.recipient(ctx, p.entry.UserID, k.Category)
	if err != nil || p.why != nil {
		return err
	}
	return s.compose(ctx, p)
}

// reserve counts mails that are to be sent, and tracks those within the daily limit: what is tracked is sent.
func (s *Service) reserve(ctx context.Context, list []*prepared) error {
	return s.store.db.InTx(ctx, func(ctx context.Context) error {
		counted, err := s.store.reserve(ctx, list, s.clock.Now().UTC())
		if err != nil {
			return err
		}
		var tracked []*prepared
		var drafts []render.Draft
		for _, p := range list {
			p.why = nil
			switch {
			case !counted[p.entry.ID]:
				p.why = suppressed(queue.DailyLimit)
			case s.Tracker != nil && kind.Refusable(p.kind.Category):
				tracked = append(tracked, p)
				drafts = append(drafts, render.Draft{ID: p.entry.ID, UserID: p.entry.UserID, Kind: p.kind, Content: p.content, Links: p.links})
			}
		}
		if len(tracked) == 0 {
			return nil
		}
		contents, err := s.Tracker.Track(ctx, drafts...)
		if err != nil {
			return err
		}
		for i, p := range tracked {
			p.content = contents[i]
		}
		return nil
	})
}
