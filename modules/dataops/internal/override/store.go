package override

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gpatlas/platform/apperr"
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
	CreatedBy *int64 // nil = by command
	RemovedAt *time.Time
	RemovedBy *int64
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.overrides" }

// store is the only place that knows the table.
type store struct {
	db   *database.DB
	turn chan struct{} // of the one write of this process that has a connection
}

func newStore(db *database.DB) *store { return &store{db, make(chan struct{}, 1)} }

const listSQL = `SELECT id, type, entity_id, nullif(field, '') AS field, value, original, reason, valid_from AS valid_on, removed_at IS NULL AS active,
	created_at, created_by, removed_at, removed_by
FROM dataops.overrides
WHERE (@id::bigint = 0 OR id = @id) AND (@type::text = '' OR type = @type) AND (@entity::text = '' OR entity_id = @entity)
	AND (@field::text IS NULL OR field = @field) AND (NOT @active OR removed_at IS NULL)
ORDER BY id DESC`

const addSQL = `INSERT INTO dataops.overrides (id, type, entity_id, field, value, original, reason, valid_from, created_at, created_by)
VALUES (@id, @type, @entity, @field, @value::jsonb, @original::jsonb, @reason, @valid_from::date, @at::timestamptz, nullif(@by::bigint, 0))
ON CONFLICT (type, entity_id, field) WHERE removed_at IS NULL DO NOTHING`

// which are the overrides that are wanted; zero fields are no condition.
type which struct {
	id           int64
	kind, entity string
	field        *string
	active       bool
}

// list returns overrides, the newest first.
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

// first returns the newest of those wanted, nil where there is none.
func (s *store) first(ctx context.Context, w which) (*Entry, error) {
	list, err := s.list(ctx, w)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// patience is how long a write waits for its turn in this process, and then for each of its locks: those of the register, of a load and
// of a resolution of persons.
const patience = 5 * time.Second

// lockNotAvailable is the SQLSTATE of a lock that was not had in time.
const lockNotAvailable = "55P03"

// alone runs fn in a transaction that keeps other writers from the register. Readers are not kept. Where the register or what fn
// changes is locked for too long, the error is apperr's Unavailable: only loads hold locks for long.
//
// Writes of this process take turns before they take a connection: they would wait for each other anyway, and while a load runs they
// would leave no connection to other requests.
func (s *store) alone(ctx context.Context, fn func(ctx context.Context) error) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-late.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		for _, statement := range []string{fmt.Sprintf("SET LOCAL lock_timeout = %d", patience.Milliseconds()), "LOCK TABLE dataops.overrides IN SHARE ROW EXCLUSIVE MODE"} {
			if _, err := database.Run(ctx, s.db, "wait for other overrides", statement, nil); err != nil {
				return err
			}
		}
		return fn(ctx)
	})
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok && failed.Code == lockNotAvailable {
		return errLoading.Wrap(err)
	}
	return err
}

var (
	errLoading = apperr.Unavailable("Documents are being loaded; try again when the ingestion has ended")
	errBusy    = apperr.Unavailable("Other overrides are waiting, as they do while documents are being loaded; try again when the ingestion has ended")
)

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
