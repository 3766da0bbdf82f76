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
	"gpatlas/modules/catalog/internal/index/rowfile"
	"gpatlas/modules/catalog/internal/intern"
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
	return (&Store{clock: clk}).load(ctx, db)
}

func (s *Store) load(ctx context.Context, db *database.DB) (_ *Snapshot, err error) {
	ctx = database.WithStatementLimit(ctx, loadLimit)
	var c *contents
	var file *recording
	defer func() { file.end(ctx, err) }()
	err = db.Conn(ctx, func(conn *pgx.Conn) error {
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it only reads
		if _, err = tx.Exec(ctx, "SET LOCAL statement_timeout = '"+loadTimeout+"'"); err != nil {
			return fmt.Errorf("set the timeout: %w", err)
		}
		of, err := editionOf(ctx, tx)
		if err != nil {
			return err
		}
		file = s.record(ctx, of, tx)
		c, err = read(ctx, file.or(tx), of)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load the catalog: %w", err)
	}
	built := c.snapshot(s.clock)
	withheld, err := built.persons(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("load the catalog: %w", err)
	}
	built.withhold(withheld)
	file.withheld(withheld)
	return built, nil
}

// contents are the rows of an index.
type contents struct {
	gps, formerGPs     []GP
	funds, formerFunds *fundRows
	fresh              Freshness
	ofGPs, ofFunds     keyed
	events             []Disclosure
	answered           []string
	served             *servedRows
}

// read reads the rows of an edition.
func read(ctx context.Context, from rowfile.Querier, of edition) (c *contents, err error) {
	c = &contents{fresh: Freshness{Publication: of.publication}}
	in, seed := intern.Strings{}, maphash.MakeSeed()
	for _, part := range []func() error{
		func() error { return loadCoverage(ctx, from, &c.fresh) },
		func() error { c.gps, c.formerGPs, err = loadGPs(ctx, from, in); return err },
		func() error { c.funds, c.formerFunds, err = loadFunds(ctx, from, in); return err },
		func() error { c.ofGPs, err = loadIdentifiers(ctx, from, gpIdentifiersSQL, seed); return err },
		func() error { c.ofFunds, err = loadIdentifiers(ctx, from, fundIdentifiersSQL, seed); return err },
		func() error { c.events, err = loadDisclosures(ctx, from, in); return err },
		func() error { c.answered, err = loadAnswered(ctx, from); return err },
		func() error { c.served, err = loadServices(ctx, from); return err },
	} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return c, ctx.Err()
}

// snapshot builds the index over the rows, but for what is withheld.
func (c *contents) snapshot(clk clock.Clock) *Snapshot {
	s := build(c.gps, c.funds, c.fresh)
	s.fresh.BuiltAt = clk.Now()
	s.former = build(c.formerGPs, c.formerFunds, s.fresh)
	for _, of := range []*Snapshot{s, s.former} {
		of.gps.ids, of.funds.ids = c.ofGPs.of(of.gps.byCRD.Find), c.ofFunds.of(of.funds.byFundID.Find)
	}
	s.setServices(c.served)
	s.setDisclosures(c.events, c.answered)
	return s
}

const coverageSQL = `SELECT extract(year FROM filing_date)::int, extract(month FROM filing_date)::int, source, sum(n)::bigint, max(filing_date)
FROM (
	SELECT filing_date, source, count(*) AS n FROM catalog.filings GROUP BY 1, 2
	UNION ALL
	SELECT filing_date, 'form_d', count(*) FROM catalog.offerings GROUP BY 1
) f -- by day first: few days stand for all filings, and a month of a date is dear
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

func loadCoverage(ctx context.Context, from rowfile.Querier, f *Freshness) error {
	rows, err := from.Query(ctx, coverageSQL)
	if err != nil {
		return fmt.Errorf("read filings: %w", err)
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
		return fmt.Errorf("read filings: %w", err)
	}
	return nil
}

const fundsTemplate = `SELECT {{columns}},
	EXISTS (SELECT FROM catalog.pub_gp g WHERE g.crd = f.adviser_crd AND g.former)
FROM catalog.funds f`

// Advisers that have withdrawn or are no longer in any list, and their funds, are former: they have an index of their own.
var (
	gpsSQL   = "SELECT " + columns[GP]() + ", former FROM catalog.advisers JOIN (SELECT crd, former FROM catalog.pub_gp) g USING (crd)"
	fundsSQL = strings.Replace(fundsTemplate, "{{columns}}", columns[Fund](), 1)
)

func loadGPs(ctx context.Context, from rowfile.Querier, in intern.Strings) (gps, former []GP, err error) {
	gps = make([]GP, 0, estimate(ctx, from, "catalog.advisers"))
	rows, err := from.Query(ctx, gpsSQL, database.Args{"unknown": Unknown})
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

func loadFunds(ctx context.Context, from rowfile.Querier, in intern.Strings) (funds, former *fundRows, err error) {
	funds, former = newFundRows(estimate(ctx, from, "catalog.funds")), newFundRows(0)
	rows, err := from.Query(ctx, fundsSQL, database.Args{"unknown": Unknown})
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
func estimate(ctx context.Context, from rowfile.Querier, table string) int {
	rows, err := from.Query(ctx, "SELECT reltuples::float8 FROM pg_class WHERE oid = @t::text::regclass", database.Args{"t": table})
	if err != nil {
		return 0
	}
	n, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[float64])
	if err != nil || n < 0 {
		return 0
	}
	return int(n * 1.1)
}
