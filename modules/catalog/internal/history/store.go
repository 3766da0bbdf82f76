package history

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// Store reads advisers and funds, as they stand or as they stood. Its errors are apperr's: Unavailable when the database
// is away, and NotFound only where a method says so.
type Store struct {
	db *database.DB
}

// NewStore reads from db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// Models are the structures that mirror tables, for the test that compares the two.
func Models() []any { return []any{Adviser{}, Fund{}} }

// FindAdviser reads an adviser as it stands, or nil when there is none.
func (s *Store) FindAdviser(ctx context.Context, crd string) (*Adviser, error) {
	var rows []Adviser
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

const currentFundColumns = fundColumns + `, id, adviser_crd, jurisdiction, country_code, strategy, vintage_year, vintage_source,
	to_json(exemptions) AS exemptions, status, peak_gav, first_filed_on, latest_accession, latest_form_type, latest_filed_on`

// FindFund reads a fund as it stands, by its filed id or, when that is empty, its internal one; nil when there is none.
func (s *Store) FindFund(ctx context.Context, fundID string, id int64) (*Fund, error) {
	find := s.db.From(ctx).Select(currentFundColumns).Limit(1)
	if fundID != "" {
		find = find.Where("fund_id = ?", fundID)
	} else {
		find = find.Where("id = ?", id)
	}
	var rows []Fund
	if err := find.Find(&rows).Error; err != nil {
		return nil, database.Failure("read a fund", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // Find: may not be there
	}
	return &rows[0], nil
}

const filingColumns = `f.accession, f.crd, f.source AS doc_source, f.form_type, f.filing_date, f.submitted_at,
	coalesce(f.filing_id, 0) AS filing_id, f.funds_listed`

// AdviserAsOf folds what the filings of an adviser up to a day said; nil when there is none.
func (s *Store) AdviserAsOf(ctx context.Context, current *Adviser, day time.Time) (*Adviser, error) {
	var versions []AdviserVersion
	err := s.db.From(ctx).Raw(`SELECT v.*, `+filingColumns+`
		FROM catalog.filings f JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
		WHERE f.crd = ? AND f.filing_date <= ?`, current.CRD, day.Format(time.DateOnly)).Scan(&versions).Error
	if err != nil {
		return nil, database.Failure("read an adviser's versions", err)
	}
	if len(versions) == 0 {
		return nil, nil //nolint:nilnil // nothing was filed by then
	}
	var named []FundVersion // every version of the funds that it ever named: a fund may have moved to another adviser
	err = s.db.From(ctx).Raw(`SELECT `+fundColumns+`, `+filingColumns+`
		FROM catalog.fund_versions v JOIN catalog.filings f USING (accession)
		WHERE v.fund_id IN (SELECT o.fund_id FROM catalog.fund_versions o JOIN catalog.filings g USING (accession)
			WHERE g.crd = ? AND g.filing_date <= ?) AND f.filing_date <= ?`,
		current.CRD, day.Format(time.DateOnly), day.Format(time.DateOnly)).Scan(&named).Error
	if err != nil {
		return nil, database.Failure("read an adviser's fund versions", err)
	}
	var listed *Filing
	for i := range versions {
		if f := &versions[i].Filing; f.FundsListed && (listed == nil || order(f, listed) > 0) {
			listed = f
		}
	}
	notices, err := s.noticesAsOf(ctx, named, day)
	if err != nil {
		return nil, err
	}
	byFund := map[string][]FundVersion{}
	for _, v := range named {
		byFund[v.FundID] = append(byFund[v.FundID], v)
	}
	var funds []Fund
	for id, of := range byFund {
		if f := FoldFund(of, listed, notices[id], day); f.AdviserCRD == current.CRD {
			funds = append(funds, f)
		}
	}
	a := FoldAdviser(versions, funds, current.CanonicalGPID)
	if a.WithdrawnOn, err = s.withdrawn(ctx, current.CRD, day, versions); err != nil {
		return nil, err
	}
	return &a, nil
}

// FundAsOf folds what the filings up to a day said of a fund; nil when none had named it.
func (s *Store) FundAsOf(ctx context.Context, current *Fund, day time.Time) (*Fund, error) {
	var versions []FundVersion
	err := s.db.From(ctx).Raw(`SELECT `+fundColumns+`, `+filingColumns+`
		FROM catalog.fund_versions v JOIN catalog.filings f USING (accession)
		WHERE v.fund_id = ? AND f.filing_date <= ?`, current.FundID, day.Format(time.DateOnly)).Scan(&versions).Error
	if err != nil {
		return nil, database.Failure("read a fund's versions", err)
	}
	if len(versions) == 0 {
		return nil, nil //nolint:nilnil // no filing had named it by then
	}
	adviser := FoldFund(versions, nil, nil, day).AdviserCRD
	var listed []Filing
	err = s.db.From(ctx).Raw(`SELECT `+filingColumns+` FROM catalog.filings f
		WHERE f.crd = ? AND f.filing_date <= ? AND f.funds_listed`, adviser, day.Format(time.DateOnly)).Scan(&listed).Error
	if err != nil {
		return nil, database.Failure("read an adviser's filings", err)
	}
	var newest *Filing
	for i := range listed {
		if newest == nil || order(&listed[i], newest) > 0 {
			newest = &listed[i]
		}
	}
	notices, err := s.noticesAsOf(ctx, versions, day)
	if err != nil {
		return nil, err
	}
	f := FoldFund(versions, newest, notices[current.FundID], day)
	f.ID = current.ID
	return &f, nil
}

// AdviserName reads the current legal name of an adviser; empty when there is none.
func (s *Store) AdviserName(ctx context.Context, crd string) (string, error) {
	var names []string
	err := s.db.From(ctx).Model(&Adviser{}).Where("crd = ?", crd).Limit(1).Pluck("legal_name", &names).Error
	if err != nil {
		return "", database.Failure("read an adviser's name", err)
	}
	if len(names) == 0 {
		return "", nil
	}
	return names[0], nil
}
