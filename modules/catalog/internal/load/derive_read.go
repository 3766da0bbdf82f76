package load

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/scan"
)

// records hands on the affected advisers (t_crd), one after another, each with all that its state is told from. Between
// two of them pause is called now and then, in which the connection is free for other work.
func (s *session) records(ctx context.Context, each func(r *fold.Record), pause func() error) error {
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
		r := &fold.Record{CRD: first.CRD, Unlisted: in.unlisted[first.CRD]}
		if err := in.read(ctx, r); err != nil {
			return err
		}
		each(r)
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
	filings  cursor[filedRow]
	funds    cursor[fold.FundVersion]
	others   cursor[otherRow]
	notices  map[string][]fold.Notice // by fund
	unlisted map[string]*time.Time    // by CRD

	corrected map[string]fold.Overrides // by CRD or Fund ID, a merger by the CRDs of both
}

// filedRow is a filing with what it says of its adviser.
type filedRow struct {
	fold.AdviserVersion

	Full bool `gorm:"column:is_full"`
	Says bool `gorm:"column:says"` // an ADV-W says nothing
}

// otherRow is what another adviser says of a fund that one named.
type otherRow struct {
	fold.FundVersion

	Of string `gorm:"column:of"` // the one
}

func (s *session) openRecords(ctx context.Context) (in *recordRows, err error) {
	in = &recordRows{unlisted: map[string]*time.Time{}, corrected: map[string]fold.Overrides{}}
	if in.notices, err = s.notices(ctx); err != nil {
		return nil, err
	}
	type unlisted struct {
		CRD string    `gorm:"column:crd"`
		Day time.Time `gorm:"column:not_listed_since"`
	}
	err = collect(ctx, s, "unlisted_days", func(row *unlisted) { in.unlisted[row.CRD] = new(row.Day) })
	if err != nil {
		return nil, err
	}
	err = collect(ctx, s, "record_overrides", func(o *fold.Override) {
		of := o.CRD + o.FundID // one of them is empty
		in.corrected[of] = append(in.corrected[of], *o)
		if o.Field == fold.OverrideOrganization && o.Value != nil && *o.Value != of {
			in.corrected[*o.Value] = append(in.corrected[*o.Value], *o)
		}
	})
	if err != nil {
		return nil, err
	}
	versions := "t_crd JOIN catalog.filings f USING (crd) JOIN catalog.fund_versions v USING (accession)"
	ofFunds := "WHERE v.fund_id IN (SELECT v.fund_id FROM " + versions + ")"
	if s.all {
		versions, ofFunds = "catalog.fund_versions v", ""
	}
	said := without(adviserVersionColumns, catalogapi.FieldLegalName)
	in.filings, err = open(ctx, s, "record_filings", func(row *filedRow) string { return row.CRD }, "$v_columns$", quoteList("v.", said))
	if err != nil {
		return nil, err
	}
	columns := []string{"$v_columns$", quoteList("v.", filedFundColumns), "$versions$", versions}
	if err := s.run(ctx, "record_shared", "$of_funds$", ofFunds); err != nil {
		return nil, err
	}
	if in.funds, err = open(ctx, s, "record_funds", func(row *fold.FundVersion) string { return row.CRD }, columns...); err != nil {
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
	of := map[string][]fold.Notice{}
	return of, collect(ctx, s, "record_notices", func(row *joined) { of[row.FundID] = append(of[row.FundID], row.Notice) })
}

// read completes the record of the adviser whose rows are next.
func (in *recordRows) read(ctx context.Context, r *fold.Record) error {
	err := in.filings.of(ctx, r.CRD, func(row *filedRow) {
		r.Filings = append(r.Filings, fold.Filed{Filing: row.Filing, Full: row.Full})
		if row.Says {
			r.Versions = append(r.Versions, row.AdviserVersion)
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(r.Filings, func(a, b fold.Filed) int { return fold.Order(&a.Filing, &b.Filing) })
	own := make(map[string]*fold.Filing, len(r.Filings))
	for i := range r.Filings {
		own[r.Filings[i].Accession] = &r.Filings[i].Filing
	}
	err = in.funds.of(ctx, r.CRD, func(v *fold.FundVersion) {
		v.Filing = *own[v.Accession]
		r.FundVersions = append(r.FundVersions, *v)
	})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	err = in.others.of(ctx, r.CRD, func(row *otherRow) {
		r.FundVersions = append(r.FundVersions, row.FundVersion)
		if !seen[row.Accession] {
			seen[row.Accession] = true
			r.Others = append(r.Others, fold.Filed{Filing: row.Filing})
		}
	})
	in.correct(r)
	if len(in.notices) > 0 {
		r.Notices = map[string][]fold.Notice{}
		for i := range r.FundVersions {
			id := r.FundVersions[i].FundID
			if of, ok := in.notices[id]; ok && r.Notices[id] == nil {
				r.Notices[id] = slices.Clone(of) // the fold sorts them
			}
		}
	}
	return err
}

// correct adds the corrections of the adviser and of the funds that it named.
func (in *recordRows) correct(r *fold.Record) {
	if len(in.corrected) == 0 {
		return
	}
	r.Overrides = slices.Clone(in.corrected[r.CRD])
	seen := map[string]bool{}
	for i := range r.FundVersions {
		if id := r.FundVersions[i].FundID; !seen[id] {
			seen[id] = true
			r.Overrides = append(r.Overrides, in.corrected[id]...)
		}
	}
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

// of hands on the rows of an adviser, if they are the next ones. Nobody may keep one.
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

// peek is the next row; nil where there is none.
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

// collect hands on the rows of one of the embedded files. Nobody may keep one.
func collect[T any](ctx context.Context, s *session, name string, each func(row *T), args ...any) error {
	return collectWith(ctx, s, name, nil, each, args...)
}

// collectWith is collect of a file with parameters.
func collectWith[T any](ctx context.Context, s *session, name string, params []string, each func(row *T), args ...any) error {
	text, err := statement(name, params)
	if err != nil {
		return err
	}
	rows, err := s.c.Query(ctx, text, append([]any{pgx.QueryExecModeDescribeExec}, args...)...)
	if err == nil {
		err = scan.Each(rows, each)
	}
	if err != nil {
		return fmt.Errorf("catalog load: %s: %w", name, err)
	}
	return nil
}
