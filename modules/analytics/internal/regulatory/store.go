package regulatory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Store reads filed disclosures, and caches answers of providers.
type Store struct {
	db *database.DB
}

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// firmName is the adviser's legal name.
func (s *Store) firmName(ctx context.Context, crd string) (string, error) {
	const statement = "SELECT legal_name FROM catalog.pub_gp WHERE crd = @crd"
	names, err := database.Values[string](ctx, s.db, "look for an adviser", statement, database.Args{"crd": crd})
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", apperr.NotFound(catalogapi.NoGP, crd)
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

// TableName is the table with its schema.
func (rememberedRow) TableName() string { return "analytics.regulatory_answers" }

// remembered is the cached answer of one provider about one adviser.
type remembered struct {
	Answer    Answer
	Edition   string
	CheckedAt time.Time
}

// recall returns a provider's cached answer about an adviser, or nil.
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

const rememberSQL = `INSERT INTO analytics.regulatory_answers AS a (crd, provider, edition, answer, checked_at)
VALUES (@crd, @provider, @edition, @answer::jsonb, @at)
ON CONFLICT (crd, provider) DO UPDATE SET edition = excluded.edition, answer = excluded.answer, checked_at = excluded.checked_at
WHERE a.checked_at <= excluded.checked_at`

// remember caches a provider's answer, replacing the earlier one. Of two concurrent answers the later one stays.
func (s *Store) remember(ctx context.Context, crd, provider string, r remembered) error {
	_, err := database.Run(ctx, s.db, "remember a regulatory answer", rememberSQL, database.Args{
		"crd": crd, "provider": provider, "edition": r.Edition, "answer": r.Answer, "at": r.CheckedAt,
	})
	return err
}
