package identity

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/overrides"
)

// Overrider applies overrides that merge, split and suppress people.
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
	TypeMerge    = "person_merge"
	TypeSplit    = "person_split"
	TypeSuppress = "person_suppress"
)

// OverrideTypes implements overrides.Overrider.
func (o *Overrider) OverrideTypes() []string { return []string{TypeMerge, TypeSplit, TypeSuppress} }

// AboutPersons is true.
func (o *Overrider) AboutPersons(string) bool { return true }

// Apply implements overrides.Overrider.
//
// Spec: not shown; no request asks who was who on a day, so these overrides hold on all days, and valid_from can only be today.
func (o *Overrider) Apply(ctx context.Context, x *overrides.Override) (original json.RawMessage, err error) {
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
		return nil, apperr.Invalid(faults...)
	}
	err = o.people.store.exclusively(ctx, func(ctx context.Context) (err error) {
		switch x.Type {
		case TypeMerge:
			original, err = o.merge(ctx, x)
		case TypeSplit:
			original, err = o.split(ctx, x)
		default:
			original, err = o.suppress(ctx, x)
		}
		return err
	})
	return original, err
}

// merge has the ID of the other person as its value. The original is the person's own ID.
func (o *Overrider) merge(ctx context.Context, x *overrides.Override) (json.RawMessage, error) {
	uid, into := x.EntityID, ""
	if err := json.Unmarshal(x.Value, &into); err != nil || !IsUID(into) {
		return nil, badValue("must be the ID of the person who it is")
	}
	if into == uid {
		return nil, badValue("must be the ID of another person than entity_id")
	}
	if _, err := o.people.managers(ctx, uid); err != nil {
		return nil, err
	}
	if _, err := o.people.managers(ctx, into); err != nil {
		return nil, valueIfMissing(err)
	}
	err := o.change(ctx, nil, func(ctx context.Context, _ *revealed) error {
		now, err := o.people.Currents(ctx, []string{uid, into})
		if err != nil {
			return err
		}
		if now[uid] == now[into] {
			return apperr.New(apperr.KindConflict, "%s and %s are the same person already", uid, into)
		}
		x.EntityID, x.Value = now[uid], quoted(now[into])
		return o.people.decide(ctx, &decision{Kind: merged, UID: now[uid], ToUID: now[into], OverrideID: x.ID, CreatedAt: x.CreatedAt})
	})
	return quoted(x.EntityID), err
}

// split has the CRD number of the adviser as its value. A person can be split at several, so the CRD number is the field as well.
func (o *Overrider) split(ctx context.Context, x *overrides.Override) (json.RawMessage, error) {
	uid, crd := x.EntityID, ""
	if err := json.Unmarshal(x.Value, &crd); err != nil || crd == "" {
		return nil, badValue("must be the CRD number of the manager at which it is another person")
	}
	crds, err := o.people.managers(ctx, uid)
	switch {
	case err != nil:
		return nil, err
	case !slices.Contains(crds, crd):
		return nil, badValue(uid + " is not at CRD " + crd + ", but at " + strings.Join(crds, ", "))
	case len(crds) == 1:
		return nil, badValue(uid + " is at CRD " + crd + " alone")
	}
	err = o.change(ctx, nil, func(ctx context.Context, _ *revealed) error {
		if x.EntityID, err = Current(ctx, o.people.store.db, uid); err != nil {
			return err
		}
		x.Field = crd
		return o.people.decide(ctx, &decision{Kind: split, UID: x.EntityID, CRD: &crd, ToUID: SplitUID(x.EntityID, crd), OverrideID: x.ID, CreatedAt: x.CreatedAt})
	})
	return quoted(x.EntityID), err
}

// SplitUID is the UID that a split of a person at an adviser makes.
func SplitUID(uid, crd string) string { return uidOf("split|" + uid + "|" + crd) }

// suppress has true as its value, and false as the original. A hidden person can be suppressed as well, also under a former ID, which then
// stays the entity: what led to the person can be deleted.
func (o *Overrider) suppress(ctx context.Context, x *overrides.Override) (json.RawMessage, error) {
	uid, yes := x.EntityID, false
	if err := json.Unmarshal(x.Value, &yes); err != nil || !yes {
		return nil, badValue("must be true")
	}
	crds, err := o.people.managers(ctx, uid)
	if err != nil && apperr.From(err).Kind != apperr.KindNotFound {
		return nil, err
	}
	err = o.change(ctx, crds, func(ctx context.Context, r *revealed) error {
		now, err := Current(ctx, o.people.store.db, uid)
		if err != nil {
			return err
		}
		if len(crds) > 0 {
			x.EntityID = now
		}
		if err := o.people.object(ctx, suppression{PersonUID: now, OverrideID: x.ID, CreatedAt: x.CreatedAt}); err != nil {
			return err
		}
		return o.people.hit(ctx, r)
	})
	return json.RawMessage("false"), err
}

// Undo implements overrides.Overrider. A person who becomes one with a suppressed person is suppressed. A person stays hidden
// if another suppression hides them.
func (o *Overrider) Undo(ctx context.Context, x *overrides.Override) error {
	return o.people.store.exclusively(ctx, func(ctx context.Context) error {
		if err := o.people.store.release(ctx, x.ID); err != nil {
			return err
		}
		return o.change(ctx, nil, func(ctx context.Context, _ *revealed) error {
			dropped, err := o.people.store.drop(ctx, x.ID)
			if err != nil || len(dropped) == 0 {
				return err
			}
			return o.people.redecide(ctx, dropped)
		})
	})
}

// change runs fn, which changes decisions or suppressions, while suppressed people are revealed, and then hides them again. The filings of
// crds are read again. If people are hidden who were not before, the responses that may show them are dropped.
func (o *Overrider) change(ctx context.Context, crds []string, fn func(ctx context.Context, r *revealed) error) error {
	r, _, err := o.people.reveal(ctx, crds)
	if err != nil {
		return err
	}
	if err := fn(ctx, r); err != nil {
		return err
	}
	more, err := o.people.hide(ctx, r)
	if err != nil || !more {
		return err
	}
	if err := o.people.DropKept(ctx, o.shown); err != nil {
		return err
	}
	return o.later(ctx) // a request may have read the person before the transaction committed
}

func badValue(message string) error {
	return apperr.Invalid(apperr.FieldError{Field: "value", Message: message})
}

// valueIfMissing turns a not-found person into a bad value.
func valueIfMissing(err error) error {
	if e := apperr.From(err); e.Kind == apperr.KindNotFound {
		return badValue(e.Message)
	}
	return err
}

func quoted(text string) json.RawMessage {
	out, _ := json.Marshal(text) // marshaling a text never fails
	return out
}
