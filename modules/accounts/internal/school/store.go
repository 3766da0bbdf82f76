package school

import (
	"context"
	"strings"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/database"
)

// store keeps answers and finds students. Months are passed to the database as text, because a time would be converted to the
// session's zone.
type store struct{ db *database.DB }

const answerSQL = `INSERT INTO accounts.survey_answers (user_id, month, answers, answered_at)
VALUES (@user, to_date(@month, 'YYYY-MM-DD'), @answers::text::jsonb, @now)
ON CONFLICT (user_id, month) DO NOTHING`

// add stores answers; false if the month has been answered.
func (s *store) add(ctx context.Context, userID int64, month Month, answers []byte, now time.Time) (bool, error) {
	args := database.Args{"user": userID, "month": string(month), "answers": string(answers), "now": now}
	added, err := database.Run(ctx, s.db, "write survey answers", answerSQL, args)
	return added == 1, err
}

// graduate is a student whose year of graduation is over.
type graduate struct {
	ID        int64
	Email     string
	GivenPlan bool // by the program; otherwise it is subscribed to
	GivenTier bool // the API tier, likewise
}

// What the program has granted: a subscribed plan replaces the tier's name, a subscribed API tier is marked.
var granted = strings.NewReplacer("{{plan}}", "(tier = school || '_student')", "{{tier}}", "(api_tier = '"+auth.TierGrowth+"' AND NOT api_tier_subscribed)")

var graduatesSQL = granted.Replace(`SELECT id, email, {{plan}} AS given_plan, {{tier}} AS given_tier FROM accounts.users
WHERE school IS NOT NULL AND ({{plan}} OR {{tier}}) AND graduation_year < @year AND deleted_at IS NULL
ORDER BY id LIMIT @limit FOR UPDATE`)

// graduates locks students whose year of graduation is before a year and who still have what the program granted.
func (s *store) graduates(ctx context.Context, year, limit int) ([]graduate, error) {
	return database.Select[graduate](ctx, s.db, "read graduates", graduatesSQL, database.Args{"year": year, "limit": limit})
}

var lapseSQL = granted.Replace(`UPDATE accounts.users u SET
	subscription_plan = CASE WHEN {{plan}} THEN 'free' ELSE subscription_plan END,
	api_tier = CASE WHEN {{tier}} THEN 'starter' ELSE api_tier END,
	updated_at = @now
WHERE school IS NOT NULL AND deleted_at IS NULL AND created_at < @since
	AND ({{plan}} AND subscription_plan <> 'free' OR {{tier}})
	AND NOT EXISTS (SELECT FROM accounts.survey_answers a WHERE a.user_id = u.id AND a.month >= to_date(@month, 'YYYY-MM-DD'))`)

// lapse suspends the free access of students who neither answered for, nor registered since, the month that begins with since.
func (s *store) lapse(ctx context.Context, now, since time.Time) (int, error) {
	args := database.Args{"now": now, "since": since, "month": string(MonthOf(since))}
	lowered, err := database.Run(ctx, s.db, "lower students who missed the survey", lapseSQL, args)
	return int(lowered), err
}
