package school

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// store keeps answers and finds students. Months go to the database as text, for a time would be taken in the session's zone.
type store struct{ db *database.DB }

//go:embed answer.sql
var answerSQL string

// add keeps answers; false when the month has been answered.
func (s *store) add(ctx context.Context, userID int64, month Month, answers []byte, now time.Time) (bool, error) {
	args := database.Args{"user": userID, "month": string(month), "answers": string(answers), "now": now}
	added, err := database.Run(ctx, s.db, "write survey answers", answerSQL, args)
	return added == 1, err
}

// graduate is a student whose year is over.
type graduate struct {
	ID        int64
	Email     string
	GivenPlan bool // by the programme; otherwise it is subscribed to
	GivenTier bool // the API tier, likewise
}

//go:embed graduates.sql
var graduatesSQL string

// graduates locks students whose year of graduation is before a year and who still have what the programme gave.
func (s *store) graduates(ctx context.Context, year, limit int) ([]graduate, error) {
	return database.Select[graduate](ctx, s.db, "read graduates", graduatesSQL, database.Args{"year": year, "limit": limit})
}

//go:embed lapse.sql
var lapseSQL string

// lapse takes the free access from students who neither answered for, nor registered since, the month that begins with since.
func (s *store) lapse(ctx context.Context, now, since time.Time) (int, error) {
	args := database.Args{"now": now, "since": since, "month": string(MonthOf(since))}
	lowered, err := database.Run(ctx, s.db, "lower students who missed the survey", lapseSQL, args)
	return int(lowered), err
}
