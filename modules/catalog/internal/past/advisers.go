package past

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/index"
)

// readAdvisers folds each adviser as soon as all its versions have passed. All else has been read.
func (f *market) readAdvisers(ctx context.Context, tx pgx.Tx) error {
	f.foldFunds()
	f.open = make([]index.OpenFund, 0, len(f.folded))
	var v fold.AdviserVersion
	registration, city, state, country, types := f.word(), f.word(), f.word(), f.word(), f.word()
	row := f.filing()
	var residence, advises pgtype.Bool
	var raum, discretionary, other, count, gav pgtype.Int8
	targets := append(row.targets(), &v.LegalName, registration, &v.Street1, city, state, country, &v.PostalCode, &residence,
		&raum, &discretionary, &other, &advises, &count, &gav, types, &v.Silent)
	var versions []fold.AdviserVersion
	var crd int64
	err := f.stream(ctx, tx, advisersSQL, targets, func() error {
		if row.crd != crd {
			f.foldAdviser(crd, versions)
			crd, versions = row.crd, versions[:0]
		}
		v.Filing = *row.scanned()
		v.Registration, v.City, v.State, v.Country = registration.s, city.s, state.s, country.s
		v.PrivateResidence, v.AdvisesFunds = flag(residence), flag(advises)
		v.RAUM, v.ReportedFundCount, v.ReportedFundGAV = number(raum), number(count), number(gav)
		v.RAUMDiscretionary, v.RAUMNonDiscretionary = number(discretionary), number(other)
		if v.ReportedFundTypes = nil; types.s != nil {
			if err := json.Unmarshal([]byte(*types.s), &v.ReportedFundTypes); err != nil {
				return fmt.Errorf("read the types of the funds of %d: %w", row.crd, err)
			}
		}
		versions = append(versions, v)
		return nil
	})
	if err != nil {
		return err
	}
	f.foldAdviser(crd, versions)
	return nil
}

// foldAdviser folds one adviser with its funds. It is a former one by a full withdrawal, or by lists that do not name it any
// more, later than all versions.
func (f *market) foldAdviser(crd int64, versions []fold.AdviserVersion) {
	if len(versions) == 0 {
		return
	}
	former := slices.ContainsFunc(f.gone[crd], func(on time.Time) bool {
		return !slices.ContainsFunc(versions, func(v fold.AdviserVersion) bool { return !v.FilingDate.Before(on) })
	})
	gps, open := &f.gps, &f.open
	if former {
		gps, open = &f.former, &f.formerOpen
	}
	name := strconv.FormatInt(crd, 10)
	f.own = f.own[:0]
	for at := sort.Search(len(f.folded), func(i int) bool { return f.folded[i].crd >= crd }); at < len(f.folded) && f.folded[at].crd == crd; at++ {
		t := &f.folded[at]
		f.own = append(f.own, fold.Fund{
			FiledFund: fold.FiledFund{GrossAssetValue: known(t.gav)}, Strategy: t.strategy, Status: t.status, VintageYear: t.vintage,
		})
		if t.status != index.StatusClosed {
			*open = append(*open, index.OpenFund{AdviserCRD: name, Strategy: t.strategy, VintageYear: t.vintage, Quality: string(t.quality), GAV: t.gav})
		}
	}
	a := fold.AdviserOf(versions, f.own, f.asOf.Filed)
	if corrected := f.corrected[name]; corrected != nil {
		a.CRD = name
		corrected.Adviser(&a, f.asOf.Filed)
	}
	*gps = append(*gps, index.GP{
		CRD: name, LegalName: a.LegalName, City: catalogapi.TextOf(a.City), State: catalogapi.TextOf(a.State), Country: catalogapi.TextOf(a.Country),
		CountryCode: catalogapi.TextOf(a.CountryCode), PrimaryStrategy: catalogapi.TextOf(a.PrimaryStrategy),
		TotalAUM: orUnknown(a.TotalAUM), FundCount: orUnknown(a.FundCount),
	})
}

func orUnknown(n *int64) int64 {
	if n == nil {
		return index.Unknown
	}
	return *n
}
