package filing

import (
	"context"

	"gpatlas/platform/database"
)

// Store reads filings.
type Store struct {
	db *database.DB
}

// NewStore reads from db.
func NewStore(db *database.DB) *Store { return &Store{db: db.Reader()} }

// filter narrows the filings of one adviser; zero values mean all.
type filter struct {
	crd      string
	formType string
	year     int
}

func (s *Store) knows(ctx context.Context, crd string) (bool, error) {
	const statement = "SELECT crd FROM catalog.advisers WHERE crd = @crd"
	found, err := database.Values[string](ctx, s.db, "look for an adviser", statement, database.Args{"crd": crd})
	return len(found) > 0, err
}

// Without @form all forms, without @year all years.
const listSQL = `SELECT accession, source, filing_id, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, status, processed_at,
	count(*) OVER () AS total
FROM catalog.pub_listed_filing
WHERE crd = @crd AND (@form = '' OR form_type = @form) AND (@year::int = 0 OR extract(year FROM filing_date) = @year::int)
ORDER BY version_order DESC LIMIT @limit OFFSET @offset`

// list reads one page, the newest first, and how many filings there are in all.
func (s *Store) list(ctx context.Context, f filter, limit, offset int) (rows []row, total int64, err error) {
	rows, err = database.Select[row](ctx, s.db, "read filings", listSQL, database.Args{
		"crd": f.crd, "form": f.formType, "year": f.year, "limit": limit, "offset": offset,
	})
	if err != nil {
		return nil, 0, err
	}
	if len(rows) == 0 && offset > 0 { // a page after the last: count the rows with the first page
		_, total, err = s.list(ctx, f, 1, 0)
		return nil, total, err
	}
	if len(rows) > 0 {
		total = rows[0].Total
	}
	return rows, total, nil
}
