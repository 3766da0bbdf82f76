package history

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// UnlistedSQL finds the advisers that were in no list any more on day $1, with the day since when, by the rule of the
// loader (load/sql/unlisted.sql) less its last condition: a form of that day or later ends it. of narrows the listings l,
// known the editions f to those that were processed by an instant; either begins with AND, or is empty.
func UnlistedSQL(of, known string) string {
	return `
		WITH gone AS (
			SELECT DISTINCT ON (l.crd, l.series) l.crd, least(l.last_on, $1::date) AS last_on,
				(SELECT min(f.day) FROM catalog.editions f WHERE f.series = l.series AND f.day > l.last_on AND f.day <= $1` + known + `) AS day
			FROM catalog.listings l JOIN catalog.editions f ON f.series = l.series AND f.day = l.first_on
			WHERE l.first_on <= $1` + known + of + `
			ORDER BY l.crd, l.series, l.last_on DESC
		), last AS (
			SELECT crd, max(day) AS day, max(last_on) FILTER (WHERE day IS NULL) AS listed_on FROM gone GROUP BY crd
		)
		SELECT crd::bigint, day FROM last WHERE day IS NOT NULL AND (listed_on IS NULL OR listed_on < day - 365)`
}

// unlisted is the day since when an adviser was in no list any more; nil where it was in one, or a version is of that day
// or later.
//
// Spec: not shown; whom an edition named before the same edition was loaded anew is not kept, so at an instant before that it
// counts with what it names now.
func (a *account) unlisted(ctx context.Context, r *reader) (*time.Time, error) {
	type row struct {
		Day time.Time `gorm:"column:day"`
	}
	found, err := collect[row](ctx, r, "read whether an adviser is listed", UnlistedSQL(" AND l.crd = $3", " AND f.processed_at <= $2"),
		pgtype.Date{Time: a.limit, Valid: true}, r.known(), a.crd)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	since := found[0].Day
	for i := range a.versions {
		if !a.versions[i].FilingDate.Before(since) {
			return nil, nil //nolint:nilnil // it is listed
		}
	}
	return &since, nil
}
