package school

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// store keeps answers and finds students. Months go to the database as text, for a time would be taken in the session's zone.
type store struct{ db *database.DB }

// add keeps answers; false when the month has been answered.
func (s *store) add(ctx context.Context, userID int64, month Month, answers []byte, now time.Time) (bool, error) {
	result := s.db.From(ctx).Exec(`INSERT INTO accounts.survey_answers (user_id, month, answers, answered_at)
		VALUES (?, to_date(?, 'YYYY-MM-DD'), ?::text::jsonb, ?) ON CONFLICT (user_id, month) DO NOTHING`, userID, string(month), string(answers), now)
	return result.RowsAffected == 1, database.Failure("write survey answers", result.Error)
}

// graduate is a student whose year is over.
type graduate struct {
	ID        int64
	Email     string
	GivenPlan bool // by the programme; otherwise it is subscribed to
	GivenTier bool // the API tier, likewise
}

// What the programme has given: a subscribed plan replaces the tier's name, a subscribed API tier is marked.
const (
	givenPlan = "(tier = school || '_student')"
	givenTier = "(api_tier = 'growth' AND NOT api_tier_subscribed)"
)

// graduates locks students whose year of graduation is before a year and who still have what the programme gave.
func (s *store) graduates(ctx context.Context, year, limit int) ([]graduate, error) {
	var list []graduate
	err := s.db.From(ctx).Raw(`SELECT id, email, `+givenPlan+` AS given_plan, `+givenTier+` AS given_tier FROM accounts.users
		WHERE school IS NOT NULL AND (`+givenPlan+` OR `+givenTier+`) AND graduation_year < ? AND deleted_at IS NULL
		ORDER BY id LIMIT ? FOR UPDATE`, year, limit).Scan(&list).Error
	return list, database.Failure("read graduates", err)
}

// lapse takes the free access from students who neither answered for, nor registered since, the month that begins with since.
func (s *store) lapse(ctx context.Context, now, since time.Time) (int, error) {
	result := s.db.From(ctx).Exec(`
		UPDATE accounts.users u SET
		  subscription_plan = CASE WHEN `+givenPlan+` THEN 'free' ELSE subscription_plan END,
		  api_tier = CASE WHEN `+givenTier+` THEN 'starter' ELSE api_tier END, updated_at = @now
		WHERE school IS NOT NULL AND (`+givenPlan+` AND subscription_plan <> 'free' OR `+givenTier+`) AND deleted_at IS NULL
		  AND created_at < @since
		  AND NOT EXISTS (SELECT FROM accounts.survey_answers a WHERE a.user_id = u.id AND a.month >= to_date(@month, 'YYYY-MM-DD'))`,
		map[string]any{"now": now, "since": since, "month": string(MonthOf(since))})
	return int(result.RowsAffected), database.Failure("lower students who missed the survey", result.Error)
}
