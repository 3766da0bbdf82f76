package freshness

import (
	"context"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// row is dataops.refresh_queue.
type row struct {
	ID           int64 `gorm:"primaryKey;->"`
	EntityType   string
	EntityID     string
	Reason       string
	Priority     int64
	State        string
	Result       *string
	ExtractionID *int64
	RequestedBy  int64
	Attempts     int64
	CreatedAt    time.Time
	LeaseUntil   *time.Time
	FinishedAt   *time.Time
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.refresh_queue" }

type store struct{ db *database.DB }

const staleSQL = `SELECT crd, legal_name, registration_status, total_aum, newest_filed_on, (@today::date - newest_filed_on)::bigint AS days
FROM catalog.pub_gp
WHERE NOT former AND newest_filed_on < @before::date
ORDER BY newest_filed_on, crd LIMIT @limit`

const managersSQL = `SELECT count(*) AS total, count(*) FILTER (WHERE newest_filed_on < @before::date) AS stale
FROM catalog.pub_gp WHERE NOT former`

const queueSQL = `INSERT INTO dataops.refresh_queue (entity_type, entity_id, reason, priority, state, requested_by, created_at)
VALUES (@type, @entity, @reason, @priority, 'queued', @by, @at)
ON CONFLICT (entity_type, entity_id) WHERE state IN ('queued', 'running') DO NOTHING RETURNING id`

const entriesSQL = `SELECT id, entity_type, entity_id, reason, priority, state AS status, result, extraction_id, requested_by, created_at, finished_at, attempts
FROM dataops.refresh_queue
WHERE (@id::bigint = 0 OR id = @id) AND (@status = '' OR state = @status) AND (@type = '' OR entity_type = @type)
	AND (@entity = '' OR entity_id = @entity) AND (NOT @active OR state IN ('queued', 'running'))
ORDER BY CASE WHEN state IN ('queued', 'running') THEN 0 ELSE 1 END, CASE WHEN state IN ('queued', 'running') THEN -priority ELSE 0 END,
	CASE WHEN state IN ('queued', 'running') THEN id ELSE -id END
LIMIT @limit`

const claimSQL = `UPDATE dataops.refresh_queue SET state = 'running', lease_until = @until, attempts = attempts + 1
WHERE id = (
	SELECT id FROM dataops.refresh_queue WHERE state = 'queued' OR (state = 'running' AND lease_until < @now)
	ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id`

const countsSQL = `SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'running') AS running,
	count(*) FILTER (WHERE state = 'done') AS done, count(*) FILTER (WHERE state = 'failed') AS failed
FROM dataops.refresh_queue`

// manager is a GP that has not filed for too long.
type manager struct {
	CRD                string
	LegalName          string
	RegistrationStatus *string
	TotalAUM           *int64 `db:"total_aum"`
	NewestFiledOn      time.Time
	Days               int64
}

// stale lists the GPs whose newest filing is from before a day, the oldest first.
func (s *store) stale(ctx context.Context, before, today time.Time, limit int) ([]manager, error) {
	args := database.Args{"before": before, "today": today, "limit": limit}
	return database.Select[manager](ctx, s.db, "list stale managers", staleSQL, args)
}

func (s *store) managers(ctx context.Context, before time.Time) (Managers, error) {
	list, err := database.Select[Managers](ctx, s.db, "count stale managers", managersSQL, database.Args{"before": before})
	if err != nil {
		return Managers{}, err
	}
	return list[0], nil
}

// listed reports whether the catalog has a GP.
func (s *store) listed(ctx context.Context, crd string) (bool, error) {
	found, err := database.Values[string](ctx, s.db, "look for a GP", "SELECT crd FROM catalog.pub_gp WHERE crd = @crd", database.Args{"crd": crd})
	return len(found) > 0, err
}

// queue adds an entry; 0 where the entity waits already.
func (s *store) queue(ctx context.Context, e Entry) (int64, error) {
	ids, err := database.Values[int64](ctx, s.db, "queue an entity", queueSQL, database.Args{
		"type": e.EntityType, "entity": e.EntityID, "reason": e.Reason, "priority": e.Priority, "by": e.RequestedBy, "at": e.CreatedAt,
	})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// hasten raises the priority of an entity's queued entry.
func (s *store) hasten(ctx context.Context, e Entry) error {
	waiting := s.db.From(ctx).Model(&row{}).Where("entity_type = ? AND entity_id = ? AND state = ? AND priority < ?", e.EntityType, e.EntityID, Queued, e.Priority)
	return database.Failure("hasten an entity", waiting.Update("priority", e.Priority).Error)
}

// which are the entries that are wanted; empty fields are no condition.
type which struct {
	id                 int64
	status, kind, name string
	active             bool
	limit              int
}

func (s *store) entries(ctx context.Context, w which) ([]Entry, error) {
	list, err := database.Select[Entry](ctx, s.db, "list the queue", entriesSQL, database.Args{
		"id": w.id, "status": w.status, "type": w.kind, "entity": w.name, "active": w.active, "limit": w.limit,
	})
	for i := range list {
		list[i].CreatedAt, list[i].FinishedAt = list[i].CreatedAt.UTC(), clock.UTC(list[i].FinishedAt)
	}
	return list, err
}

// claim takes the next entry, or one whose process has ended; nil where nothing waits.
func (s *store) claim(ctx context.Context, now, until time.Time) (*Entry, error) {
	ids, err := database.Values[int64](ctx, s.db, "take an entity", claimSQL, database.Args{"now": now, "until": until})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	list, err := s.entries(ctx, which{id: ids[0], limit: 1})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

func (s *store) finish(ctx context.Context, id int64, state, result string, extraction *int64, now time.Time) error {
	values := map[string]any{"state": state, "result": result, "extraction_id": extraction, "finished_at": now, "lease_until": nil}
	err := s.db.From(ctx).Model(&row{}).Where("id = ? AND state = ?", id, Running).Updates(values).Error
	return database.Failure("finish an entity", err)
}

// Queue counts the entries of the queue.
func (s *Service) Queue(ctx context.Context) (Counts, error) {
	list, err := database.Select[Counts](ctx, s.store.db, "count the queue", countsSQL, nil)
	if err != nil {
		return Counts{}, err
	}
	return list[0], nil
}
