package override

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// row is dataops.overrides.
type row struct {
	ID        int64 `gorm:"primaryKey;->"`
	Type      string
	EntityID  string
	Field     string
	Value     []byte    `gorm:"type:jsonb"`
	Original  []byte    `gorm:"type:jsonb"` // nil = not known
	ValidFrom time.Time `gorm:"type:date"`
	Reason    string
	CreatedAt time.Time
	CreatedBy int64
	RemovedAt *time.Time
	RemovedBy *int64
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.overrides" }

// Models are the GORM models of this slice, for the test that holds them against the database.
func Models() []any { return []any{&row{}} }

// store is the only place that knows the table.
type store struct{ db *database.DB }

var (
	//go:embed list.sql
	listSQL string
	//go:embed add.sql
	addSQL string
)

// which are the overrides that are wanted; zero fields are no condition.
type which struct {
	id           int64
	kind, entity string
	field        *string
	active       bool
}

// list gives overrides, the newest first.
func (s *store) list(ctx context.Context, w which) ([]Entry, error) {
	list, err := database.Select[Entry](ctx, s.db, "list overrides", listSQL, database.Args{
		"id": w.id, "type": w.kind, "entity": w.entity, "field": w.field, "active": w.active,
	})
	for i := range list {
		e := &list[i]
		e.ValidFrom, e.CreatedAt = e.ValidOn.Format(time.DateOnly), e.CreatedAt.UTC()
		if e.RemovedAt != nil {
			e.RemovedAt = new(e.RemovedAt.UTC())
		}
	}
	return list, err
}

// first gives the newest of those wanted, nil where there is none.
func (s *store) first(ctx context.Context, w which) (*Entry, error) {
	list, err := s.list(ctx, w)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// lock keeps other writers from the register until the transaction of ctx ends. Readers are not kept.
func (s *store) lock(ctx context.Context) error {
	_, err := database.Run(ctx, s.db, "wait for other overrides", "LOCK TABLE dataops.overrides IN SHARE ROW EXCLUSIVE MODE", nil)
	return err
}

// next takes the number of the next override.
func (s *store) next(ctx context.Context) (int64, error) {
	ids, err := database.Values[int64](ctx, s.db, "number an override", "SELECT nextval('dataops.overrides_id_seq')", nil)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// add keeps an override; false where the same field of the entity has an active one.
func (s *store) add(ctx context.Context, o *overrides.Override, original json.RawMessage) (bool, error) {
	n, err := database.Run(ctx, s.db, "keep an override", addSQL, database.Args{
		"id": o.ID, "type": o.Type, "entity": o.EntityID, "field": o.Field, "value": o.Value, "original": original, "reason": o.Reason,
		"valid_from": o.ValidFrom, "at": o.CreatedAt, "by": o.CreatedBy,
	})
	return n == 1, err
}

func (s *store) remove(ctx context.Context, id, by int64, at time.Time) error {
	values := map[string]any{"removed_at": at, "removed_by": by}
	return database.Failure("remove an override", s.db.From(ctx).Model(&row{}).Where("id = ?", id).Updates(values).Error)
}
