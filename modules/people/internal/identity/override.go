package identity

import (
	"context"
	"encoding/json"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/overrides"
)

// Overrider applies overrides of who is who: the same decisions and suppressions as those by command.
type Overrider struct {
	people *Service
	shown  []string // operations that may show people
	later  func(ctx context.Context) error
}

// NewOverrider works through people. shown are the operations that may show people; later has DropKept called after the transaction.
func NewOverrider(people *Service, shown []string, later func(ctx context.Context) error) *Overrider {
	return &Overrider{people, shown, later}
}

// The types of overrides.
const (
	typeMerge    = "person_merge"
	typeSplit    = "person_split"
	typeSuppress = "person_suppress"
)

// OverrideTypes implements overrides.Overrider.
func (o *Overrider) OverrideTypes() []string { return []string{typeMerge, typeSplit, typeSuppress} }

// Apply implements overrides.Overrider.
func (o *Overrider) Apply(ctx context.Context, x *overrides.Override) (original json.RawMessage, err error) {
	sent := x.EntityID
	err = o.people.store.exclusively(ctx, func(ctx context.Context) (err error) {
		if err := o.check(ctx, x); err != nil {
			return err
		}
		switch x.Type {
		case typeMerge:
			original, err = o.merge(ctx, x, sent)
		case typeSplit:
			original, err = o.split(ctx, x)
		default:
			original, err = o.suppress(ctx, x)
		}
		return err
	})
	return original, err
}

// check refuses what no type can have. An entity_id becomes the uid that the person has now.
//
// Spec: not shown; nobody asks who was who on a day, so these overrides hold on all days, and valid_from can only be today.
func (o *Overrider) check(ctx context.Context, x *overrides.Override) (err error) {
	var faults []apperr.FieldError
	if !IsUID(x.EntityID) {
		faults = append(faults, apperr.FieldError{Field: "entity_id", Message: "must be a person's ID, such as per_k3v7q2mz5xw4n6ta"})
	}
	if x.Field != "" {
		faults = append(faults, apperr.FieldError{Field: "field", Message: "must be left out: " + x.Type + " has none"})
	}
	if today := o.people.clock.Now().UTC().Format(time.DateOnly); x.ValidFrom.Format(time.DateOnly) != today {
		faults = append(faults, apperr.FieldError{Field: "valid_from", Message: "must be left out or today: " + x.Type + " holds on all days"})
	}
	if len(faults) > 0 {
		return apperr.Invalid(faults...)
	}
	if x.EntityID, err = o.people.store.current(ctx, x.EntityID); err != nil {
		return err
	}
	if x.Type == typeSuppress {
		if gone, err := o.people.store.isSuppressed(ctx, x.EntityID); err != nil {
			return err
		} else if gone {
			return apperr.New(apperr.KindConflict, "%s is suppressed already", x.EntityID)
		}
	}
	_, err = o.people.posts(ctx, x.EntityID)
	return err
}

// merge has the ID of the other person as its value. The original is the person's own ID. sent is the entity_id as it came.
func (o *Overrider) merge(ctx context.Context, x *overrides.Override, sent string) (json.RawMessage, error) {
	var into string
	if err := json.Unmarshal(x.Value, &into); err != nil || !IsUID(into) {
		return nil, badValue("must be the ID of the person who it is")
	}
	if into == sent {
		return nil, badValue("must be the ID of another person than entity_id")
	}
	now, err := o.people.store.current(ctx, into)
	if err != nil {
		return nil, err
	}
	if _, err := o.people.posts(ctx, now); err != nil {
		return nil, valueIfMissing(err)
	}
	x.Value = quoted(now)
	err = o.people.merge(ctx, decision{UID: sent, ToUID: into, Reason: x.Reason, OverrideID: &x.ID})
	return quoted(x.EntityID), err
}

// split has the CRD number of the adviser as its value. A person can be split at several, so the CRD number is the field as well.
func (o *Overrider) split(ctx context.Context, x *overrides.Override) (json.RawMessage, error) {
	var crd string
	if err := json.Unmarshal(x.Value, &crd); err != nil || crd == "" {
		return nil, badValue("must be the CRD number of the manager at which it is another person")
	}
	if err := o.people.isAt(ctx, x.EntityID, crd); err != nil {
		return nil, valueIfMissing(err)
	}
	x.Field = crd
	_, err := o.people.split(ctx, decision{UID: x.EntityID, CRD: &crd, Reason: x.Reason, OverrideID: &x.ID})
	return quoted(x.EntityID), err
}

// suppress has true as its value, and false as the original.
func (o *Overrider) suppress(ctx context.Context, x *overrides.Override) (json.RawMessage, error) {
	var yes bool
	if err := json.Unmarshal(x.Value, &yes); err != nil || !yes {
		return nil, badValue("must be true")
	}
	if _, err := o.people.suppress(ctx, suppression{PersonUID: x.EntityID, Reason: x.Reason, OverrideID: &x.ID}, o.shown); err != nil {
		return nil, err
	}
	return json.RawMessage("false"), o.later(ctx)
}

// Undo implements overrides.Overrider.
func (o *Overrider) Undo(ctx context.Context, x *overrides.Override) error {
	if x.Type == typeSuppress {
		return o.people.release(ctx, x.EntityID, x.ID)
	}
	return o.people.undo(ctx, x.ID, o.shown)
}

func badValue(message string) error {
	return apperr.Invalid(apperr.FieldError{Field: "value", Message: message})
}

// valueIfMissing tells of what the value names and is not there as of a bad value.
func valueIfMissing(err error) error {
	if e := apperr.From(err); e.Kind == apperr.KindNotFound || e.Kind == apperr.KindConflict {
		return badValue(e.Message)
	}
	return err
}

func quoted(text string) json.RawMessage {
	out, _ := json.Marshal(text) // a text always can
	return out
}
