// Package overrides lets operators correct errors of filers. Module dataops keeps the register of overrides; the module that
// has the data applies them. It declares its types by providing an Overrider to the fx group "overriders":
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
	Field    string          // empty if the type has one field only
	Value    json.RawMessage // the right value; JSON null is a value. Its meaning depends on the type
	Reason   string
	// ValidFrom is the first day (UTC) on which the value holds.
	ValidFrom time.Time
	CreatedAt time.Time
	CreatedBy int64     // account; 0 = by command
	RemovedAt time.Time // zero while it is in force
}

// ErrActive is returned by Apply if there is an active override of the same field of the entity, after it has normalized both
// in its argument. The register then reports which one it is.
var ErrActive = errors.New("the field has an active override")

// Overrider applies corrections. Both methods run in the transaction of ctx; an error undoes the register's row as well.
type Overrider interface {
	// OverrideTypes are the types that it applies. Each type belongs to one Overrider.
	OverrideTypes() []string
	// AboutPersons reports whether the corrections of a type are about natural persons. Their reasons are kept out of the audit log.
	AboutPersons(overrideType string) bool
	// Apply checks a correction as ingestion checks a filing, and applies it. It returns the value that was shown before, in
	// the form of Value: that of the filings, with the active overrides of other fields or entities. A bad entity_id, field,
	// value or valid_from is apperr.Invalid that names it; an unknown entity is apperr.NotFound. It normalizes EntityID, Field
	// and Value in its argument, for example the current UID of a person's old UID: the register stores what is in force. If
	// the data can be read as known at an instant, it also sets CreatedAt: the first instant that includes the correction.
	Apply(ctx context.Context, o *Override) (original json.RawMessage, err error)
	// Undo removes a correction: from now on the filings' value holds again. It sets RemovedAt if Apply sets CreatedAt.
	Undo(ctx context.Context, o *Override) error
}
