package enrichment

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// jobRow is a row of people.enrichments.
type jobRow struct {
	ID         string     `gorm:"column:id;primaryKey"`
	CRD        string     `gorm:"column:crd"`
	State      string     `gorm:"column:state"`
	CreatedAt  time.Time  `gorm:"column:created_at"`
	StartedAt  *time.Time `gorm:"column:started_at"`
	FinishedAt *time.Time `gorm:"column:finished_at"`
	LeaseUntil time.Time  `gorm:"column:lease_until"`
	Runs       int32      `gorm:"column:runs"`
	Error      *string    `gorm:"column:error"`
	Outcome    []byte     `gorm:"column:outcome;type:jsonb"`
}

// TableName is the table with its schema.
func (jobRow) TableName() string { return "people.enrichments" }

// askerRow is a row of people.enrichment_askers.
type askerRow struct {
	EnrichmentID string    `gorm:"column:enrichment_id;primaryKey"`
	UserID       int64     `gorm:"column:user_id;primaryKey"`
	AskedAt      time.Time `gorm:"column:asked_at"`
	Started      bool      `gorm:"column:started"`
}

// TableName is the table with its schema.
func (askerRow) TableName() string { return "people.enrichment_askers" }

// firmRow is a row of people.enriched_firms.
type firmRow struct {
	CRD     string    `gorm:"column:crd;primaryKey"`
	FirstAt time.Time `gorm:"column:first_at"`
	LastAt  time.Time `gorm:"column:last_at"`
}

// TableName is the table with its schema.
func (firmRow) TableName() string { return "people.enriched_firms" }

// one returns the only row of a statement; nil if there is none.
func one[T any](list []T, err error) (*T, error) {
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

func (s *store) wantGP(ctx context.Context, crd string) error {
	const statement = "SELECT crd FROM catalog.pub_gp WHERE crd = @crd"
	gp, err := one(database.Values[string](ctx, s.db, "look for an adviser", statement, database.Args{"crd": crd}))
	if err == nil && gp == nil {
		err = apperr.NotFound(catalogapi.NoGP, crd)
	}
	return err
}

// lockAccount serializes the requests of one account that may start a job, until the transaction ends.
func (s *store) lockAccount(ctx context.Context, userID int64) error {
	const statement = "SELECT pg_advisory_xact_lock(hashtextextended(@key, 0))"
	_, err := database.Run(ctx, s.db, "lock an account's enrichments", statement, database.Args{"key": "people.enrich " + strconv.FormatInt(userID, 10)})
	return err
}

// startedSince counts the jobs that an account's requests started since an instant.
func (s *store) startedSince(ctx context.Context, userID int64, since time.Time) (int64, error) {
	var n int64
	err := s.db.From(ctx).Model(&askerRow{}).Where("user_id = ? AND started AND asked_at >= ?", userID, since).Count(&n).Error
	return n, database.Failure("count an account's enrichments", err)
}

const createSQL = `INSERT INTO people.enrichments (id, crd, state, created_at, lease_until) VALUES (@id, @crd, 'queued', @now, @lease)
ON CONFLICT (crd) WHERE state IN ('queued', 'running') DO NOTHING`

// The open job of an adviser, else the newest completed one.
const newestSQL = `SELECT id::text AS id, crd, state, created_at, started_at, finished_at, lease_until, runs, error, outcome
FROM people.enrichments WHERE crd = @crd AND state <> 'failed'
ORDER BY state = 'completed', created_at DESC LIMIT 1`

const askedSQL = `INSERT INTO people.enrichment_askers AS a (enrichment_id, user_id, asked_at, started) VALUES (@id, @user, @now, @started)
ON CONFLICT (enrichment_id, user_id) DO NOTHING`

// A job, for an account that requested it.
const jobSQL = `SELECT e.id::text AS id, e.crd, e.state, e.created_at, e.started_at, e.finished_at, e.lease_until, e.runs, e.error, e.outcome
FROM people.enrichments e JOIN people.enrichment_askers a ON a.enrichment_id = e.id
WHERE e.id = @id AND e.crd = @crd AND a.user_id = @user`

// create creates a job, unless the adviser has an open one, and reports whether it did.
func (s *store) create(ctx context.Context, id, crd string, now, lease time.Time) (bool, error) {
	n, err := database.Run(ctx, s.db, "create an enrichment", createSQL, database.Args{"id": id, "crd": crd, "now": now, "lease": lease})
	return n == 1, err
}

// newest returns the open job of an adviser, else the newest completed one.
func (s *store) newest(ctx context.Context, crd string) (*jobRow, error) {
	return one(database.Select[jobRow](ctx, s.db, "look for an enrichment", newestSQL, database.Args{"crd": crd}))
}

func (s *store) noteAsker(ctx context.Context, id string, userID int64, now time.Time, started bool) error {
	_, err := database.Run(ctx, s.db, "note who asked for an enrichment", askedSQL, database.Args{"id": id, "user": userID, "now": now, "started": started})
	return err
}

// job returns one that the account requested.
func (s *store) job(ctx context.Context, id, crd string, userID int64) (*jobRow, error) {
	return one(database.Select[jobRow](ctx, s.db, "read an enrichment", jobSQL, database.Args{"id": id, "crd": crd, "user": userID}))
}

// A waiting job, or one whose worker was lost.
const claimSQL = `UPDATE people.enrichments SET state = 'running', started_at = coalesce(started_at, @now), lease_until = @lease, runs = runs + 1
WHERE id = @id AND (state = 'queued' OR state = 'running' AND lease_until <= @now)
RETURNING id::text AS id, crd, state, created_at, started_at, finished_at, lease_until, runs, error, outcome`

const renewSQL = `UPDATE people.enrichments SET lease_until = @lease WHERE id = @id AND state = 'running' AND runs = @runs`

// Only by the run that holds the job.
const finishSQL = `UPDATE people.enrichments SET state = @state, error = @error, outcome = @outcome, finished_at = @now
WHERE id = @id AND state = 'running' AND runs = @runs`

const firmSQL = `INSERT INTO people.enriched_firms AS f (crd, first_at, last_at) VALUES (@crd, @now, @now)
ON CONFLICT (crd) DO UPDATE SET last_at = greatest(f.last_at, excluded.last_at)`

// Jobs without a worker for too long: of one adviser, or of all.
const expireSQL = `UPDATE people.enrichments SET state = 'failed', error = CASE state WHEN 'queued' THEN 'not_started' ELSE 'interrupted' END, finished_at = @now
WHERE state IN ('queued', 'running') AND lease_until <= @before AND (@crd = '' OR crd = @crd)`

// People of an adviser, each once.
const peopleSQL = `SELECT person_uid, standing, coalesce(title, '') AS title, named_until FROM people.roster WHERE crd = @crd ORDER BY person_uid`

// claim takes a job; nil if it has ended or another run holds it.
func (s *store) claim(ctx context.Context, id string, now, lease time.Time) (*jobRow, error) {
	return one(database.Select[jobRow](ctx, s.db, "take an enrichment", claimSQL, database.Args{"id": id, "now": now, "lease": lease}))
}

// open reports whether a job has not ended.
func (s *store) open(ctx context.Context, id string) (bool, error) {
	var n int64
	err := s.db.From(ctx).Model(&jobRow{}).Where("id = ? AND state IN ('queued', 'running')", id).Count(&n).Error
	return n > 0, database.Failure("look for an enrichment", err)
}

// renew extends the lease of a run, or ends it, and reports whether the run still holds the job.
func (s *store) renew(ctx context.Context, j *jobRow, lease time.Time) (bool, error) {
	n, err := database.Run(ctx, s.db, "renew an enrichment", renewSQL, database.Args{"id": j.ID, "runs": j.Runs, "lease": lease})
	return n == 1, err
}

// finish ends a job, unless another run has taken it, and reports whether it did.
func (s *store) finish(ctx context.Context, j *jobRow, state string, fault *string, out Outcome, now time.Time) (bool, error) {
	text, err := json.Marshal(out)
	if err != nil {
		return false, err
	}
	n, err := database.Run(ctx, s.db, "finish an enrichment", finishSQL, database.Args{
		"id": j.ID, "runs": j.Runs, "state": state, "error": fault, "outcome": text, "now": now,
	})
	return n == 1, err
}

func (s *store) noteFirm(ctx context.Context, crd string, now time.Time) error {
	_, err := database.Run(ctx, s.db, "note an enriched adviser", firmSQL, database.Args{"crd": crd, "now": now})
	return err
}

// expire fails the jobs whose lease ended before an instant: of one adviser, or of all where crd is empty.
func (s *store) expire(ctx context.Context, crd string, before, now time.Time) (int64, error) {
	return database.Run(ctx, s.db, "end lost enrichments", expireSQL, database.Args{"crd": crd, "before": before, "now": now})
}

// candidate is a person of an adviser.
type candidate struct {
	PersonUID, Standing, Title string
	NamedUntil                 time.Time
}

func (s *store) people(ctx context.Context, crd string) ([]candidate, error) {
	return database.Select[candidate](ctx, s.db, "read the people of an adviser", peopleSQL, database.Args{"crd": crd})
}

// named reports whether filings name a person who is not suppressed.
func (s *store) named(ctx context.Context, uid string) (bool, error) {
	const statement = "SELECT EXISTS (SELECT FROM people.posts WHERE person_uid = @uid)"
	is, err := one(database.Values[bool](ctx, s.db, "look for a person", statement, database.Args{"uid": uid}))
	return is != nil && *is, err
}
