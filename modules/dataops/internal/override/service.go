package override

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
	"gpatlas/platform/plaintext"
)

// Service is what operators do with overrides.
type Service struct {
	store *store
	by    map[string]overrides.Overrider
	audit *audit.Log
	clock clock.Clock
}

// NewService works on db. appliers are the modules that apply overrides; two that apply the same type are a fault of the program.
func NewService(db *database.DB, appliers []overrides.Overrider, clk clock.Clock) (*Service, error) {
	by := map[string]overrides.Overrider{}
	for _, a := range appliers {
		for _, t := range a.OverrideTypes() {
			if by[t] != nil {
				return nil, fmt.Errorf("two modules apply overrides of type %s", t)
			}
			by[t] = a
		}
	}
	return &Service{newStore(db), by, audit.New(db, clk), clk}, nil
}

// types are those that are applied, in their order.
func (s *Service) types() []string {
	out := make([]string, 0, len(s.by))
	for t := range s.by {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// auditEntry is what the audit keeps of an override. A reason about a person is left out: it may have a name in it.
// Values of persons are IDs.
type auditEntry struct {
	Type      string          `json:"type"`
	EntityID  string          `json:"entity_id"`
	Field     string          `json:"field,omitempty"`
	Value     json.RawMessage `json:"value"`
	Original  json.RawMessage `json:"original"`
	Reason    string          `json:"reason,omitempty"`
	ValidFrom string          `json:"valid_from"`
	Active    bool            `json:"active"`
}

func (s *Service) newAuditEntry(e *Entry, active bool) auditEntry {
	out := auditEntry{Type: e.Type, EntityID: e.EntityID, Value: e.Value, Original: e.Original, ValidFrom: e.ValidFrom, Active: active}
	if by := s.by[e.Type]; by != nil && !by.AboutPersons(e.Type) {
		out.Reason = e.Reason
	}
	if e.Field != nil {
		out.Field = *e.Field
	}
	return out
}

// valueMax is how many bytes a value may have.
const valueMax = 4096

// check completes an override, and returns the faults that are possible in any type.
func (s *Service) check(o *overrides.Override) (faults []apperr.FieldError) {
	if message := plaintext.LineFault(o.Reason); message != "" {
		faults = append(faults, apperr.FieldError{Field: "reason", Message: message})
	}
	o.Reason = strings.TrimSpace(o.Reason)
	if len(o.Value) > valueMax {
		faults = append(faults, apperr.FieldError{Field: "value", Message: "must have 4,096 bytes at most"})
	}
	today := clock.Today(s.clock)
	if o.ValidFrom.IsZero() {
		o.ValidFrom = today
	} else if o.ValidFrom.After(today) {
		faults = append(faults, apperr.FieldError{Field: "valid_from", Message: "must not be after today, " + today.Format(time.DateOnly)})
	}
	return faults
}

// errPreview undoes the transaction of a preview.
var errPreview = errors.New("nothing is saved")

// Create applies an override and stores it. Without ValidFrom it holds from today on. A preview returns what would be made, and changes
// nothing.
func (s *Service) Create(ctx context.Context, o *overrides.Override, preview bool) (made *Entry, err error) {
	if faults := s.check(o); len(faults) > 0 {
		return nil, apperr.Invalid(faults...)
	}
	applier := s.by[o.Type]
	if applier == nil {
		return nil, apperr.Invalid(apperr.FieldError{Field: "override_type", Message: "must be one of " + strings.Join(s.types(), ", ")})
	}
	err = s.store.alone(ctx, func(ctx context.Context) error {
		o.CreatedAt = s.clock.Now()
		if err := s.free(ctx, o); err != nil {
			return err
		}
		if o.ID, err = s.store.next(ctx); err != nil {
			return err
		}
		original, err := applier.Apply(ctx, o)
		if errors.Is(err, overrides.ErrActive) {
			return cmp.Or(s.free(ctx, o), err)
		}
		if err != nil {
			return err
		}
		added, err := s.store.add(ctx, o, original)
		if err == nil && !added { // the entity has the ID of one that has an override: Apply wrote it in its one form
			err = s.free(ctx, o)
		}
		if err != nil {
			return err
		}
		if made, err = s.store.first(ctx, which{id: o.ID}); err != nil {
			return err
		}
		if preview {
			return errPreview
		}
		return s.audit.Write(ctx, audit.Change{Action: "override.create", Subject: subject(o.ID), After: s.newAuditEntry(made, true)})
	})
	if errors.Is(err, errPreview) {
		err = nil
	}
	return made, err
}

// free returns which active override the same field of the entity has.
func (s *Service) free(ctx context.Context, o *overrides.Override) error {
	other, err := s.store.first(ctx, which{kind: o.Type, entity: o.EntityID, field: &o.Field, active: true})
	if err != nil || other == nil {
		return err
	}
	return apperr.New(apperr.KindConflict, "Override %d corrects the same field; delete it first", other.ID)
}

// Remove takes a correction back. Again by the same person it changes nothing; by another it is a conflict.
func (s *Service) Remove(ctx context.Context, id, by int64) error {
	return s.store.alone(ctx, func(ctx context.Context) error {
		e, err := s.store.first(ctx, which{id: id})
		switch {
		case err != nil:
			return err
		case e == nil:
			return apperr.NotFound("There is no override %d", id)
		case !e.Active && *e.RemovedBy == by:
			return nil
		case !e.Active:
			return apperr.New(apperr.KindConflict, "Override %d was deleted by account %d already", id, *e.RemovedBy)
		}
		applier := s.by[e.Type]
		if applier == nil { // its module is left out of this process
			return apperr.Unavailable("Overrides of type %s cannot be deleted here", e.Type)
		}
		o := e.override()
		o.RemovedAt = s.clock.Now()
		if err := applier.Undo(ctx, o); err != nil {
			return err
		}
		if err := s.store.remove(ctx, id, by, o.RemovedAt); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "override.delete", Subject: subject(id), Before: s.newAuditEntry(e, true), After: s.newAuditEntry(e, false)})
	})
}

func (e *Entry) override() *overrides.Override {
	o := &overrides.Override{
		ID: e.ID, Type: e.Type, EntityID: e.EntityID, Value: e.Value, Reason: e.Reason, ValidFrom: e.ValidOn.UTC(),
		CreatedAt: e.CreatedAt,
	}
	if e.Field != nil {
		o.Field = *e.Field
	}
	return o
}

func subject(id int64) string { return fmt.Sprintf("override %d", id) }
