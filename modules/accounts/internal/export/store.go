package export

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/platform/database"
)

// store reads the data about a person.
type store struct{ db *database.DB }

//nolint:gosec // a statement, not a token
const tokensSQL = `SELECT hash, session_id, issued_at, expires_at, used_at
FROM accounts.refresh_tokens
WHERE session_id IN (SELECT id FROM accounts.sessions WHERE user_id = @user)
ORDER BY issued_at, hash`

// sessions returns all sessions of an account, oldest first, and their refresh tokens.
func (s *store) sessions(ctx context.Context, userID int64) ([]session.Row, []session.RefreshRow, error) {
	var rows []session.Row
	if err := s.db.From(ctx).Where("user_id = ?", userID).Order("created_at, id").Find(&rows).Error; err != nil {
		return nil, nil, database.Failure("read sessions", err)
	}
	tokens, err := database.Select[session.RefreshRow](ctx, s.db, "read refresh tokens", tokensSQL, database.Args{"user": userID})
	return rows, tokens, err
}

// opened is when one of the account's sessions was opened; the zero time if there is no such session.
func (s *store) opened(ctx context.Context, userID int64, sessionID string) (time.Time, error) {
	var row session.Row
	err := s.db.From(ctx).Where("id = ? AND user_id = ?", sessionID, userID).Limit(1).Find(&row).Error
	return row.CreatedAt, database.Failure("read a session", err)
}

// answer is an answer to a survey.
type answer struct {
	Month      string // "2026-11"
	Answers    string // JSON
	AnsweredAt time.Time
}

const answersSQL = `SELECT to_char(a.month, 'YYYY-MM') AS month, a.answers::text AS answers, a.answered_at
FROM accounts.survey_answers a
WHERE a.user_id = @user
ORDER BY a.month`

func (s *store) answers(ctx context.Context, userID int64) ([]answer, error) {
	return database.Select[answer](ctx, s.db, "read survey answers", answersSQL, database.Args{"user": userID})
}
