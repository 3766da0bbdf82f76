// Package overrides is how operators correct what a filer got wrong. Module dataops keeps the register of corrections; the module that
// has the data applies them. It says which types it applies by handing an Overrider to the fx group "overriders":
//
//	fx.Provide(fx.Annotate(newCorrector, fx.As(new(overrides.Overrider)), fx.ResultTags(`group:"overriders"`)))
package overrides

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Override is one correction.
type Override struct {
	ID       int64           // of the register
	Type     string          // what is corrected: "gp_field", "person_merge"
	EntityID string          // CRD number, fund ID, person UID, ID of an LP's investment
	Field    string          // empty where the type has one field only
	Value    json.RawMessage // the right value; JSON null is a value. Its meaning is the type's
	Reason   string
	// ValidFrom is the first day (UTC) on which the value holds.
	ValidFrom time.Time
	CreatedAt time.Time
	CreatedBy int64     // account; 0 = by command
	RemovedAt time.Time // zero while it is in force
}

// ErrActive is what Apply says where it finds an active override of the same field of the entity, once it has written both in their one
// form into its argument. The register then says which it is.
var ErrActive = errors.New("the field has an active override")

// Overrider applies corrections. Both methods run in the transaction of ctx; an error undoes the register's row as well.
type Overrider interface {
	// OverrideTypes are the types that it applies. No two overriders have one in common.
	OverrideTypes() []string
	// Apply checks a correction as ingestion checks a filing, and applies it. It gives the value that was shown before, in the form of
	// Value: that of the filings, with the overrides of other fields or entities that are active. A bad entity_id, field, value or
	// valid_from is apperr.Invalid that names it; an entity that is not there is apperr.NotFound. It writes EntityID, Field and Value in
	// the one form that they have, such as the UID that a person's old UID leads to: the register keeps what is in force. Where the data
	// can be asked for as it was known at an instant, it writes CreatedAt, too: the first instant that knows the correction.
	Apply(ctx context.Context, o *Override) (original json.RawMessage, err error)
	// Undo takes a correction back: from now on the value of the filings holds again. It writes RemovedAt where Apply writes CreatedAt.
	Undo(ctx context.Context, o *Override) error
}
