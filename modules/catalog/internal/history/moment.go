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

	of    map[string]*fold.Filed // its Filings by accession number
	funds []string               // that these name
}

// adviserFilings reads the filings of an adviser that count with what they say, of funds too, which take is handed; nil when no version
// counts. A filing that it ends at must be the adviser's.
func (r *reader) adviserFilings(
	ctx context.Context, b *batch, crd string, asOf *AsOf, columns string, take func(v *fold.FundVersion),
) (*adviserFilings, error) {
	a := &adviserFilings{bounds: asOf.bounds(nil), Record: fold.Record{CRD: crd}, of: map[string]*fold.Filed{}}
	r.filings(b, []string{crd}, func(filings []fold.Filed) error {
		if asOf.Accession != "" {
			i := slices.IndexFunc(filings, func(f fold.Filed) bool { return f.Accession == asOf.Accession })
			if i < 0 {
				return apperr.NotFound("Filing %s of GP %s not found", asOf.Accession, crd)
			}
			through := filings[i].Filing
			a.bounds = asOf.bounds(&through)
		}
		a.Filings = slices.DeleteFunc(filings, func(f fold.Filed) bool { return !a.counts(&f.Filing) })
		for i := range a.Filings {
			a.of[a.Filings[i].Accession] = &a.Filings[i]
		}
		return nil
	})
	r.adviserVersions(b, wholeAdviser, []string{crd}, a.of, func(v *fold.AdviserVersion) { a.Versions = append(a.Versions, *v) })
	named := map[string]bool{}
	r.ownFundVersions(b, columns, crd, asOf.bounds(nil).limit, a.of, func(v *fold.FundVersion) {
		if !named[v.FundID] {
			named[v.FundID] = true
			a.funds = append(a.funds, v.FundID)
		}
		take(v)
	})
	if err := r.send(ctx, b); err != nil || len(a.Versions) == 0 {
		return nil, err
	}
	return a, nil
}

// elsewhere adds the reading of what others say of the funds that the adviser named.
func (a *adviserFilings) elsewhere(r *reader, b *batch, columns string) *elsewhere {
	return r.elsewhere(b, columns, a.funds, a.CRD)
}
