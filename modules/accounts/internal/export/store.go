package export

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/platform/database"
)

// store reads what is kept about a person.
type store struct{ db *database.DB }

// sessions gives all sessions of an account, oldest first, and the rows of their refresh tokens.
func (s *store) sessions(ctx context.Context, userID int64) ([]session.Row, []session.RefreshRow, error) {
	var rows []session.Row
	if err := s.db.From(ctx).Where("user_id = ?", userID).Order("created_at, id").Find(&rows).Error; err != nil {
		return nil, nil, database.Failure("read sessions", err)
	}
	var tokens []session.RefreshRow
	err := s.db.From(ctx).Where("session_id IN (SELECT id FROM accounts.sessions WHERE user_id = ?)", userID).
		Order("issued_at, hash").Find(&tokens).Error
	return rows, tokens, database.Failure("read refresh tokens", err)
}

// answer is an answer to a survey.
type answer struct {
	Month      string // "2026-11"
	Answers    string // JSON
	AnsweredAt time.Time
}

func (s *store) answers(ctx context.Context, userID int64) ([]answer, error) {
	var rows []answer
	err := s.db.From(ctx).Raw(`SELECT to_char(month, 'YYYY-MM') AS month, answers::text AS answers, answered_at
		FROM accounts.survey_answers WHERE user_id = ? ORDER BY accounts.survey_answers.month`, userID).Scan(&rows).Error
	return rows, database.Failure("read survey answers", err)
}
