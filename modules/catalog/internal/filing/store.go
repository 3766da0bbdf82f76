package filing

import (
	"context"
	"time"

	"gorm.io/gorm"

	"gpatlas/platform/database"
)

// Store reads filings.
type Store struct {
	db *database.DB
}

// NewStore reads from db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// Models are the structures that mirror tables, for the test that compares the two.
func Models() []any { return []any{row{}} }

// filter narrows the filings of one adviser; zero values mean all.
type filter struct {
	crd      string
	formType string
	year     int
}

func (s *Store) knows(ctx context.Context, crd string) (known bool, err error) {
	err = s.db.From(ctx).Raw("SELECT EXISTS (SELECT 1 FROM catalog.advisers WHERE crd = ?)", crd).Scan(&known).Error
	return known, database.Failure("look for an adviser", err)
}

// list reads one page, the newest first, and how many filings there are in all.
func (s *Store) list(ctx context.Context, f filter, limit, offset int) (rows []row, total int64, err error) {
	find := func() *gorm.DB {
		tx := s.db.From(ctx).Table("(?) AS filings", gorm.Expr(everything, f.crd, f.crd))
		if f.formType != "" {
			tx = tx.Where("form_type = ?", f.formType)
		}
		if f.year != 0 {
			from := time.Date(f.year, time.January, 1, 0, 0, 0, 0, time.UTC)
			tx = tx.Where("filing_date >= ? AND filing_date < ?", from.Format(time.DateOnly), from.AddDate(1, 0, 0).Format(time.DateOnly))
		}
		return tx
	}
	if err := find().Count(&total).Error; err != nil {
		return nil, 0, database.Failure("count filings", err)
	}
	if int64(offset) >= total {
		return nil, total, nil
	}
	err = find().Order(`filing_date DESC, submitted_at DESC, accession COLLATE "C" DESC`).Limit(limit).Offset(offset).Find(&rows).Error
	return rows, total, database.Failure("read filings", err)
}
