package load

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/record"
	"gpatlas/modules/catalog/internal/scan"
)

// derived is the input for one affected adviser.
type derived struct {
	filed       *record.Record
	others      []string           // the other advisers that ever named one of its funds
	elsewhere   []fold.FundVersion // their versions of these funds
	notices     map[string][]fold.Notice
	unlisted    *time.Time
	corrections fold.Corrections // of all
	rows        int              // that it was made of
}

// complete returns the record with everything that its state depends on.
func (d *derived) complete() *fold.Record {
	r := d.filed.At(record.Moment{})
	r.Unlisted, r.Notices = d.unlisted, d.notices
	d.corrections.Correct(r)
	seen := map[string]bool{}
	for i := range d.elsewhere {
		if f := &d.elsewhere[i].Filing; !seen[f.Accession] {
			seen[f.Accession] = true
			r.Others = append(r.Others, fold.Filed{Filing: *f})
		}
	}
	r.FundVersions = append(r.FundVersions, d.elsewhere...)
	return r
}

// records passes the affected advisers (t_crd) to each, one after another, with everything that their state depends on. Now and
// then it calls pause between two of them; the connection is then free for other work.
func (s *session) records(ctx context.Context, each func(d *derived), pause func() error) error {
	in, err := s.openRecords(ctx)
	if err != nil {
		return err
	}
	for {
		first, err := in.filings.peek(ctx)
		if err != nil {
			return err
		}
		if first == nil {
			return in.close(ctx)
		}
		d, err := in.read(ctx, first.CRD)
		if err != nil {
			return err
		}
		each(d)
		if in.funds.fresh || in.filings.fresh {
			in.funds.fresh, in.filings.fresh = false, false
			if err := pause(); err != nil {
				return err
			}
		}
	}
}

// recordRows are the rows that records are made of, each in the order of advisers.
type recordRows struct {
	filings  cursor[record.Filing]
	funds    cursor[fundRowOf]
	others   cursor[otherRow]
	namers   map[string][]string      // by CRD
	notices  map[string][]fold.Notice // by fund
	unlisted map[string]*time.Time    // by CRD

	corrections fold.Corrections
}

// fundRowOf is an adviser's version of a fund.
type fundRowOf struct {
	record.FundRow

	CRD string `gorm:"column:crd"`
}

// otherRow is another adviser's version of a fund that an affected adviser named.
type otherRow struct {
	fold.FundVersion

	Of string `gorm:"column:of"` // the one
}

func (s *session) openRecords(ctx context.Context) (in *recordRows, err error) {
	in = &recordRows{namers: map[string][]string{}, unlisted: map[string]*time.Time{}, corrections: fold.Corrections{}}
	if in.notices, err = s.notices(ctx); err != nil {
		return nil, err
	}
	type unlisted struct {
		CRD string    `gorm:"column:crd"`
		Day time.Time `gorm:"column:day"`
	}
	affectedOnly := " AND l.crd IN (SELECT crd FROM t_crd)"
	err = collectOf(ctx, s, "who is unlisted", unlistedNow(affectedOnly), func(row *unlisted) { in.unlisted[row.CRD] = new(row.Day) })
	if err != nil {
		return nil, err
	}
	standing := pgx.NamedArgs{"crds": nil, "funds": nil, "known": pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}}
	err = collectOf(ctx, s, "overrides", history.OverridesSQL(), func(o *fold.Override) { in.corrections.Add(*o) }, standing)
	if err != nil {
		return nil, err
	}
	versions := "t_crd JOIN catalog.filings f USING (crd) JOIN catalog.fund_versions v USING (accession)"
	affected := "v.fund_id IN (SELECT v.fund_id FROM " + versions + " UNION SELECT v.fund_id FROM t_crd JOIN catalog.replaced_versions v USING (crd))"
	if s.all {
		versions, affected = "catalog.fund_versions v", "true"
	}
	said := without(adviserVersionColumns, catalogapi.FieldLegalName)
	in.filings, err = open(ctx, s, "record_filings", func(row *record.Filing) string { return row.CRD }, "$v_columns$", quoteList("v.", said))
	if err != nil {
		return nil, err
	}
	columns := []string{"$v_columns$", quoteList("v.", filedFundColumns), "$versions$", versions}
	if err := s.run(ctx, "record_shared", "$affected$", affected); err != nil {
		return nil, err
	}
	if in.funds, err = open(ctx, s, "record_funds", func(row *fundRowOf) string { return row.CRD }, columns...); err != nil {
		return nil, err
	}
	type namers struct {
		CRD    string   `gorm:"column:crd"`
		Others []string `gorm:"column:others"`
	}
	if err := collect(ctx, s, "record_namers", func(row *namers) { in.namers[row.CRD] = row.Others }); err != nil {
		return nil, err
	}
	in.others, err = open(ctx, s, "record_others", func(row *otherRow) string { return row.Of }, columns...)
	return in, err
}

// notices reads the notices of Form D that are joined to the affected funds.
func (s *session) notices(ctx context.Context) (map[string][]fold.Notice, error) {
	type joined struct {
		fold.Notice

		FundID string `gorm:"column:fund_id"`
	}
	const statement = "SELECT l.fund_id, o.accession, o.form_type, o.chain, o.filing_date, o.exemptions, o.first_sale, " + fold.SoldOutSQL + ` AS sold_out
		FROM t_fund JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)`
	of := map[string][]fold.Notice{}
	return of, collectOf(ctx, s, "record_notices", statement, func(row *joined) { of[row.FundID] = append(of[row.FundID], row.Notice) })
}

// read reads the adviser whose rows are next.
func (in *recordRows) read(ctx context.Context, crd string) (*derived, error) {
	d := &derived{others: in.namers[crd], unlisted: in.unlisted[crd], corrections: in.corrections}
	var filings []record.Filing
	if err := in.filings.of(ctx, crd, func(row *record.Filing) { filings = append(filings, *row) }); err != nil {
		return nil, err
	}
	var funds []record.FundRow
	if err := in.funds.of(ctx, crd, func(row *fundRowOf) { funds = append(funds, row.FundRow) }); err != nil {
		return nil, err
	}
	err := in.others.of(ctx, crd, func(row *otherRow) { d.elsewhere = append(d.elsewhere, row.FundVersion) })
	if err != nil {
		return nil, err
	}
	d.filed, d.rows = record.New(crd, filings, funds), len(filings)+len(funds)+len(d.elsewhere)
	for i := range d.filed.Funds {
		id := d.filed.Funds[i].ID
		if of, ok := in.notices[id]; ok {
			if d.notices == nil {
				d.notices = map[string][]fold.Notice{}
			}
			d.notices[id] = slices.Clone(of) // the fold sorts them
		}
	}
	return d, nil
}

func (in *recordRows) close(ctx context.Context) error {
	for _, c := range []interface {
		close(ctx context.Context) error
	}{&in.filings, &in.funds, &in.others} {
		if err := c.close(ctx); err != nil {
			return err
		}
	}
	return nil
}

// cursor reads the rows of a statement some at a time, so that several of them, and other statements, share a connection.
type cursor[T any] struct {
	s     *session
	name  string
	crd   func(row *T) string
	rows  []T
	next  int  // in rows
	fresh bool // rows were read since it was last set to false
	end   bool
}

// fetched is how many rows are read at a time.
const fetched = 5000

// open begins to read one of the embedded files, whose rows are sorted by the adviser that crd says.
func open[T any](ctx context.Context, s *session, name string, crd func(row *T) string, params ...string) (c cursor[T], err error) {
	text, err := statement(name, params)
	if err != nil {
		return c, err
	}
	c = cursor[T]{s: s, name: name, crd: crd, rows: make([]T, 0, fetched)}
	return c, s.exec(ctx, name, "DECLARE "+name+" NO SCROLL CURSOR FOR "+text)
}

// of passes the rows of an adviser to each, if they are the next ones. each must not keep a row.
func (c *cursor[T]) of(ctx context.Context, crd string, each func(row *T)) error {
	for {
		row, err := c.peek(ctx)
		if err != nil || row == nil || c.crd(row) != crd {
			return err
		}
		each(row)
		c.next++
	}
}

// peek returns the next row without consuming it; nil if there is none.
func (c *cursor[T]) peek(ctx context.Context) (*T, error) {
	if c.next == len(c.rows) && !c.end {
		c.rows, c.next, c.fresh = c.rows[:0], 0, true
		rows, err := c.s.c.Query(ctx, fmt.Sprintf("FETCH %d FROM %s", fetched, c.name), pgx.QueryExecModeDescribeExec)
		if err == nil {
			err = scan.Each(rows, func(row *T) { c.rows = append(c.rows, *row) })
		}
		if err != nil {
			return nil, fmt.Errorf("catalog load: %s: %w", c.name, err)
		}
		c.end = len(c.rows) < fetched
	}
	if c.next == len(c.rows) {
		return nil, nil //nolint:nilnil // there may be none
	}
	return &c.rows[c.next], nil
}

func (c *cursor[T]) close(ctx context.Context) error { return c.s.exec(ctx, c.name, "CLOSE "+c.name) }

// collect passes the rows of an embedded statement to each, which must not keep a row.
func collect[T any](ctx context.Context, s *session, name string, each func(row *T), args ...any) error {
	return collectWith(ctx, s, name, nil, each, args...)
}

// collectWith is collect of a file with parameters.
func collectWith[T any](ctx context.Context, s *session, name string, params []string, each func(row *T), args ...any) error {
	text, err := statement(name, params)
	if err != nil {
		return err
	}
	return collectOf(ctx, s, name, text, each, args...)
}

// collectOf is collect of a statement.
func collectOf[T any](ctx context.Context, s *session, what, text string, each func(row *T), args ...any) error {
	rows, err := s.c.Query(ctx, text, append([]any{pgx.QueryExecModeDescribeExec}, args...)...)
	if err == nil {
		err = scan.Each(rows, each)
	}
	if err != nil {
		return fmt.Errorf("catalog load: %s: %w", what, err)
	}
	return nil
}
