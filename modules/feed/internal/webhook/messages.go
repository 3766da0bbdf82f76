package webhook

import (
	"context"
	"fmt"

	"gpatlas/modules/feed/internal/sending"
	"gpatlas/platform/clock"
)

// Messages returns a part of the messages of one of the account's endpoints, the newest first, and how many there are.
func (s *Service) Messages(ctx context.Context, user int64, in *MessagesInput, limit, offset int) ([]Message, int, error) {
	if _, err := s.one(ctx, user, in.EndpointID); err != nil {
		return nil, 0, err
	}
	var f faults
	if kind := in.Kind.Value; in.Kind.Set && kind != sending.Available && kind != sending.Match {
		f.add("kind", kindsFault([]string{kind}))
	}
	if err := f.err(); err != nil {
		return nil, 0, err
	}
	total, err := s.store.count(ctx, in.EndpointID, in.State.Value, in.Kind.Value)
	if err != nil {
		return nil, 0, err
	}
	rows, err := s.store.messages(ctx, in.EndpointID, "", in.State.Value, in.Kind.Value, limit, offset)
	list := make([]Message, len(rows))
	for i := range rows {
		list[i] = rows[i].shown()
	}
	return list, total, err
}

func (r *messageRow) shown() Message {
	m := Message{ID: r.ID, Kind: r.Kind, Events: r.Events, State: r.State, Attempts: r.Attempts, CreatedAt: r.CreatedAt.UTC()}
	if r.Kind != sending.Available && r.Kind != sending.Match {
		m.EventID = new(fmt.Sprintf("chg_%016x", r.SeqHigh))
	}
	if r.State == "waiting" {
		m.NextAt = clock.UTC(r.NextAt)
	}
	return m
}

// Message returns one message with its attempts.
func (s *Service) Message(ctx context.Context, user int64, endpoint, id string) (*Full, error) {
	if _, err := s.one(ctx, user, endpoint); err != nil {
		return nil, err
	}
	rows, err := s.store.messages(ctx, endpoint, id, "", "", 1, 0)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errNoMessage
	}
	attempts, err := s.store.attempts(ctx, endpoint, id)
	if attempts == nil {
		attempts = []Attempt{}
	}
	return &Full{rows[0].shown(), attempts}, err
}

// Resend makes a message due at once, with all its attempts before it. One that is being sent stays as it is.
func (s *Service) Resend(ctx context.Context, user int64, endpoint, id string) (*Full, error) {
	r, err := s.one(ctx, user, endpoint)
	if err != nil {
		return nil, err
	}
	if _, err := s.Message(ctx, user, endpoint, id); err != nil {
		return nil, err
	}
	if r.State != active {
		return nil, errInactive
	}
	if err := s.store.resend(ctx, endpoint, id, s.now()); err != nil {
		return nil, err
	}
	return s.Message(ctx, user, endpoint, id)
}
