package index

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/intern"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// loadTimeout takes the place of the pool's statement timeout while the tables are streamed: they are read as fast as
// records can be made of them, which for a large catalog is longer than any request may take.
const (
	loadTimeout = "10min"
	loadLimit   = 10 * time.Minute // the client's
)

// Load reads the whole catalog in one database snapshot and builds the index over it, with this one goroutine.
func Load(ctx context.Context, db *database.DB, clk clock.Clock) (*Snapshot, error) {
	ctx = database.WithStatementLimit(ctx, loadLimit)
	var gps, formerGPs []GP
	var funds, formerFunds *fundRows
	var fresh Freshness
	var ofGPs, ofFunds keyed
	var events []Disclosure
	var answered []string
	var served *servedRows
	seed := maphash.MakeSeed()
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
		in := intern.Strings{}
		if gps, formerGPs, err = loadGPs(ctx, tx, in); err != nil {
			return err
		}
		if funds, formerFunds, err = loadFunds(ctx, tx, in); err != nil {
			return err
		}
		if ofGPs, err = loadIdentifiers(ctx, tx, gpIdentifiersSQL, seed); err != nil {
			return err
		}
		if ofFunds, err = loadIdentifiers(ctx, tx, fundIdentifiersSQL, seed); err != nil {
			return err
		}
		if events, err = loadDisclosures(ctx, tx, in); err != nil {
			return err
		}
		if answered, err = loadAnswered(ctx, tx); err != nil {
			return err
		}
		served, err = loadServices(ctx, tx)
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
	for _, of := range []*Snapshot{s, s.former} {
		of.gps.ids, of.funds.ids = ofGPs.of(of.gps.byCRD.Find), ofFunds.of(of.funds.byFundID.Find)
	}
	s.setServices(served)
	s.setDisclosures(events, answered)
	if err := s.setWithheld(ctx, db); err != nil {
		return nil, fmt.Errorf("load the catalog: %w", err)
	}
	return s, nil
}

const coverageSQL = `SELECT extract(year FROM filing_date)::int, extract(month FROM filing_date)::int, source, sum(n)::bigint, max(filing_date)
FROM (
	SELECT filing_date, source, count(*) AS n FROM catalog.filings GROUP BY 1, 2
	UNION ALL
	SELECT filing_date, 'form_d', count(*) FROM catalog.offerings GROUP BY 1
) f -- by day first: few days stand for all filings, and a month of a date is dear
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

func loadFreshness(ctx context.Context, tx pgx.Tx) (f Freshness, err error) {
	if f.Publication, err = publish.Latest(ctx, tx); err != nil {
		return f, err
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

const fundsTemplate = `SELECT {{columns}},
	EXISTS (SELECT FROM catalog.pub_gp g WHERE g.crd = f.adviser_crd AND g.former)
FROM catalog.funds f`

// Advisers that have withdrawn or are no longer in any list, and their funds, are former: they have an index of their own.
var (
	gpsSQL   = "SELECT " + columns[GP]() + ", former FROM catalog.advisers JOIN (SELECT crd, former FROM catalog.pub_gp) g USING (crd)"
	fundsSQL = strings.Replace(fundsTemplate, "{{columns}}", columns[Fund](), 1)
)

func loadGPs(ctx context.Context, tx pgx.Tx, in intern.Strings) (gps, former []GP, err error) {
	gps = make([]GP, 0, estimate(ctx, tx, "catalog.advisers"))
	rows, err := tx.Query(ctx, gpsSQL, database.Args{"unknown": Unknown})
	if err != nil {
		return nil, nil, fmt.Errorf("read advisers: %w", err)
	}
	var g GP
	var isFormer bool
	_, err = pgx.ForEachRow(rows, append(scanInto(&g, in), &isFormer), func() error {
		if isFormer {
			former = append(former, g)
		} else {
			gps = append(gps, g)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read advisers: %w", err)
	}
	return slices.Clone(gps), former, nil // without the room for more
}

func loadFunds(ctx context.Context, tx pgx.Tx, in intern.Strings) (funds, former *fundRows, err error) {
	funds, former = newFundRows(estimate(ctx, tx, "catalog.funds")), newFundRows(0)
	rows, err := tx.Query(ctx, fundsSQL, database.Args{"unknown": Unknown})
	if err != nil {
		return nil, nil, fmt.Errorf("read funds: %w", err)
	}
	var f Fund
	var isFormer bool
	_, err = pgx.ForEachRow(rows, append(scanInto(&f, in), &isFormer), func() error {
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
