package bench_test

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// gp is an adviser that somebody may look for, with one of its funds.
type gp struct {
	LegalName, City, State, CountryCode, Registration, ManagerType, Strategy string
	AUM, Employees, FundCount                                                int64
	Vintage, GAV                                                             int64
	Is3C7                                                                    bool
	Auditor                                                                  string
	CRD                                                                      string
}

// fund is a fund that somebody may look for.
type fund struct {
	Name, Adviser, AdviserCRD, Strategy, State, CountryCode string
	Vintage, GAV                                            int64
	Is3C7, HasAuditor                                       bool
}

// records are the things asked for: drawn from the catalog, always the same ones.
type records struct {
	gps   []gp
	funds []fund
}

// Both in the order of the statement's columns; half the filters speak of funds, so advisers without any are left out.
const sampleGPs = `
SELECT a.legal_name, coalesce(a.city, ''), coalesce(a.state, ''), coalesce(a.country_code, ''), coalesce(a.registration_status, ''),
	coalesce(a.manager_type, ''), coalesce(a.primary_strategy, ''), coalesce(a.total_aum, 0), coalesce(a.employee_count, 0),
	a.fund_count, f.vintage_year, coalesce(f.gross_asset_value, 0), coalesce(f.is_3c7, false), coalesce(f.auditors[1], ''), a.crd
FROM (SELECT * FROM catalog.advisers WHERE fund_count > 0 AND withdrawn_on IS NULL ORDER BY md5(crd) LIMIT $1) a, LATERAL (
	SELECT * FROM catalog.funds WHERE adviser_crd = a.crd AND status <> 'closed' ORDER BY md5(fund_id) LIMIT 1) f
ORDER BY md5(a.crd)`

const sampleFunds = `
SELECT f.name, a.legal_name, f.adviser_crd, f.strategy, coalesce(f.state, ''), coalesce(f.country_code, ''), f.vintage_year,
	coalesce(f.gross_asset_value, 0), coalesce(f.is_3c7, false), f.auditors IS NOT NULL
FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd
WHERE f.status <> 'closed' AND a.withdrawn_on IS NULL ORDER BY md5(f.fund_id) LIMIT $1`

// drawRecords reads what questions are made of.
func drawRecords(ctx context.Context, databaseURL string) (r records, err error) {
	const drawn = 400
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return r, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, sampleGPs, drawn)
	if err != nil {
		return r, err
	}
	if r.gps, err = pgx.CollectRows(rows, pgx.RowToStructByPos[gp]); err != nil {
		return r, err
	}
	rows, err = conn.Query(ctx, sampleFunds, drawn)
	if err != nil {
		return r, err
	}
	if r.funds, err = pgx.CollectRows(rows, pgx.RowToStructByPos[fund]); err != nil {
		return r, err
	}
	if len(r.gps) == 0 || len(r.funds) == 0 {
		return r, fmt.Errorf("the catalog is empty: %d advisers, %d funds drawn", len(r.gps), len(r.funds))
	}
	return r, nil
}
