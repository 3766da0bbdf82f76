package correction

import (
	"context"
	"encoding/json"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// row is catalog.overrides.
type row struct {
	ID          int64   `gorm:"primaryKey"`
	CRD         *string `gorm:"column:crd"`
	FundID      *string
	Field       string
	Value       *string
	ValidFrom   time.Time  `gorm:"type:date"`
	ProcessedAt time.Time  `gorm:"->"` // when it was created, as the filings of a load are dated: known_at compares with it
	RemovedAt   *time.Time `gorm:"->"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "catalog.overrides" }

// Models are the GORM models of this slice, for the test that compares them with the database.
func Models() []any { return []any{&row{}} }

// store is the only place that writes the table.
type store struct{ db *database.DB }

// The value that a correction corrects, in the form of the correction, and its adviser. An organization is named by a CRD number, which is a text.
const originalSQL = `SELECT crd, CASE @field WHEN 'canonical_gp_id' THEN to_jsonb(canonical_gp_id::text) ELSE to_jsonb(a) -> @field END AS value FROM catalog.advisers a WHERE @fund::text = '' AND crd = @crd
UNION ALL
SELECT adviser_crd, to_jsonb(f) -> @field FROM catalog.funds f WHERE fund_id = @fund`

// original is what is corrected, with the adviser that it is of.
type original struct {
	CRD   string
	Value json.RawMessage
}

// original reads the value that a correction corrects. Its adviser or fund must exist.
func (s *store) original(ctx context.Context, r *fold.Override) (original, error) {
	found, err := database.Select[original](ctx, s.db, "read what is corrected", originalSQL, database.Args{
		"crd": r.CRD, "fund": r.FundID, "field": r.Field,
	})
	switch {
	case err != nil:
		return original{}, err
	case len(found) == 1:
		return found[0], nil
	case r.FundID != "":
		return original{}, apperr.NotFound("Fund %s not found", r.FundID)
	}
	return original{}, apperr.NotFound(catalogapi.NoGP, r.CRD)
}

const addSQL = `INSERT INTO catalog.overrides (id, crd, fund_id, field, value, valid_from)
VALUES (@id, nullif(@crd, ''), nullif(@fund, ''), @field, @value, @valid_from::date)
ON CONFLICT (coalesce(crd, fund_id), field) WHERE removed_at IS NULL DO NOTHING`

// add keeps a correction. Where the field has an active one, the error is overrides.ErrActive.
func (s *store) add(ctx context.Context, o *fold.Override) error {
	added, err := database.Run(ctx, s.db, "keep a correction", addSQL, database.Args{
		"id": o.ID, "crd": o.CRD, "fund": o.FundID, "field": o.Field, "value": o.Value, "valid_from": o.ValidFrom,
	})
	if err == nil && added == 0 {
		return overrides.ErrActive
	}
	return err
}

const removeSQL = `WITH ended AS (
	UPDATE catalog.overrides SET removed_at = catalog.current_processing() WHERE id = @id AND removed_at IS NULL RETURNING crd, fund_id, field, value
)
SELECT crd FROM ended WHERE crd IS NOT NULL
UNION SELECT value FROM ended WHERE field = 'canonical_gp_id' AND value IS NOT NULL
UNION SELECT f.adviser_crd FROM ended JOIN catalog.funds f USING (fund_id)`

// remove ends a correction, and names the advisers that it was about.
func (s *store) remove(ctx context.Context, id int64) ([]string, error) {
	return database.Values[string](ctx, s.db, "end a correction", removeSQL, database.Args{"id": id})
}
