package past

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

// Cut says which filings count. What else depends on the day, whether an open fund is winding down, is in no answer here:
// two cuts that are equal give the same answers.
type Cut struct {
	Filed time.Time // filed up to this day; zero: no limit
	Known time.Time // processed up to this instant; zero: no limit
}

// cutAt brings a moment to its cut; the zero cut is the present. A day that has not ended is no limit, and an instant stands
// for the last change before it, so that all instants between two changes share an index.
func (b *Builder) cutAt(ctx context.Context, at catalogapi.Moment, newest int64) (c Cut, err error) {
	if day := dayOf(at.Day); !at.Day.IsZero() && day.Before(dayOf(b.clock.Now())) {
		c.Filed = day
	}
	if at.Known.IsZero() {
		return c, nil
	}
	changes, err := b.changesUpTo(ctx, newest)
	if err != nil {
		return Cut{}, err
	}
	c.Known = lastOf(changes, at.Known).UTC() // cuts are compared
	return c, nil
}

// lastOf gives the last of the changes, which are ascending, that is not after known: the zero time when that is the
// newest of all, and an instant before all of them when there is none.
func lastOf(changes []time.Time, known time.Time) time.Time {
	n, exact := slices.BinarySearchFunc(changes, known, time.Time.Compare)
	if exact {
		n++
	}
	switch n {
	case len(changes):
		return time.Time{}
	case 0:
		return changes[0].Add(-time.Second)
	}
	return changes[n-1]
}

// dayOf is the day in UTC.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// changes are the instants at which the catalogue changed, up to a publication.
type changes struct {
	read   bool
	newest int64
	at     []time.Time
}

// changesUpTo gives the instants of all publications up to newest at least. Whatever answers depend on is processed in the
// transaction of a publication, at the publication's own instant.
func (b *Builder) changesUpTo(ctx context.Context, newest int64) ([]time.Time, error) {
	b.mu.Lock()
	known := b.changes
	b.mu.Unlock()
	if known.read && known.newest >= newest {
		return known.at, nil
	}
	read := changes{read: true}
	err := b.db.Conn(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT coalesce(max(seq), 0), coalesce(array_agg(DISTINCT published_at ORDER BY published_at), '{}')
			FROM catalog.publications`).Scan(&read.newest, &read.at)
	})
	if err != nil {
		return nil, database.Failure("read publications", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changes.newest <= read.newest {
		b.changes = read
	}
	return read.at, nil
}
