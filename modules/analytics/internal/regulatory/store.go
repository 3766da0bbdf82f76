package regulatory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Store reads what filings disclose, and keeps what providers have said.
type Store struct {
	db *database.DB
}

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// Models are the structures that mirror tables and views, for the test that compares the two.
func Models() []any { return []any{rememberedRow{}, page{}, affiliateRow{}} }

// firmName is the adviser's legal name.
func (s *Store) firmName(ctx context.Context, crd string) (string, error) {
	var names []string
	if err := s.db.From(ctx).Raw("SELECT legal_name FROM catalog.pub_gp WHERE crd = ?", crd).Scan(&names).Error; err != nil {
		return "", database.Failure("look for an adviser", err)
	}
	if len(names) == 0 {
		return "", apperr.NotFound("GP with CRD %s not found", crd)
	}
	return names[0], nil
}

// rememberedRow is a row of analytics.regulatory_answers.
type rememberedRow struct {
	CRD       string    `gorm:"column:crd;primaryKey"`
	Provider  string    `gorm:"column:provider;primaryKey"`
	Edition   string    `gorm:"column:edition"`
	Answer    string    `gorm:"column:answer;type:jsonb"`
	CheckedAt time.Time `gorm:"column:checked_at"`
}

// TableName is where answers are remembered.
func (rememberedRow) TableName() string { return "analytics.regulatory_answers" }

// remembered is the last answer of one provider about one adviser.
type remembered struct {
	Answer    Answer
	Edition   string
	CheckedAt time.Time
}

// recall gives what a provider said last of an adviser, or nil.
func (s *Store) recall(ctx context.Context, crd, provider string) (*remembered, error) {
	var rows []rememberedRow
	err := s.db.From(ctx).Where("crd = ? AND provider = ?", crd, provider).Limit(1).Find(&rows).Error
	if err != nil {
		return nil, database.Failure("recall a regulatory answer", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // may not be there
	}
	r := &remembered{Edition: rows[0].Edition, CheckedAt: rows[0].CheckedAt.UTC()}
	if err := json.Unmarshal([]byte(rows[0].Answer), &r.Answer); err != nil {
		return nil, fmt.Errorf("read a remembered regulatory answer: %w", err)
	}
	return r, nil
}

// remember keeps what a provider says, in place of what it said before. Of two answers at once the later one stays.
func (s *Store) remember(ctx context.Context, crd, provider string, r remembered) error {
	text, err := json.Marshal(r.Answer)
	if err != nil {
		return fmt.Errorf("encode a regulatory answer: %w", err)
	}
	err = s.db.From(ctx).Exec(`INSERT INTO analytics.regulatory_answers AS a (crd, provider, edition, answer, checked_at)
		VALUES (?, ?, ?, ?::jsonb, ?)
		ON CONFLICT (crd, provider) DO UPDATE SET edition = excluded.edition, answer = excluded.answer, checked_at = excluded.checked_at
		WHERE a.checked_at <= excluded.checked_at`, crd, provider, r.Edition, string(text), r.CheckedAt).Error
	return database.Failure("remember a regulatory answer", err)
}
