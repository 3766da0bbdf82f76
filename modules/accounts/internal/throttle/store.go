package throttle

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"gpatlas/platform/database"
)

// Attempt is a row of accounts.attempts.
type Attempt struct {
	ID      int64     `gorm:"column:id;primaryKey"`
	Kind    string    `gorm:"column:kind"`
	Subject []byte    `gorm:"column:subject"`
	At      time.Time `gorm:"column:at"`
}

// TableName is the table with its schema.
func (Attempt) TableName() string { return "accounts.attempts" }

// Models are the rows of this package.
func Models() []any { return []any{Attempt{}} }

// Store keeps the counts.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// count counts uses in one transaction. It locks each subject, so that concurrent transactions count the same subject one after
// the other, and takes the locks in one order, so that no two transactions wait for each other.
func (s *Store) count(ctx context.Context, now time.Time, uses []Use) (t Taken, err error) {
	rows := make([]Attempt, len(uses))
	for i, u := range uses {
		rows[i] = Attempt{Kind: u.Rule.Kind, Subject: u.subject(), At: now}
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		for _, row := range slices.SortedFunc(slices.Values(rows), func(a, b Attempt) int { return bytes.Compare(a.Subject, b.Subject) }) {
			key := int64(binary.BigEndian.Uint64(row.Subject))
			_, err := database.Run(ctx, s.db, "lock a subject", "SELECT pg_advisory_xact_lock(@key)", database.Args{"key": key})
			if err != nil {
				return err
			}
		}
		for i, u := range uses {
			wait, err := s.wait(ctx, now, u.Rule, rows[i].Subject)
			if err != nil {
				return err
			}
			t.Wait = max(t.Wait, wait)
		}
		if t.Wait > 0 {
			return s.write(ctx, refused(rows, uses))
		}
		return s.write(ctx, rows)
	})
	if err != nil {
		return Taken{}, err
	}
	for _, row := range rows {
		if row.ID != 0 {
			t.ids = append(t.ids, row.ID)
		}
	}
	return t, nil
}

// refused is what is stored about refused attempts.
func refused(rows []Attempt, uses []Use) (out []Attempt) {
	for i, u := range uses {
		if u.Rule.Even {
			row := rows[i]
			row.Kind += "_refused"
			out = append(out, row)
		}
	}
	return out
}

// write stores attempts, and sets their numbers.
func (s *Store) write(ctx context.Context, list []Attempt) error {
	if len(list) == 0 {
		return nil
	}
	return s.db.From(ctx).Create(&list).Error
}

const oldestSQL = `SELECT at
FROM accounts.attempts
WHERE kind = @kind AND subject = @subject AND at > @after
ORDER BY at DESC, id DESC LIMIT 1 OFFSET @newer`

// wait is how long until a rule accepts the next attempt: until the oldest of the newest Max is out of the window; 0 if there
// is room now.
func (s *Store) wait(ctx context.Context, now time.Time, rule Rule, subject []byte) (time.Duration, error) {
	args := database.Args{"kind": rule.Kind, "subject": subject, "after": now.Add(-rule.Window), "newer": rule.Max - 1}
	at, err := database.Values[time.Time](ctx, s.db, "count attempts", oldestSQL, args)
	if err != nil || len(at) == 0 {
		return 0, err
	}
	return max(at[0].Add(rule.Window).Sub(now), time.Millisecond), nil
}

func (s *Store) forget(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	err := s.db.From(ctx).Where("id IN ?", ids).Delete(&Attempt{}).Error
	return database.Failure("take back an attempt", err)
}

// clear removes the counts of a subject by the first half of the hash, which does not depend on the place.
func (s *Store) clear(ctx context.Context, u Use) error {
	err := s.db.From(ctx).Where("kind = ? AND substring(subject FOR 16) = ?", u.Rule.Kind, u.subject()[:half]).Delete(&Attempt{}).Error
	return database.Failure("take back attempts", err)
}

func (s *Store) sweep(ctx context.Context, before time.Time) (int64, error) {
	result := s.db.From(ctx).Where("at < ?", before).Delete(&Attempt{})
	return result.RowsAffected, database.Failure("sweep attempts", result.Error)
}
