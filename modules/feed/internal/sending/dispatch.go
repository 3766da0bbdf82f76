package sending

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"gpatlas/modules/feed/internal/signing"
	"gpatlas/platform/auth"
	"gpatlas/platform/changes"
	"gpatlas/platform/database"
)

const (
	// floodMost is how many events of one publication are sent one by one; more become one notice.
	floodMost = 1000
	// countBy is how many events are read at once to count them.
	countBy = 5000
	// firstID sorts before the ID of every endpoint.
	firstID = "00000000-0000-0000-0000-000000000000"
	// plansEvery is how often plans are compared with the numbers of endpoints.
	plansEvery = time.Minute
)

// dispatchAlways dispatches whenever there is something.
func (s *Service) dispatchAlways(ctx context.Context) {
	said := false
	var lowered time.Time
	for ctx.Err() == nil {
		again, err := false, error(nil)
		if now := s.Clock.Now(); now.Sub(lowered) >= plansEvery {
			if err = s.Lowered(ctx); err == nil {
				lowered = now
			}
		}
		if err == nil {
			again, err = s.Dispatch(ctx)
		}
		if err != nil && ctx.Err() == nil && !said {
			s.Log.WarnContext(ctx, "webhooks are not dispatched; it is tried again every second", slog.Any("error", err))
		}
		said = err != nil
		wake(s.sending)
		if again && err == nil {
			select {
			case <-s.dispatching:
			case <-ctx.Done():
			case <-time.After(pollEvery / 10): // until some are sent
			}
			continue
		}
		select {
		case <-s.dispatching:
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// Lowered pauses endpoints above the number of their account's plan.
func (s *Service) Lowered(ctx context.Context) error {
	if s.Most == nil {
		return nil
	}
	_, err := database.Run(ctx, s.DB, "pause webhooks above a plan", strings.Replace(loweredSQL, "{{plan now}}", auth.PlanNowSQL, 1), database.Args{"now": s.Clock.Now(), "most": s.plans()})
	return err
}

// Dispatch lets every endpoint read on once. more reports that some have not read up to the newest event.
func (s *Service) Dispatch(ctx context.Context) (more bool, err error) {
	head, ok := s.Hub.Head()
	if !ok {
		if head, err = changes.HeadOf(ctx, s.DB); err != nil {
			return false, err
		}
	}
	for after := firstID; ; {
		n, last, left, err := s.dispatchSome(ctx, after, head.Newest)
		if more = more || left; err != nil || n < batch {
			return more, err
		}
		after = last
	}
}

// dispatchSome is the transaction of some endpoints: their messages, and how far they have read.
func (s *Service) dispatchSome(ctx context.Context, after string, newest int64) (n int, last string, more bool, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context) error {
		now := s.Clock.Now()
		readers, err := s.store.behind(ctx, after, newest, now)
		if err != nil || len(readers) == 0 {
			return err
		}
		n, last = len(readers), readers[len(readers)-1].ID
		filters, err := s.filters(ctx, readers)
		if err != nil {
			return err
		}
		var list []message
		var moved []move
		for i := range readers {
			r := &readers[i]
			made, to, left, err := s.read(ctx, r, filters[i])
			if err != nil {
				return err
			}
			more = more || left
			list = append(list, made...)
			moved = append(moved, move{r.ID, to, r.Mode == modeNotify && len(made) > 0})
		}
		return s.store.queue(ctx, list, moved, now)
	})
	return n, last, more, err
}

// The modes and scopes of endpoints.
const (
	modeNotify      = "notify"
	scopeCRDs       = "crds"
	scopeWatchlist  = "watchlist"
	scopeCollection = "collection"
)

// filters are what endpoints select, by the lists as they are now.
func (s *Service) filters(ctx context.Context, readers []reader) ([]changes.Filter, error) {
	var users []int64
	for i := range readers {
		if readers[i].Scope == scopeWatchlist {
			users = append(users, readers[i].UserID)
		}
	}
	watched, err := s.store.watched(ctx, users)
	if err != nil {
		return nil, err
	}
	out := make([]changes.Filter, len(readers))
	for i := range readers {
		r := &readers[i]
		out[i].Kinds = r.Kinds
		switch r.Scope {
		case scopeCRDs:
			out[i].CRDs = r.CRDs
		case scopeWatchlist:
			out[i].CRDs = append([]string{}, watched[r.UserID]...)
		case scopeCollection:
			list, err := s.store.collected(ctx, r.UserID, *r.CollectionID)
			if err != nil {
				return nil, err
			}
			out[i].CRDs = append([]string{}, list...)
		}
	}
	return out, nil
}

// read makes an endpoint's messages of the events after its position, as many as it has room for, and returns where it has read to.
func (s *Service) read(ctx context.Context, r *reader, f changes.Filter) (list []message, to int64, more bool, err error) {
	if r.Mode == modeNotify {
		count, to, err := s.count(ctx, r.Position, f, nil)
		if err != nil || count == 0 {
			return nil, to, false, err
		}
		return []message{s.notice(r.ID, r.Position, to, count)}, to, false, nil
	}
	room := int(min(freshMost-r.Fresh, openMost-r.Open))
	page, err := s.Hub.After(ctx, r.Position, floodMost+1, f)
	if err != nil {
		return nil, r.Position, false, err
	}
	if n := len(page.Events); n > floodMost && page.Events[0].At.Equal(page.Events[n-1].At) {
		first := page.Events[0]
		count, to, err := s.count(ctx, first.Seq-1, f, &first)
		return []message{s.notice(r.ID, first.Seq-1, to, count)}, to, true, err
	}
	to = r.Position
	for i := range page.Events {
		e := &page.Events[i]
		if len(list) == room || (page.More && i > 0 && e.At.Equal(page.Events[len(page.Events)-1].At) && !page.Events[0].At.Equal(e.At)) {
			return list, to, true, nil // the last publication may be longer than the page: the next round begins with it
		}
		list = append(list, message{EndpointID: r.ID, ID: signing.MessageID(r.ID, e.Seq, e.Kind), SeqLow: e.Seq - 1, SeqHigh: e.Seq, Kind: e.Kind, Events: 1})
		to = e.Seq
	}
	return list, page.Next, page.More, nil
}

// count counts the events after a number, up to the end of a publication if one of its events is given, and returns the last number
// that was looked at.
func (s *Service) count(ctx context.Context, at int64, f changes.Filter, of *changes.Event) (n, to int64, err error) {
	for to = at; ; {
		page, err := s.Hub.After(ctx, to, countBy, f)
		if err != nil {
			return n, to, err
		}
		for i := range page.Events {
			if of != nil && !page.Events[i].At.Equal(of.At) {
				return n, to, nil
			}
			n++
			to = page.Events[i].Seq
		}
		if to = page.Next; !page.More {
			return n, to, nil
		}
	}
}

func (s *Service) notice(endpoint string, low, high, count int64) message {
	return message{EndpointID: endpoint, ID: signing.MessageID(endpoint, high, Available), SeqLow: low, SeqHigh: high, Kind: Available, Events: count}
}
