package alert

import (
	"context"
	"fmt"

	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Service is what operators do with alerts.
type Service struct {
	db    *database.DB
	store *Store
	audit *audit.Log
	clock clock.Clock
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock) *Service {
	return &Service{db, NewStore(db), audit.New(db, clk), clk}
}

// auditEntry is what the audit keeps of an alert.
type auditEntry struct {
	State      string  `json:"state"`
	By         *int64  `json:"by,omitempty"`
	Resolution *string `json:"resolution,omitempty"`
}

// Acknowledge records that an operator looks at an alert. Again by the same person it changes nothing; by another, or when the alert
// is resolved, it is a conflict.
func (s *Service) Acknowledge(ctx context.Context, id, by int64) (*Alert, error) {
	return s.change(ctx, id, "alert.acknowledge", func(a *Alert) (map[string]any, error) {
		switch {
		case a.State == Resolved:
			return nil, apperr.New(apperr.KindConflict, "Alert %d is resolved already", id)
		case a.State == Acknowledged && *a.AcknowledgedBy == by:
			return nil, nil
		case a.State == Acknowledged:
			return nil, errAcknowledged(id, *a.AcknowledgedBy)
		}
		return map[string]any{"acknowledged_at": s.clock.Now(), "acknowledged_by": by}, nil
	})
}

// Resolve records that an alert is done with, and why. Again by the same person it changes nothing; if another did, or if it closed by
// itself, it is a conflict.
func (s *Service) Resolve(ctx context.Context, id, by int64, reason string) (*Alert, error) {
	return s.change(ctx, id, "alert.resolve", func(a *Alert) (map[string]any, error) {
		switch {
		case a.State == Resolved && a.ResolvedBy == nil:
			return nil, apperr.New(apperr.KindConflict, "Alert %d closed by itself", id)
		case a.State == Resolved && *a.ResolvedBy == by:
			return nil, nil
		case a.State == Resolved:
			return nil, errResolved(id, *a.ResolvedBy)
		}
		return map[string]any{"resolved_at": s.clock.Now(), "resolved_by": by, "resolution": reason}, nil
	})
}

func errAcknowledged(id, by int64) error {
	return apperr.New(apperr.KindConflict, "Alert %d was acknowledged by account %d already", id, by)
}

func errResolved(id, by int64) error {
	return apperr.New(apperr.KindConflict, "Alert %d was resolved by account %d already", id, by)
}

// change changes an alert to what decide returns; nil changes nothing.
func (s *Service) change(ctx context.Context, id int64, action string, decide func(a *Alert) (map[string]any, error)) (after *Alert, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.store.lock(ctx, id); err != nil {
			return err
		}
		before, err := s.store.find(ctx, id)
		if err != nil {
			return err
		}
		if before == nil {
			return apperr.NotFound("There is no alert %d", id)
		}
		values, err := decide(before)
		if err != nil || values == nil {
			after = before
			return err
		}
		if err := s.store.change(ctx, id, values); err != nil {
			return err
		}
		if after, err = s.store.find(ctx, id); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{
			Action: action, Subject: fmt.Sprintf("alert %d", id),
			Before: auditEntry{before.State, before.AcknowledgedBy, nil}, After: auditEntry{after.State, actor(after), after.Resolution},
		})
	})
	return after, err
}

func actor(a *Alert) *int64 {
	if a.State == Resolved {
		return a.ResolvedBy
	}
	return a.AcknowledgedBy
}
