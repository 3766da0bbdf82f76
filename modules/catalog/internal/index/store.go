package index

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// loadTimeout takes the place of the pool's statement timeout while the tables are streamed: they are read as fast as
// records can be made of them, which for a large catalogue is longer than any request may take.
const loadTimeout = "10min"

// Load reads the whole catalogue in one database snapshot and builds the index over it, with this one goroutine.
func Load(ctx context.Context, db *database.DB, clk clock.Clock) (*Snapshot, error) {
	var gps, formerGPs []GP
	var funds, formerFunds *fundRows
	var fresh Freshness
	err := db.Conn(ctx, func(c *pgx.Conn) error {
		tx, err := c.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it only reads
		if _, err = tx.Exec(ctx, "SET LOCAL statement_timeout = '"+loadTimeout+"'"); err != nil {
			return fmt.Errorf("set the timeout: %w", err)
		}
		if fresh, err = loadFreshness(ctx, tx); err != nil {
			return err
		}
		in := interner{}
		if gps, formerGPs, err = loadGPs(ctx, tx, in); err != nil {
			return err
		}
		funds, formerFunds, err = loadFunds(ctx, tx, in)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load the catalog: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := build(gps, funds, fresh)
	s.fresh.BuiltAt = clk.Now()
	s.former = build(formerGPs, formerFunds, s.fresh)
	return s, nil
}

const newestPublicationSQL = "SELECT coalesce(max(seq), 0) FROM catalog.publications"

//go:embed coverage.sql
var coverageSQL string

func loadFreshness(ctx context.Context, tx pgx.Tx) (f Freshness, err error) {
	if err = tx.QueryRow(ctx, newestPublicationSQL).Scan(&f.Publication); err != nil {
		return f, fmt.Errorf("read publications: %w", err)
	}
	rows, err := tx.Query(ctx, coverageSQL)
	if err != nil {
		return f, fmt.Errorf("read filings: %w", err)
	}
	var c catalogapi.Coverage
	var year, month int
	var latest pgtype.Date
	_, err = pgx.ForEachRow(rows, []any{&year, &month, &c.Source, &c.Count, &latest}, func() error {
		c.Month = time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
		f.Coverage = append(f.Coverage, c)
		if latest.Time.After(f.LatestFilingDate) {
			f.LatestFilingDate = latest.Time
		}
		return nil
	})
	if err != nil {
		return f, fmt.Errorf("read filings: %w", err)
	}
	return f, nil
}

// Advisers that have withdrawn or are in no list any more, and their funds, are former: they stand in an index of their own.
//
// The two queries give strings as they are, null included (see word), and Unknown for null numbers.
const (
	gpsSQL = `
		SELECT crd, legal_name, website, business_name, city, state, country, country_code, registration_status,
			registered_on, primary_strategy, manager_type, org_state, newest_filed_on, canonical_gp_id,
			coalesce(total_aum, $1), coalesce(employee_count, $1), coalesce(fund_count, $1), coalesce(total_gav, $1),
			coalesce(total_investors, $1), coalesce(founded_year, $1), founded_year_basis,
			withdrawn_on, not_listed_since
		FROM catalog.advisers`
	fundsSQL = `
		SELECT id, fund_id, adviser_crd, name, state, country, country_code, strategy, status, vintage_year::bigint,
			coalesce(gross_asset_value, $1), coalesce(beneficial_owners_count, $1),
			is_3c1, is_3c7, is_master, is_feeder, annual_audit, auditors, exemptions, first_filed_on,
			EXISTS (SELECT 1 FROM catalog.advisers a
				WHERE a.crd = f.adviser_crd AND (a.withdrawn_on IS NOT NULL OR a.not_listed_since IS NOT NULL))
		FROM catalog.funds f`
)

func loadGPs(ctx context.Context, tx pgx.Tx, in interner) (gps, former []GP, err error) {
	gps = make([]GP, 0, estimate(ctx, tx, "catalog.advisers"))
	rows, err := tx.Query(ctx, gpsSQL, Unknown)
	if err != nil {
		return nil, nil, fmt.Errorf("read advisers: %w", err)
	}
	var g GP
	var website, business pgtype.Text
	city, state, country, code, status := in.word(), in.word(), in.word(), in.word(), in.word()
	strategy, manager, org, basis := in.word(), in.word(), in.word(), in.word()
	var registered, filed, withdrawn, unlisted pgtype.Date
	_, err = pgx.ForEachRow(rows, []any{
		&g.CRD, &g.LegalName, &website, &business, city, state, country, code, status, &registered, strategy, manager,
		org, &filed, &g.CanonicalID, &g.TotalAUM, &g.Employees, &g.FundCount, &g.TotalGAV, &g.Investors, &g.FoundedYear,
		basis, &withdrawn, &unlisted,
	}, func() error {
		g.Website, g.BusinessName, g.City = website.String, business.String, city.s
		g.State, g.Country, g.CountryCode, g.RegistrationStatus = state.s, country.s, code.s, status.s
		g.PrimaryStrategy, g.ManagerType, g.OrgState = strategy.s, manager.s, org.s
		g.FoundedYearBasis, g.RegisteredOn, g.LatestFiledOn = basis.s, registered.Time, filed.Time
		g.WithdrawnOn, g.NotListedSince = withdrawn.Time, unlisted.Time
		if withdrawn.Valid || unlisted.Valid {
			former = append(former, g)
		} else {
			gps = append(gps, g)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read advisers: %w", err)
	}
	return gps, former, nil
}

func loadFunds(ctx context.Context, tx pgx.Tx, in interner) (funds, former *fundRows, err error) {
	funds, former = newFundRows(estimate(ctx, tx, "catalog.funds")), newFundRows(0)
	rows, err := tx.Query(ctx, fundsSQL, Unknown)
	if err != nil {
		return nil, nil, fmt.Errorf("read funds: %w", err)
	}
	var f Fund
	var isFormer bool
	crd, state, country, code, strategy, status := in.word(), in.word(), in.word(), in.word(), in.word(), in.word()
	var is3C1, is3C7, isMaster, isFeeder, annual pgtype.Bool
	var auditors, exemptions []string
	var first pgtype.Date
	_, err = pgx.ForEachRow(rows, []any{
		&f.ID, &f.FundID, crd, &f.Name, state, country, code, strategy, status, &f.VintageYear, &f.GAV, &f.Owners,
		&is3C1, &is3C7, &isMaster, &isFeeder, &annual, &auditors, &exemptions, &first, &isFormer,
	}, func() error {
		f.AdviserCRD, f.State, f.Country, f.CountryCode = crd.s, state.s, country.s, code.s
		f.Strategy, f.Status, f.FirstFiledOn = strategy.s, status.s, first.Time
		f.Is3C1, f.Is3C7, f.IsMaster, f.IsFeeder = tri(is3C1), tri(is3C7), tri(isMaster), tri(isFeeder)
		f.Auditors, f.Audited, f.Exemptions = auditors, audited(annual), exemptions
		if isFormer {
			former.add(&f)
		} else {
			funds.add(&f)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read funds: %w", err)
	}
	return funds, former, nil
}

// estimate is the planner's guess at a table's rows, so that the slice need not grow; nothing depends on it.
func estimate(ctx context.Context, tx pgx.Tx, table string) int {
	var n float64
	if err := tx.QueryRow(ctx, "SELECT reltuples FROM pg_class WHERE oid = @t::text::regclass", database.Args{"t": table}).Scan(&n); err != nil || n < 0 {
		return 0
	}
	return int(n * 1.1)
}

// audited is what a fund's answer to the question of an annual audit says of its auditor; one that is named says more.
func audited(annual pgtype.Bool) Tri {
	if annual.Valid && !annual.Bool {
		return No
	}
	return Any
}

func tri(b pgtype.Bool) Tri {
	switch {
	case !b.Valid:
		return Any
	case b.Bool:
		return Yes
	default:
		return No
	}
}

// interner keeps one copy of each string of a column that has few.
type interner map[string]string

func (in interner) intern(b []byte) string {
	s, ok := in[string(b)]
	if !ok {
		s = string(b)
		in[s] = s
	}
	return s
}

func (in interner) word() *word { return &word{in: in} }

// word scans a text column through an interner; null becomes the empty string.
type word struct {
	in interner
	s  string
}

// ScanBytes takes the column's bytes, which are the driver's until the next row, and keeps a copy of its own.
func (w *word) ScanBytes(b []byte) error {
	w.s = ""
	if b != nil {
		w.s = w.in.intern(b)
	}
	return nil
}
