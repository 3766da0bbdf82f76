package history

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/modules/catalog/internal/record"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// AsOf selects the filings that count: those made and known by a moment, or one filing and those before it.
//
// Spec: not shown; what no filing states is as today at every moment: the IDs that the catalog gave.
type AsOf struct {
	catalogapi.Point
	Today   time.Time // where no day is asked for, the day for what depends on the day alone
	Noticed *Noticed  // for rows of lists; nil: everything is read
}

// Noticed is what an index of the same moment has for rows of lists. It holds for one publication.
type Noticed struct {
	Publication int64
	// Of are the notices of Form D of a fund, merged into one (fold.Merged).
	Of func(fundID string) []fold.Notice
	// Sums are what the funds of an adviser add to its row; nil if it has no such adviser.
	Sums func(crd string) *FundSums
}

// FundSums are what an adviser's funds add to its row, corrections included.
type FundSums struct {
	TotalAUM, FundCount          *int64
	PrimaryStrategy, ManagerType *string
	OldestVintage                *int64 // of closed funds too
	NewestFiledOn                time.Time
}

// put fills in the row of an adviser that was folded without its funds.
func (s *FundSums) put(a *fold.Adviser) {
	a.TotalAUM, a.FundCount, a.PrimaryStrategy, a.ManagerType, a.NewestFiledOn = s.TotalAUM, s.FundCount, s.PrimaryStrategy, s.ManagerType, s.NewestFiledOn
	if *a.FoundedYearBasis != fold.Overridden && s.OldestVintage != nil && *s.OldestVintage < *a.FoundedYear { // see fold.Adviser: the earliest evidence counts
		a.FoundedYear = s.OldestVintage
	}
}

// reader reads what counted at a moment for one answer, all in one snapshot of the database: a load may commit at any time. It reads
// through pgx alone, for an adviser may have tens of thousands of versions of its funds.
type reader struct {
	q interface {
		SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	}
	moment  record.Moment
	today   time.Time // for what depends on the day alone
	noticed *Noticed
	records map[string]*fold.Record // what counts of the records that were read, by CRD number; some without all of their funds
}

// WaitForCommit is called before reading what was known at an instant: it waits while a load that may have been known then
// commits. It does nothing when the instant is zero, or in the caller's transaction.
func (s *Store) WaitForCommit(ctx context.Context, known time.Time) error {
	if known.IsZero() || s.db.InTransaction(ctx) {
		return nil
	}
	_, err := publish.WaitForCommit(ctx, s.db.Pool())
	return database.Failure("wait for a load to end", err)
}

// beginningOfTime is before everything that was processed, endOfTime after every day.
var (
	beginningOfTime = time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC)
	endOfTime       = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
)

// reading calls fn with a reader of what counts. It returns the errors of fn unchanged, because they are complete.
//
// Spec: not shown; without a day, known_at answers as of the day of that instant, as an answer at that time did.
func (s *Store) reading(ctx context.Context, asOf *AsOf, fn func(r *reader) error) error {
	if !asOf.Known.IsZero() {
		ctx = database.FromPrimary(ctx) // a standby may not have what was loaded by now
	}
	err := s.db.Snapshot(ctx, func(c *pgx.Conn) error {
		r := &reader{q: c, moment: record.Moment{Day: asOf.Day}, today: asOf.Today, records: map[string]*fold.Record{}}
		if !asOf.Day.IsZero() {
			r.today = asOf.Day
		} else if !asOf.Known.IsZero() {
			r.today = asOf.Known.UTC()
		}
		if asOf.Noticed != nil {
			if newest, err := publish.Latest(ctx, c); err != nil {
				return err
			} else if newest == asOf.Noticed.Publication {
				r.noticed = asOf.Noticed
			}
		}
		if asOf.Known.IsZero() {
			return fn(r)
		}
		var ok bool
		var err error
		if r.moment.Known, ok, err = publish.ProcessedBy(ctx, c, asOf.Known); err != nil {
			return err
		}
		if !ok {
			r.moment.Known = beginningOfTime
		}
		return fn(r)
	})
	if _, ready := errors.AsType[*apperr.Error](err); ready {
		return err
	}
	return database.Failure("read filings", err)
}

// known is the instant as SQL compares with it.
func (r *reader) known() pgtype.Timestamptz {
	if r.moment.Known.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: r.moment.Known, Valid: true}
}

// day is the last day as SQL compares with it.
func (r *reader) day() time.Time {
	if r.moment.Day.IsZero() {
		return endOfTime
	}
	return r.moment.Day
}

// stored is the record of an adviser as it is stored.
type stored struct {
	CRD   string   `gorm:"column:crd"`
	Named []string `gorm:"column:named"` // by the query
	Filed []byte   `gorm:"column:filed"`
}

// stored adds the reading of the records of the advisers that a query names, each with others or with funds. All must be there: after an upgrade they are
// written by the refresh.
func (r *reader) stored(b *batch, query string, args database.Args, take func(rows []stored) error) {
	var rows []stored
	args["encoding"] = record.Encoding()
	statement := "SELECT n.crd, n.named, r.filed FROM (" + query + ") n (crd, named) LEFT JOIN catalog.records r ON r.crd = n.crd AND r.encoding = @encoding"
	add(b, "read records", statement, args, func(row *stored) { rows = append(rows, *row) })
	b.then(func() error {
		if slices.ContainsFunc(rows, func(s stored) bool { return s.Filed == nil }) {
			return record.ErrUpgrading
		}
		return take(rows)
	})
}

// take decodes a record and keeps what counts of it: of funds those that only names, all where it is nil.
func (r *reader) take(s *stored, only map[string]bool) (*fold.Record, error) {
	of, err := record.NewDecoder().Decode(s.CRD, s.Filed, only, &r.moment)
	if err != nil {
		return nil, err
	}
	r.records[s.CRD] = of.At(r.moment)
	return r.records[s.CRD], nil
}

// withOthersSQL finds advisers with those that named one of their funds too.
const withOthersSQL = `WITH asked AS (
	SELECT crd, others FROM catalog.advisers LEFT JOIN catalog.records USING (crd) WHERE crd = ANY (@crds)
)
SELECT crd, others FROM asked UNION ALL SELECT DISTINCT other, NULL::text[] FROM asked, unnest(others) other WHERE other <> ALL (@crds)`

// adviser is advisers of one; nil if no version counts. A filing at which it ends must be the adviser's.
func (r *reader) adviser(ctx context.Context, b *batch, crd string, asOf *AsOf) (*fold.Record, error) {
	list, err := r.advisersWithFunds(ctx, b, []string{crd}, asOf)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

// advisersWithFunds reads records of advisers. Each has the filings that count, and other advisers' versions of the funds that it names; if an
// index knows what the funds add, it has no funds. An adviser without a version that counts is left out. The statements in b are sent together
// with those of this method.
func (r *reader) advisersWithFunds(ctx context.Context, b *batch, crds []string, asOf *AsOf) (list []*fold.Record, err error) {
	find, only := withOthersSQL, map[string]bool(nil)
	if r.noticed != nil {
		find, only = "SELECT unnest(@crds::text[]), NULL::text[]", map[string]bool{}
	}
	r.stored(b, find, database.Args{"crds": crds}, func(rows []stored) error {
		own, named := map[string]*fold.Record{}, map[string]bool{}
		for i := range rows {
			if !slices.Contains(crds, rows[i].CRD) {
				continue
			}
			a, err := r.takeThrough(&rows[i], only, asOf)
			if err != nil {
				return err
			}
			own[a.CRD] = a
			if len(rows[i].Named) > 0 {
				for k := range a.FundVersions {
					named[a.FundVersions[k].FundID] = true
				}
			}
		}
		others := maps.Clone(own)
		for i := range rows {
			if own[rows[i].CRD] == nil {
				if others[rows[i].CRD], err = r.take(&rows[i], named); err != nil {
					return err
				}
			}
		}
		for i := range rows {
			if a := own[rows[i].CRD]; a != nil && len(a.Versions) > 0 {
				whole := *a // another may be completed with what it states itself
				of := make([]*fold.Record, 0, len(rows[i].Named))
				for _, crd := range rows[i].Named {
					of = append(of, others[crd])
				}
				record.Complete(&whole, of)
				list = append(list, &whole)
			}
		}
		return nil
	})
	return list, r.send(ctx, b)
}

// takeThrough is take of an adviser that was asked for, up to the filing at which asOf ends.
func (r *reader) takeThrough(s *stored, only map[string]bool, asOf *AsOf) (*fold.Record, error) {
	a, err := r.take(s, only)
	if err != nil || asOf.Accession == "" {
		return a, err
	}
	i := slices.IndexFunc(a.Filings, func(f fold.Filed) bool { return f.Accession == asOf.Accession })
	if i < 0 {
		return nil, apperr.NotFound("Filing %s of GP %s not found", asOf.Accession, s.CRD)
	}
	through := a.Filings[i].Filing
	r.moment.Day, r.moment.Through, r.today = through.FilingDate, &through, through.FilingDate
	return r.take(s, only)
}

// namersSQL finds the advisers that ever named @funds, or a fund that ever had one of the file numbers of Form D.
const namersSQL = `WITH f AS (
	SELECT unnest(@funds::text[]) AS fund_id
	UNION SELECT fund_id FROM catalog.fund_form_d_numbers WHERE file_number = ANY (@numbers)
	UNION SELECT fund_id FROM catalog.replaced_versions WHERE fund_id <> '' AND said -> 'form_d_file_numbers' ?| @numbers
)
SELECT crd, array_agg(fund_id) FROM (
	SELECT crd, fund_id FROM f JOIN catalog.fund_versions USING (fund_id)
	UNION SELECT crd, fund_id FROM f JOIN catalog.replaced_versions USING (fund_id) WHERE fund_id <> ''
) n GROUP BY crd`

// namers reads the records of the advisers that ever named funds, and returns their versions of these funds that count: see namersSQL.
func (r *reader) namers(ctx context.Context, funds, numbers []string) (versions []fold.FundVersion, err error) {
	var b batch
	r.stored(&b, namersSQL, database.Args{"funds": funds, "numbers": numbers}, func(rows []stored) error {
		named := map[string]bool{}
		for i := range rows {
			for _, fund := range rows[i].Named {
				named[fund] = true
			}
		}
		for i := range rows {
			a, err := r.take(&rows[i], named)
			if err != nil {
				return err
			}
			versions = append(versions, a.FundVersions...)
		}
		return nil
	})
	return versions, r.send(ctx, &b)
}

// distinct sorts a list and leaves each text in it once.
func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
