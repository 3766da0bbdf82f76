package history

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// reader reads versions as they stood at an instant, all in one snapshot of the database: a load may commit at any time.
// It reads through pgx alone, for an adviser may have tens of thousands of versions of its funds.
type reader struct {
	q interface {
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	}
	at time.Time // the newest processed_at that counts; zero: as it stands
}

// WaitForCommit is called before reading what was known at an instant: it waits while a load that may have been known then
// commits. It does nothing when the instant is zero, or in the caller's transaction.
func (s *Store) WaitForCommit(ctx context.Context, known time.Time) error {
	if known.IsZero() {
		return nil
	}
	err := s.db.Conn(ctx, func(c *pgx.Conn) error {
		if c.PgConn().TxStatus() != 'I' {
			return nil
		}
		_, err := publish.WaitForCommit(ctx, c)
		return err
	})
	return database.Failure("wait for a load to end", err)
}

// reading gives fn a reader of what was known at an instant, or of what stands where that is zero. The errors of fn, which
// are ready to be returned, are handed on as they are.
func (s *Store) reading(ctx context.Context, known time.Time, fn func(r *reader) error) error {
	err := s.db.Conn(ctx, func(c *pgx.Conn) error {
		read := func() error {
			r := &reader{q: c}
			if known.IsZero() {
				return fn(r)
			}
			var ok bool
			var err error
			if r.at, ok, err = publish.ProcessedBy(ctx, c, known); err != nil {
				return err
			}
			if !ok {
				r.at = beginningOfTime
			}
			return fn(r)
		}
		if c.PgConn().TxStatus() != 'I' { // the caller's transaction
			return read()
		}
		options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		return pgx.BeginTxFunc(ctx, c, options, func(pgx.Tx) error { return read() })
	})
	if _, ready := errors.AsType[*apperr.Error](err); ready {
		return err
	}
	return database.Failure("read versions", err)
}

// beginningOfTime is before everything that was processed.
var beginningOfTime = time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC)

// known is the instant as SQL compares with it.
func (r *reader) known() pgtype.Timestamptz {
	if r.at.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: r.at, Valid: true}
}

//go:embed filings.sql
var filingsSQL string

// filings reads the filings of advisers that had been processed, ADV-W too, each as it stood then.
func (r *reader) filings(ctx context.Context, crds []string) ([]fold.Filed, error) {
	all, err := collect[fold.Filed](ctx, r, "read filings", filingsSQL, database.Args{"crds": crds, "known": r.known()})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b fold.Filed) int { return fold.Order(&a.Filing, &b.Filing) })
	if !r.at.IsZero() {
		fold.MarkInitial(all)
	}
	return all, nil
}

// wholeAdviser is all that a version says of its adviser.
const wholeAdviser = `legal_name, business_name, sec_number, registration, sec_status, status_date, street1, street2, city, state, country,
	postal_code, private_residence, phone, website, lei, employee_count, raum, raum_discretionary, raum_non_discretionary, org_form,
	fiscal_year_end, org_state, org_country, advises_funds, reported_fund_count, reported_fund_gav, reported_fund_types, silent`

//go:embed restated_advisers.sql
var restatedAdvisersSQL string

// adviserVersions reads what filings said of their advisers, as they stood.
func (r *reader) adviserVersions(ctx context.Context, columns string, crds []string, of map[string]*fold.Filed) ([]fold.AdviserVersion, error) {
	const what = "read an adviser's versions"
	args := database.Args{"crds": crds, "known": r.known()}
	statement := "SELECT accession, " + columns + " FROM catalog.adviser_versions WHERE crd = ANY (@crds)"
	rows, err := collect[fold.AdviserVersion](ctx, r, what, statement, args)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(v fold.AdviserVersion) bool { f := of[v.Accession]; return f == nil || f.Restated })
	if !r.at.IsZero() {
		restated, err := collect[fold.AdviserVersion](ctx, r, what, strings.Replace(restatedAdvisersSQL, "{{columns}}", columns, 1), args)
		if err != nil {
			return nil, err
		}
		rows = append(rows, slices.DeleteFunc(restated, func(v fold.AdviserVersion) bool { return of[v.Accession] == nil })...)
	}
	for i := range rows {
		rows[i].Filing = of[rows[i].Accession].Filing
	}
	return rows, nil
}

// What is read of the versions of funds: all of them, or what an adviser's total value and
// strategy are made of.
const (
	wholeFund = `name, state, country, is_3c1, is_3c7, is_master, is_feeder, master_fund_name, master_fund_id,
		is_fund_of_funds, fund_type, fund_type_other, gross_asset_value, minimum_investment, beneficial_owners_count,
		pct_owned_related, pct_owned_funds, pct_owned_non_us, annual_audit, gaap, unqualified_opinion, auditors,
		form_d_file_numbers, silent`
	summedFund = `name, is_fund_of_funds, fund_type, fund_type_other, gross_asset_value, silent`
)

// edition is a fund's version as the table has it, or out of an edition that was replaced.
type edition struct {
	fold.FundVersion

	Unsaid bool `gorm:"column:unsaid"` // that edition did not name the fund
}

var (
	//go:embed funds.sql
	fundsSQL string
	//go:embed restated_funds.sql
	restatedFundsSQL string
)

// fundVersions hands on what filings said of funds, as they stood; of the funds given alone, where some are.
//
// A fund's row of a restated filing is kept only where the new edition said something else of the fund: the row that
// stood at an instant is the first one replaced after it, else the current one.
func (r *reader) fundVersions(ctx context.Context, columns string, of map[string]*fold.Filed, funds []string, take func(v *fold.FundVersion)) error {
	const what = "read fund versions"
	var all, restated []string
	for accession, f := range of {
		all = append(all, accession)
		if f.Restated {
			restated = append(restated, accession)
		}
	}
	type key struct{ accession, fund string }
	replaced := map[key]bool{}
	if restated != nil {
		err := each(ctx, r, what, func(v *edition) {
			replaced[key{v.Accession, v.FundID}] = true
			if !v.Unsaid {
				v.Filing = of[v.Accession].Filing
				take(&v.FundVersion)
			}
		}, strings.Replace(restatedFundsSQL, "{{columns}}", columns, 1),
			database.Args{"accessions": restated, "known": r.known(), "funds": funds})
		if err != nil {
			return err
		}
	}
	var f *fold.Filed
	return each(ctx, r, what, func(v *fold.FundVersion) {
		if f == nil || f.Accession != v.Accession { // the rows of a filing come together, and each leaves the rest as it is
			f = of[v.Accession]
			v.Filing = f.Filing
		}
		if f.Restated && replaced[key{v.Accession, v.FundID}] {
			return
		}
		take(v)
	}, strings.Replace(fundsSQL, "{{columns}}", columns, 1), database.Args{"accessions": all, "funds": funds})
}

//go:embed elsewhere.sql
var elsewhereSQL string

// elsewhere finds the filings of advisers other than one (none when it is empty) in which funds were named, now or before a
// restatement: a fund may have moved from one adviser to another.
func (r *reader) elsewhere(ctx context.Context, funds []string, than string) (map[string]*fold.Filed, error) {
	type named struct {
		Accession string `gorm:"column:accession"`
		CRD       string `gorm:"column:crd"`
	}
	found, err := collect[named](ctx, r, "read who named funds", elsewhereSQL, database.Args{"funds": funds, "than": than})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	naming, crds := map[string]bool{}, []string{}
	for _, n := range found {
		naming[n.Accession] = true
		if !slices.Contains(crds, n.CRD) {
			crds = append(crds, n.CRD)
		}
	}
	filings, err := r.filings(ctx, crds)
	out := map[string]*fold.Filed{}
	for i := range filings {
		if f := &filings[i]; naming[f.Accession] {
			out[f.Accession] = f
		}
	}
	return out, err
}
