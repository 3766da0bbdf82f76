// Package correction applies operators' corrections of advisers and funds: see platform/overrides. It checks a correction, stores it
// in catalog.overrides and has the loader derive the adviser again. Packages fold and load have the rules by which corrections change
// what the filings state.
package correction

import (
	"context"
	"encoding/json"
	"fmt"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// The types of corrections.
const (
	gpField        = "gp_field"
	canonicalGroup = "canonical_group"
	fundStatus     = "fund_status"
)

// Corrector is the catalog's overrides.Overrider.
type Corrector struct {
	store  *store
	loader *load.Loader
	clock  clock.Clock
}

var _ overrides.Overrider = (*Corrector)(nil)

// New makes a corrector over db; loader derives what is corrected.
func New(db *database.DB, loader *load.Loader, clk clock.Clock) *Corrector {
	return &Corrector{&store{db}, loader, clk}
}

// OverrideTypes are the types that the catalog applies.
func (*Corrector) OverrideTypes() []string { return []string{gpField, canonicalGroup, fundStatus} }

// AboutPersons is false: the types are about firms and funds.
func (*Corrector) AboutPersons(string) bool { return false }

// Apply checks a correction and applies it. The organization and the status of a fund are one field each: its name is put in where it
// is left out.
func (c *Corrector) Apply(ctx context.Context, o *overrides.Override) (original json.RawMessage, err error) {
	r, err := c.read(o)
	if err != nil {
		return nil, err
	}
	o.Field, o.Value = r.Field, canonical(r)
	o.CreatedAt, err = c.loader.Correct(ctx, fmt.Sprintf("override %d created", o.ID), func(ctx context.Context) ([]string, error) {
		found, err := c.store.original(ctx, r)
		if err != nil {
			return nil, err
		}
		if original = found.Value; r.Field == fold.OverrideOrganization && r.Value != nil {
			return []string{r.CRD, *r.Value}, c.merge(ctx, r)
		}
		return []string{found.CRD}, c.store.add(ctx, r)
	})
	return original, err
}

// merge keeps that two advisers are one organization, which both must exist for.
func (c *Corrector) merge(ctx context.Context, r *fold.Override) error {
	if *r.Value == r.CRD {
		return fault("value", "must be another GP than entity_id")
	}
	_, err := c.store.original(ctx, &fold.Override{CRD: *r.Value, Field: r.Field})
	if apperr.From(err).Kind == apperr.KindNotFound {
		return fault("value", "is not a GP of the catalog: "+*r.Value)
	}
	if err != nil {
		return err
	}
	return c.store.add(ctx, r)
}

// Undo takes a correction back.
func (c *Corrector) Undo(ctx context.Context, o *overrides.Override) (err error) {
	o.RemovedAt, err = c.loader.Correct(ctx, fmt.Sprintf("override %d deleted", o.ID), func(ctx context.Context) ([]string, error) {
		return c.store.remove(ctx, o.ID)
	})
	return err
}

func fault(field, message string) error {
	return apperr.Invalid(apperr.FieldError{Field: field, Message: message})
}
