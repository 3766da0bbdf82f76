package hiring

import (
	"context"
	"errors"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/board"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// boardRow is a row of people.boards.
type boardRow struct {
	CRD           string     `gorm:"column:crd;primaryKey"`
	Vendor        string     `gorm:"column:vendor;primaryKey"`
	Token         string     `gorm:"column:token;primaryKey"`
	FromFile      bool       `gorm:"column:from_file"`
	AddedAt       time.Time  `gorm:"column:added_at"`
	ETag          string     `gorm:"column:etag" db:"etag"`
	LastModified  string     `gorm:"column:last_modified"`
	CheckedAt     *time.Time `gorm:"column:checked_at"`
	SucceededAt   *time.Time `gorm:"column:succeeded_at"`
	ObservedSince *time.Time `gorm:"column:observed_since"`
	DoubtedAt     *time.Time `gorm:"column:doubted_at"`
	Failures      int        `gorm:"column:failures;type:integer"`
	Failure       *string    `gorm:"column:failure"`
	RetryAt       *time.Time `gorm:"column:retry_at"`
	LeasedUntil   *time.Time `gorm:"column:leased_until"`
}

// TableName is the table with its schema.
func (boardRow) TableName() string { return "people.boards" }

func (r *boardRow) board() board.Board {
	return board.Board{CRD: r.CRD, Vendor: board.Vendor(r.Vendor), Token: r.Token}
}

// postingRow is a row of people.postings.
type postingRow struct {
	CRD            string     `gorm:"column:crd;primaryKey"`
	Vendor         string     `gorm:"column:vendor;primaryKey"`
	Token          string     `gorm:"column:token;primaryKey"`
	PostingID      string     `gorm:"column:posting_id;primaryKey"`
	Title          string     `gorm:"column:title"`
	Department     string     `gorm:"column:department"`
	Location       string     `gorm:"column:location"`
	EmploymentType string     `gorm:"column:employment_type"`
	URL            string     `gorm:"column:url"`
	PostedAt       *time.Time `gorm:"column:posted_at"`
	FirstSeen      time.Time  `gorm:"column:first_seen"`
	LastSeen       time.Time  `gorm:"column:last_seen"`
	ClosedAt       *time.Time `gorm:"column:closed_at"`
}

// TableName is the table with its schema.
func (postingRow) TableName() string { return "people.postings" }

// vendorRow is a row of people.board_vendors.
type vendorRow struct {
	Vendor    string     `gorm:"column:vendor;primaryKey"`
	Failures  int        `gorm:"column:failures;type:integer"`
	RestUntil *time.Time `gorm:"column:rest_until"`
}

// TableName is the table with its schema.
func (vendorRow) TableName() string { return "people.board_vendors" }

// Store reads and writes boards and their postings.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db} }

// exists fails unless the adviser is in the catalog.
func (s *Store) exists(ctx context.Context, crd string) error {
	const statement = "SELECT 1 FROM catalog.pub_gp WHERE crd = @crd"
	found, err := database.Values[int32](ctx, s.db, "look for an adviser", statement, database.Args{"crd": crd})
	if err == nil && len(found) == 0 {
		err = apperr.NotFound(catalogapi.NoGP, crd)
	}
	return err
}

// add stores a board unless it exists, and reports whether it did.
func (s *Store) add(ctx context.Context, b board.Board, fromFile bool, at time.Time) (bool, error) {
	row := boardRow{CRD: b.CRD, Vendor: string(b.Vendor), Token: b.Token, FromFile: fromFile, AddedAt: at}
	tx := s.db.From(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
	return tx.RowsAffected == 1, database.Failure("add a job board", tx.Error)
}

// online turns a board that was loaded from files into one that is fetched, and reports whether it was loaded from files.
func (s *Store) online(ctx context.Context, b board.Board) (bool, error) {
	tx := s.of(ctx, b).Where("from_file").Update("from_file", false)
	return tx.RowsAffected == 1, database.Failure("change a job board", tx.Error)
}

// remove removes a board with its postings, and reports whether it existed.
func (s *Store) remove(ctx context.Context, b board.Board) (bool, error) {
	tx := s.of(ctx, b).Delete(&boardRow{})
	return tx.RowsAffected == 1, database.Failure("remove a job board", tx.Error)
}

// of is the board's row.
func (s *Store) of(ctx context.Context, b board.Board) *gorm.DB {
	return s.db.From(ctx).Model(&boardRow{}).Where("crd = ? AND vendor = ? AND token = ?", b.CRD, string(b.Vendor), b.Token)
}

// boards lists the boards of an adviser, or all boards for "".
func (s *Store) boards(ctx context.Context, crd string) ([]boardRow, error) {
	tx := s.db.From(ctx).Order("crd, vendor, token")
	if crd != "" {
		tx = tx.Where("crd = ?", crd)
	}
	var list []boardRow
	err := tx.Find(&list).Error
	return list, database.Failure("list job boards", err)
}

// lock reads a board for a change; nil if it no longer exists.
func (s *Store) lock(ctx context.Context, b board.Board) (*boardRow, error) {
	var row boardRow
	err := s.of(ctx, b).Clauses(clause.Locking{Strength: "UPDATE"}).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // may have been removed
	}
	return &row, database.Failure("lock a job board", err)
}

// update writes a board whose row is locked.
func (s *Store) update(ctx context.Context, r *boardRow) error {
	return database.Failure("change a job board", s.db.From(ctx).Save(r).Error)
}

// free keeps boards b that a worker may lease now, due or not: no other worker has them, and their vendors are not paused.
var free = strings.NewReplacer("{{free}}", `NOT b.from_file AND coalesce(b.leased_until <= @now, true)
	AND NOT EXISTS (SELECT FROM people.board_vendors v WHERE v.vendor = b.vendor AND v.rest_until > @now)`)

var claimSQL = free.Replace(`UPDATE people.boards SET leased_until = @until
WHERE (crd, vendor, token) = (
	SELECT b.crd, b.vendor, b.token FROM people.boards b
	WHERE {{free}} AND coalesce(b.retry_at <= @now, coalesce(b.succeeded_at <= @fresh, true))
	ORDER BY b.checked_at NULLS FIRST, b.crd, b.vendor, b.token
	LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING *`)

// claim leases a due board to the caller; nil if none is due.
func (s *Store) claim(ctx context.Context, now, until time.Time) (*boardRow, error) {
	rows, err := database.Select[boardRow](ctx, s.db, "claim a job board", claimSQL, database.Args{
		"now": now, "until": until, "fresh": now.Add(-freshFor),
	})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

var claimOneSQL = free.Replace(`UPDATE people.boards b SET leased_until = @until
WHERE b.crd = @crd AND b.vendor = @vendor AND b.token = @token AND {{free}}
RETURNING *`)

// claimOne leases a board, due or not; nil if another worker has it, or its vendor is paused.
func (s *Store) claimOne(ctx context.Context, b board.Board, now, until time.Time) (*boardRow, error) {
	rows, err := database.Select[boardRow](ctx, s.db, "claim a job board", claimOneSQL, database.Args{
		"crd": b.CRD, "vendor": string(b.Vendor), "token": b.Token, "now": now, "until": until,
	})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// vendor is the record of a vendor's failures.
func (s *Store) vendor(ctx context.Context, v string) (vendorRow, error) {
	row := vendorRow{Vendor: v}
	err := s.db.From(ctx).Where("vendor = ?", v).Limit(1).Find(&row).Error
	return row, database.Failure("read a vendor's state", err)
}

const vendorFailedSQL = `INSERT INTO people.board_vendors AS v (vendor, failures, rest_until)
VALUES (@vendor, 1, CASE WHEN @limit::integer <= 1 THEN @until::timestamptz END)
ON CONFLICT (vendor) DO UPDATE SET failures = v.failures + 1,
	rest_until = CASE WHEN v.failures + 1 >= @limit::integer THEN greatest(v.rest_until, @until::timestamptz) ELSE v.rest_until END`

// vendorFailed counts a failure of a vendor. Once the count reaches limit, the vendor is paused until the given time; with a
// limit of 1, at once.
func (s *Store) vendorFailed(ctx context.Context, v string, limit int, until time.Time) error {
	_, err := database.Run(ctx, s.db, "note a vendor's failure", vendorFailedSQL, database.Args{"vendor": v, "limit": limit, "until": until})
	return err
}

// vendorSucceeded resets a vendor's failures.
func (s *Store) vendorSucceeded(ctx context.Context, v string) error {
	return database.Failure("note a vendor's success", s.db.From(ctx).Where("vendor = ?", v).Delete(&vendorRow{}).Error)
}
