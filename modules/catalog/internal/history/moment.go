package history

import (
	"context"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
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
	limit   time.Time // the last day of the filings and notices that count
	today   time.Time // for what depends on the day alone
	through *Filing   // where it is not nil, the last filing that counts
}

// endOfTime stands for no limit of the day.
var endOfTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// Spec: not shown; without a day, what was known at an instant is shown as of its day, which is what was answered then.
func (c *AsOf) bounds(through *Filing) bounds {
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

func (b *bounds) counts(f *Filing) bool {
	if b.through != nil {
		return order(f, b.through) <= 0
	}
	return !f.FilingDate.After(b.limit)
}

// adviserFilings are the filings and versions of one adviser that count.
type adviserFilings struct {
	bounds

	crd      string
	filings  []filed // its own, oldest first; never empty
	versions []AdviserVersion
}

// adviserFilings reads the filings of an adviser that count; nil when no version does. A filing that it ends at must be the
// adviser's.
func (r *reader) adviserFilings(ctx context.Context, crd string, asOf *AsOf) (*adviserFilings, error) {
	filings, err := r.filings(ctx, []string{crd})
	if err != nil {
		return nil, err
	}
	var through *Filing
	if asOf.Accession != "" {
		i := slices.IndexFunc(filings, func(f filed) bool { return f.Accession == asOf.Accession })
		if i < 0 {
			return nil, apperr.NotFound("Filing %s of GP %s not found", asOf.Accession, crd)
		}
		f := filings[i].Filing
		through = &f
	}
	a := &adviserFilings{bounds: asOf.bounds(through), crd: crd}
	if err := a.take(ctx, r, filings); err != nil || len(a.versions) == 0 {
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
	a := &adviserFilings{bounds: b, crd: crd}
	return a, a.take(ctx, r, filings)
}

// take keeps the filings that count, and reads their versions.
func (a *adviserFilings) take(ctx context.Context, r *reader, filings []filed) (err error) {
	a.filings = slices.DeleteFunc(filings, func(f filed) bool { return !a.counts(&f.Filing) })
	a.versions, err = r.adviserVersions(ctx, wholeAdviser, []string{a.crd}, a.byAccession())
	return err
}

func (a *adviserFilings) byAccession() map[string]*filed {
	of := make(map[string]*filed, len(a.filings))
	for i := range a.filings {
		of[a.filings[i].Accession] = &a.filings[i]
	}
	return of
}

// fundVersions hands on every version that counts of the funds that the adviser named, whoever named them. It gives the
// filings of others that did.
func (a *adviserFilings) fundVersions(ctx context.Context, r *reader, columns string, each func(v *FundVersion)) (others []filed, err error) {
	named, funds := map[string]bool{}, []string{}
	err = r.fundVersions(ctx, columns, a.byAccession(), nil, func(v *FundVersion) {
		if !named[v.FundID] {
			named[v.FundID] = true
			funds = append(funds, v.FundID)
		}
		each(v)
	})
	if err != nil || len(funds) == 0 {
		return nil, err
	}
	return a.fundVersionsElsewhere(ctx, r, columns, funds, a.crd, each)
}

// fundVersionsElsewhere hands on the versions that count of funds in the filings of advisers other than one (none when it
// is empty). It gives these filings.
func (b *bounds) fundVersionsElsewhere(
	ctx context.Context, r *reader, columns string, funds []string, than string, each func(v *FundVersion),
) (others []filed, err error) {
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

// withdrawn is the newest full withdrawal (Form ADV-W) among filings, or nil when there is none or a version is of its
// day or later.
func withdrawn(filings []filed, versions []AdviserVersion) *Filing {
	for i := range slices.Backward(filings) {
		f := &filings[i]
		if !f.Full {
			continue
		}
		if slices.ContainsFunc(versions, func(v AdviserVersion) bool { return !v.FilingDate.Before(f.FilingDate) }) {
			return nil
		}
		return &f.Filing
	}
	return nil
}
