package past

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/database"
)

// AsOf selects the filings that count. What else depends on the day, whether an open fund is winding down, is in no answer here:
// two equal AsOf values give the same answers.
type AsOf struct {
	Filed time.Time // filed up to this day; zero: no limit
	Known time.Time // the newest processed_at that counts; zero: no limit
}

// asOfMoment converts a moment to its AsOf; the zero one is the present. A day that has not ended is no limit. An instant means the
// last change before it, so that all instants between two changes share an index. newest is the publication of the
// index in use.
func (b *Builder) asOfMoment(ctx context.Context, at catalogapi.Moment, newest int64) (c AsOf, err error) {
	if day := dayOf(at.Day); !at.Day.IsZero() && day.Before(dayOf(b.clock.Now())) {
		c.Filed = day
	}
	if at.Known.IsZero() {
		return c, nil
	}
	known, err := b.changesAt(ctx, at.Known, newest)
	if err != nil {
		return AsOf{}, err
	}
	c.Known = known.before(at.Known, newest).UTC() // AsOf values are compared
	return c, nil
}

// dayOf is the day in UTC.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// changes are the loads that changed what is answered, as far as they were known at an instant and, at least, up to a
// publication.
type changes struct {
	at     time.Time // all that was known at it
	newest int64     // the number of the newest publication
	all    []change  // in their order
}

// change is a load: when what it brought became known, and what its rows are dated with.
type change struct{ known, processed time.Time }

// before returns the instant with which the rows of the last known change are dated: the zero time if that change is the newest of
// all and the index in use, of publication newest, has it; an instant before all changes if none was known.
func (c *changes) before(known time.Time, newest int64) time.Time {
	n, _ := slices.BinarySearchFunc(c.all, known, func(a change, at time.Time) int {
		if a.known.After(at) {
			return 1
		}
		return -1 // also at the same instant
	})
	switch {
	case n == len(c.all) && newest >= c.newest:
		return time.Time{}
	case n == 0:
		return c.all[0].processed.Add(-time.Second)
	}
	return c.all[n-1].processed
}

//go:embed changes.sql
var changesSQL string

// changesAt returns the changes of all publications up to newest at least, and of all that were known at an instant. A change
// that we have not seen yet may have been known then.
func (b *Builder) changesAt(ctx context.Context, known time.Time, newest int64) (changes, error) {
	b.mu.Lock()
	kept := b.changes
	b.mu.Unlock()
	if !known.After(kept.at) && kept.newest >= newest {
		return kept, nil
	}
	var read changes
	err := b.db.Conn(ctx, func(c *pgx.Conn) error {
		var err error
		if read.at, err = publish.WaitForCommit(ctx, c); err != nil {
			return err
		}
		rows, err := c.Query(ctx, changesSQL)
		if err != nil {
			return err
		}
		var seq int64
		var one change
		_, err = pgx.ForEachRow(rows, []any{&seq, &one.known, &one.processed}, func() error {
			read.newest, read.all = max(read.newest, seq), append(read.all, one)
			return nil
		})
		return err
	})
	if err != nil {
		return changes{}, database.Failure("read publications", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changes.at.Before(read.at) {
		b.changes = read
	}
	return read, nil
}
