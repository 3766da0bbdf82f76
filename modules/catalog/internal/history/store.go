package history

import (
	"context"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// Store reads advisers and funds, as they stand or as they stood. Its errors are apperr's: Unavailable when the database
// is away, and NotFound only where a method says so.
type Store struct {
	db *database.DB
}

// NewStore reads from db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// FindAdviser reads an adviser as it stands, or nil when there is none.
func (s *Store) FindAdviser(ctx context.Context, crd string) (*fold.Adviser, error) {
	var rows []fold.Adviser
	if err := s.db.From(ctx).Where("crd = ?", crd).Limit(1).Find(&rows).Error; err != nil {
		return nil, database.Failure("read an adviser", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // Find: may not be there
	}
	return &rows[0], nil
}

// The columns of catalog.funds as Fund scans them: arrays travel as JSON.
const fundColumns = `fund_id, name, state, country, is_3c1, is_3c7, is_master, is_feeder, master_fund_name, master_fund_id,
	is_fund_of_funds, fund_type, fund_type_other, gross_asset_value, minimum_investment, beneficial_owners_count,
	pct_owned_related, pct_owned_funds, pct_owned_non_us, annual_audit, gaap, unqualified_opinion,
	to_json(auditors) AS auditors, to_json(form_d_file_numbers) AS form_d_file_numbers`

const currentFundColumns = fundColumns + `, id, adviser_crd, jurisdiction, country_code, strategy, vintage_year, vintage_quality,
	to_json(exemptions) AS exemptions, status, peak_gav, first_filed_on, latest_accession, latest_form_type, latest_filed_on`

// FindFund reads a fund as it stands, by its filed id or, when that is empty, its internal one; nil when there is none.
func (s *Store) FindFund(ctx context.Context, fundID string, id int64) (*fold.Fund, error) {
	find := s.db.From(ctx).Select(currentFundColumns).Limit(1)
	if fundID != "" {
		find = find.Where("fund_id = ?", fundID)
	} else {
		find = find.Where("id = ?", id)
	}
	var rows []fold.Fund
	if err := find.Find(&rows).Error; err != nil {
		return nil, database.Failure("read a fund", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // Find: may not be there
	}
	return &rows[0], nil
}

// AdviserName reads the current legal name of an adviser; empty when there is none.
func (s *Store) AdviserName(ctx context.Context, crd string) (string, error) {
	var names []string
	err := s.db.From(ctx).Model(&fold.Adviser{}).Where("crd = ?", crd).Limit(1).Pluck("legal_name", &names).Error
	if err != nil {
		return "", database.Failure("read an adviser's name", err)
	}
	if len(names) == 0 {
		return "", nil
	}
	return names[0], nil
}
