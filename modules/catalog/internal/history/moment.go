package history

import (
	"context"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/apperr"
)

// AsOf says which filings count: those made and known by a moment, or one filing and those before it.
//
// Spec: not shown; what no filing says is as today at every moment: the ids that the catalogue gave.
type AsOf struct {
	catalogapi.Point
	Today time.Time // where no day is asked for, the day for what depends on the day alone
}

// bounds is an AsOf with the filing that it ends at.
type bounds struct {
	limit   time.Time    // the last day of the filings and notices that count
	today   time.Time    // for what depends on the day alone
	through *fold.Filing // where it is not nil, the last filing that counts
}

// endOfTime stands for no limit of the day.
var endOfTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// Spec: not shown; without a day, what was known at an instant is shown as of its day, which is what was answered then.
func (c *AsOf) bounds(through *fold.Filing) bounds {
	switch {
	case through != nil:
		return bounds{through.FilingDate, through.FilingDate, through}
	case !c.Day.IsZero():
		return bounds{limit: c.Day, today: c.Day}
	case !c.Known.IsZero():
		return bounds{limit: endOfTime, today: c.Known.UTC()}
	}
	return bounds{limit: endOfTime, today: c.Today}
}

func (b *bounds) counts(f *fold.Filing) bool {
	if b.through != nil {
		return fold.Order(f, b.through) <= 0
	}
	return !f.FilingDate.After(b.limit)
}

// adviserFilings are the filings and versions of one adviser that count; Filings is never empty.
type adviserFilings struct {
	bounds
	fold.Record
}

// adviserFilings reads the filings of an adviser that count; nil when no version does. A filing that it ends at must be the
// adviser's.
func (r *reader) adviserFilings(ctx context.Context, crd string, asOf *AsOf) (*adviserFilings, error) {
	filings, err := r.filings(ctx, []string{crd})
	if err != nil {
		return nil, err
	}
	var through *fold.Filing
	if asOf.Accession != "" {
		i := slices.IndexFunc(filings, func(f fold.Filed) bool { return f.Accession == asOf.Accession })
		if i < 0 {
			return nil, apperr.NotFound("Filing %s of GP %s not found", asOf.Accession, crd)
		}
		f := filings[i].Filing
		through = &f
	}
	a := &adviserFilings{bounds: asOf.bounds(through), Record: fold.Record{CRD: crd}}
	if err := a.take(ctx, r, filings); err != nil || len(a.Versions) == 0 {
		return nil, err
	}
	return a, nil
}

// adviserOf reads the filings that count of the adviser of a fund. A version of the fund that counts comes in a filing with a version of
// its adviser.
func (r *reader) adviserOf(ctx context.Context, crd string, b bounds) (*adviserFilings, error) {
	filings, err := r.filings(ctx, []string{crd})
	if err != nil {
		return nil, err
	}
	a := &adviserFilings{bounds: b, Record: fold.Record{CRD: crd}}
	return a, a.take(ctx, r, filings)
}

// take keeps the filings that count, and reads their versions.
func (a *adviserFilings) take(ctx context.Context, r *reader, filings []fold.Filed) (err error) {
	a.Filings = slices.DeleteFunc(filings, func(f fold.Filed) bool { return !a.counts(&f.Filing) })
	a.Versions, err = r.adviserVersions(ctx, wholeAdviser, []string{a.CRD}, a.byAccession())
	return err
}

func (a *adviserFilings) byAccession() map[string]*fold.Filed {
	of := make(map[string]*fold.Filed, len(a.Filings))
	for i := range a.Filings {
		of[a.Filings[i].Accession] = &a.Filings[i]
	}
	return of
}

// fundVersions hands on every version that counts of the funds that the adviser named, whoever named them, and keeps the
// filings of others that did.
func (a *adviserFilings) fundVersions(ctx context.Context, r *reader, columns string, each func(v *fold.FundVersion)) error {
	named, funds := map[string]bool{}, []string{}
	err := r.fundVersions(ctx, columns, a.byAccession(), nil, func(v *fold.FundVersion) {
		if !named[v.FundID] {
			named[v.FundID] = true
			funds = append(funds, v.FundID)
		}
		each(v)
	})
	if err != nil || len(funds) == 0 {
		return err
	}
	a.Others, err = a.fundVersionsElsewhere(ctx, r, columns, funds, a.CRD, each)
	return err
}

// fundVersionsElsewhere hands on the versions that count of funds in the filings of advisers other than one (none when it
// is empty). It gives these filings.
func (b *bounds) fundVersionsElsewhere(
	ctx context.Context, r *reader, columns string, funds []string, than string, each func(v *fold.FundVersion),
) (others []fold.Filed, err error) {
	of, err := r.elsewhere(ctx, funds, than)
	if err != nil {
		return nil, err
	}
	for accession, f := range of {
		if !b.counts(&f.Filing) {
			delete(of, accession)
			continue
		}
		others = append(others, *f)
	}
	if others == nil {
		return nil, nil
	}
	return others, r.fundVersions(ctx, columns, of, funds, each)
}
