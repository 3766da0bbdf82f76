package history

import (
	"cmp"
	"context"
	_ "embed"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

//go:embed joined_notices.sql
var joinedNoticesSQL string

// Records reads all that stands of advisers over c, for the loader that has just written it: notices of Form D count as it joined
// them. Advisers of whom nothing is said have no record.
func Records(ctx context.Context, c *pgx.Conn, crds []string) ([]*fold.Record, error) {
	b := bulk{reader: reader{q: c}, records: map[string]*fold.Record{}, filed: map[string]*fold.Filed{}, funds: map[string][]fold.FundVersion{}, named: map[string][]string{}}
	for _, step := range []func(ctx context.Context, crds []string) error{b.readAdvisers, b.readFunds, b.readOthers, b.readNotices} {
		if err := step(ctx, crds); err != nil {
			return nil, err
		}
	}
	var out []*fold.Record
	for _, crd := range slices.Sorted(maps.Keys(b.records)) {
		if r := b.records[crd]; len(r.Versions) > 0 {
			b.complete(r)
			out = append(out, r)
		}
	}
	return out, nil
}

// bulk reads the records of some advisers together.
type bulk struct {
	reader

	records map[string]*fold.Record       // by CRD
	filed   map[string]*fold.Filed        // by accession
	funds   map[string][]fold.FundVersion // by Fund ID
	named   map[string][]string           // Fund IDs by CRD, of the advisers themselves
	notices map[string][]fold.Notice      // by Fund ID
}

// readAdvisers reads the filings and versions of the advisers.
func (b *bulk) readAdvisers(ctx context.Context, crds []string) error {
	filings, err := b.filings(ctx, crds)
	if err != nil {
		return err
	}
	for i := range filings {
		f := &filings[i]
		if b.records[f.CRD] == nil {
			b.records[f.CRD] = &fold.Record{CRD: f.CRD, Notices: map[string][]fold.Notice{}}
		}
		b.records[f.CRD].Filings = append(b.records[f.CRD].Filings, *f)
		b.filed[f.Accession] = f
	}
	versions, err := b.adviserVersions(ctx, wholeAdviser, crds, b.filed)
	for i := range versions {
		r := b.records[versions[i].CRD]
		r.Versions = append(r.Versions, versions[i])
	}
	return err
}

// readFunds reads what the filings say of funds.
func (b *bulk) readFunds(ctx context.Context, _ []string) error {
	known := map[[2]string]bool{}
	return b.fundVersions(ctx, wholeFund, b.filed, nil, func(v *fold.FundVersion) {
		if by := [2]string{v.CRD, v.FundID}; !known[by] {
			known[by] = true
			b.named[v.CRD] = append(b.named[v.CRD], v.FundID)
		}
		b.add(v)
	})
}

func (b *bulk) add(v *fold.FundVersion) { b.funds[v.FundID] = append(b.funds[v.FundID], *v) }

// readOthers reads what filings of other advisers say of these funds.
func (b *bulk) readOthers(ctx context.Context, crds []string) error {
	type named struct {
		Accession string `gorm:"column:accession"`
		CRD       string `gorm:"column:crd"`
	}
	const statement = "SELECT DISTINCT accession, crd FROM catalog.fund_versions WHERE fund_id = ANY (@funds) AND crd <> ALL (@crds)"
	funds := slices.Collect(maps.Keys(b.funds))
	found, err := collect[named](ctx, &b.reader, "read who named funds", statement, database.Args{"funds": funds, "crds": crds})
	if err != nil || len(found) == 0 {
		return err
	}
	naming, others := map[string]bool{}, map[string]bool{}
	for _, n := range found {
		naming[n.Accession], others[n.CRD] = true, true
	}
	filings, err := b.filings(ctx, slices.Collect(maps.Keys(others)))
	if err != nil {
		return err
	}
	of := map[string]*fold.Filed{}
	for i := range filings {
		if f := &filings[i]; naming[f.Accession] {
			of[f.Accession], b.filed[f.Accession] = f, f
		}
	}
	return b.fundVersions(ctx, wholeFund, of, funds, b.add)
}

// readNotices reads the notices of Form D that are joined to the funds.
func (b *bulk) readNotices(ctx context.Context, _ []string) error {
	type joined struct {
		fold.Notice

		FundID string `gorm:"column:fund_id"`
	}
	rows, err := collect[joined](ctx, &b.reader, "read notices", joinedNoticesSQL, database.Args{"funds": slices.Collect(maps.Keys(b.funds))})
	notices := make([]fold.Notice, len(rows))
	for i := range rows {
		notices[i] = rows[i].Notice
	}
	notices = slices.CompactFunc(slices.SortedFunc(slices.Values(notices), byAccession), func(x, y fold.Notice) bool { return x.Accession == y.Accession })
	fold.Chained(notices)
	b.notices = map[string][]fold.Notice{}
	for i := range rows {
		at, _ := slices.BinarySearchFunc(notices, rows[i].Notice, byAccession)
		b.notices[rows[i].FundID] = append(b.notices[rows[i].FundID], notices[at])
	}
	return err
}

func byAccession(x, y fold.Notice) int { return cmp.Compare(x.Accession, y.Accession) }

// complete adds to an adviser's record what is said of the funds that it named.
func (b *bulk) complete(r *fold.Record) {
	others := map[string]bool{}
	for _, id := range b.named[r.CRD] {
		r.FundVersions = append(r.FundVersions, b.funds[id]...)
		for i := range b.funds[id] {
			if v := &b.funds[id][i]; v.CRD != r.CRD && !others[v.Accession] {
				others[v.Accession] = true
				r.Others = append(r.Others, *b.filed[v.Accession])
			}
		}
		if notices := b.notices[id]; notices != nil {
			r.Notices[id] = slices.Clone(notices)
		}
	}
}
