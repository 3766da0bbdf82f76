package hiring

import (
	"context"
	"time"

	"gpatlas/modules/people/internal/board"
	"gpatlas/platform/database"
)

// open returns the IDs of a board's open postings.
func (s *Store) open(ctx context.Context, b board.Board) ([]string, error) {
	var ids []string
	err := s.db.From(ctx).Model(&postingRow{}).Where("crd = ? AND vendor = ? AND token = ? AND closed_at IS NULL", b.CRD, string(b.Vendor), b.Token).
		Pluck("posting_id", &ids).Error
	return ids, database.Failure("read a board's open postings", err)
}

const touchSQL = `UPDATE people.postings SET last_seen = @at
WHERE crd = @crd AND vendor = @vendor AND token = @token AND closed_at IS NULL`

// touch records that all open postings of a board were seen again.
func (s *Store) touch(ctx context.Context, b board.Board, at time.Time) error {
	_, err := database.Run(ctx, s.db, "note that postings were seen", touchSQL, key(b, database.Args{"at": at}))
	return err
}

const upsertSQL = `INSERT INTO people.postings AS p (crd, vendor, token, posting_id, title, department, location, employment_type, url, posted_at, first_seen, last_seen)
SELECT @crd, @vendor, @token, n.id, n.title, n.department, n.location, n.type, n.url, n.posted, @at, @at
FROM unnest(@ids::text[], @titles::text[], @departments::text[], @locations::text[], @types::text[], @urls::text[], @posted::timestamptz[])
	AS n (id, title, department, location, type, url, posted)
ON CONFLICT (crd, vendor, token, posting_id) DO UPDATE SET title = excluded.title, department = excluded.department, location = excluded.location,
	employment_type = excluded.employment_type, url = excluded.url, posted_at = excluded.posted_at, last_seen = excluded.last_seen, closed_at = NULL`

const closeSQL = `UPDATE people.postings SET closed_at = @at
WHERE crd = @crd AND vendor = @vendor AND token = @token AND closed_at IS NULL AND posting_id <> ALL (@ids::text[])`

// write stores what a board lists at an instant, and closes what it no longer lists.
func (s *Store) write(ctx context.Context, b board.Board, list []board.Posting, at time.Time) (closed int, err error) {
	n := len(list)
	ids, titles, departments, locations := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	types, urls, posted := make([]string, n), make([]string, n), make([]*time.Time, n)
	for i, p := range list {
		ids[i], titles[i], departments[i], locations[i] = p.ID, p.Title, p.Department, p.Location
		types[i], urls[i], posted[i] = p.EmploymentType, p.URL, p.PostedAt
	}
	_, err = database.Run(ctx, s.db, "write postings", upsertSQL, key(b, database.Args{
		"at": at, "ids": ids, "titles": titles, "departments": departments, "locations": locations, "types": types, "urls": urls, "posted": posted,
	}))
	if err != nil {
		return 0, err
	}
	gone, err := database.Run(ctx, s.db, "close postings", closeSQL, key(b, database.Args{"at": at, "ids": ids}))
	return int(gone), err
}

func key(b board.Board, args database.Args) database.Args {
	args["crd"], args["vendor"], args["token"] = b.CRD, string(b.Vendor), b.Token
	return args
}

// sweep removes postings that were closed before an instant.
func (s *Store) sweep(ctx context.Context, before time.Time) error {
	return database.Failure("remove old postings", s.db.From(ctx).Where("closed_at < ?", before).Delete(&postingRow{}).Error)
}

// openOf returns the open postings of an adviser.
func (s *Store) openOf(ctx context.Context, crd string) ([]postingRow, error) {
	var list []postingRow
	err := s.db.From(ctx).Where("crd = ? AND closed_at IS NULL", crd).Find(&list).Error
	return list, database.Failure("read an adviser's postings", err)
}

// A posting opens on the day of its posting, but not later than it was first seen.
const movesSQL = `SELECT count(*) FILTER (WHERE least(posted_at, first_seen) > @from AND least(posted_at, first_seen) <= @until) AS opened,
	count(*) FILTER (WHERE closed_at > @from AND closed_at <= @until) AS closed
FROM people.postings WHERE crd = @crd`

// postingChanges counts the openings and closings in a period.
type postingChanges struct{ Opened, Closed int64 }

func (s *Store) changes(ctx context.Context, crd string, from, until time.Time) (postingChanges, error) {
	rows, err := database.Select[postingChanges](ctx, s.db, "count openings", movesSQL, database.Args{"crd": crd, "from": from, "until": until})
	if err != nil {
		return postingChanges{}, err
	}
	return rows[0], nil
}
