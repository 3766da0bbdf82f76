package lp

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// Overrider applies overrides of the manager of an investment.
type Overrider struct{ lps *Service }

// NewOverrider works through lps.
func NewOverrider(lps *Service) *Overrider { return &Overrider{lps} }

const (
	typeMatch  = "lp_match"
	fieldGPCRD = "gp_crd"
)

// OverrideTypes implements overrides.Overrider.
func (o *Overrider) OverrideTypes() []string { return []string{typeMatch} }

// AboutPersons is false: the type is about institutions and managers.
func (o *Overrider) AboutPersons(string) bool { return false }

// Apply implements overrides.Overrider. The value is the CRD number of the manager, or null if it is none of the catalog. The
// original is the value shown without the override.
//
// Spec: not shown; no request asks for matches as of a day, so an override holds on all days, and valid_from can only be today.
func (o *Overrider) Apply(ctx context.Context, x *overrides.Override) (original json.RawMessage, err error) {
	id, crd, err := o.read(x)
	if err != nil {
		return nil, err
	}
	err = o.lps.store.exclusively(ctx, func(ctx context.Context) error {
		shown, err := o.lps.store.found(ctx, id)
		if err != nil {
			return err
		}
		if crd != nil {
			if err := o.lps.store.isFirm(ctx, *crd); err != nil {
				return err
			}
		}
		if original, err = json.Marshal(shown); err != nil {
			return err
		}
		x.EntityID, x.Field = strconv.FormatInt(id, 10), fieldGPCRD
		return o.lps.store.override(ctx, id, crd)
	})
	return original, err
}

// read reads the investment and its manager, and reports all faults at once.
func (o *Overrider) read(x *overrides.Override) (id int64, crd *string, err error) {
	var faults []apperr.FieldError
	if id, err = strconv.ParseInt(x.EntityID, 10, 64); err != nil || id < 1 || strconv.FormatInt(id, 10) != x.EntityID {
		faults = append(faults, apperr.FieldError{Field: "entity_id", Message: "must be the ID of an LP's investment, a positive integer without sign and leading zeros"})
	}
	if x.Field != "" && x.Field != fieldGPCRD {
		faults = append(faults, apperr.FieldError{Field: "field", Message: "must be " + fieldGPCRD})
	}
	if err := json.Unmarshal(x.Value, &crd); err != nil || crd != nil && *crd == "" {
		faults = append(faults, apperr.FieldError{Field: "value", Message: "must be the CRD number of the manager in quotes, or null if it is none of the catalog"})
	}
	if today := o.lps.clock.Now().UTC().Format(time.DateOnly); x.ValidFrom.Format(time.DateOnly) != today {
		faults = append(faults, apperr.FieldError{Field: "valid_from", Message: "must be left out or today: " + typeMatch + " holds on all days"})
	}
	if len(faults) > 0 {
		return 0, nil, apperr.Invalid(faults...)
	}
	return id, crd, nil
}

// Undo implements overrides.Overrider: the match by the rules is shown again.
func (o *Overrider) Undo(ctx context.Context, x *overrides.Override) error {
	id, err := strconv.ParseInt(x.EntityID, 10, 64)
	if err != nil {
		return err
	}
	return o.lps.store.exclusively(ctx, func(ctx context.Context) error { return o.lps.store.restore(ctx, id) })
}

const overrideSQL = `UPDATE people.lp_investments SET match_method = @operator, match_crd = @crd, match_fund_id = NULL, match_confidence = 1 WHERE id = @id`

const restoreSQL = `UPDATE people.lp_investments
SET match_method = found_method, match_crd = found_crd, match_fund_id = found_fund_id, match_confidence = found_confidence
WHERE id = @id`

// found returns the manager that the rules found for an investment; nil if none.
func (s *store) found(ctx context.Context, id int64) (crd *string, err error) {
	const statement = "SELECT found_crd FROM people.lp_investments WHERE id = @id"
	list, err := database.Values[*string](ctx, s.db, "read a match", statement, database.Args{"id": id})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, apperr.NotFound("Investment %d not found", id)
	}
	return list[0], nil
}

// isFirm rejects a CRD number that is not in the catalog.
func (s *store) isFirm(ctx context.Context, crd string) error {
	const statement = "SELECT crd FROM catalog.pub_gp WHERE crd = @crd"
	list, err := database.Values[string](ctx, s.db, "look for an adviser", statement, database.Args{"crd": crd})
	if err == nil && len(list) == 0 {
		err = apperr.Invalid(apperr.FieldError{Field: "value", Message: "no manager has this CRD number"})
	}
	return err
}

func (s *store) override(ctx context.Context, id int64, crd *string) error {
	_, err := database.Run(ctx, s.db, "override a match", overrideSQL, database.Args{"id": id, "crd": crd, "operator": byOperator})
	return err
}

func (s *store) restore(ctx context.Context, id int64) error {
	_, err := database.Run(ctx, s.db, "restore a match", restoreSQL, database.Args{"id": id})
	return err
}
