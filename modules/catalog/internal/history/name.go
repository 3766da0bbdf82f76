package history

import (
	"context"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// advisers adds the reading of advisers without their funds. It leaves out advisers without a filing that counts.
func (r *reader) advisers(b *batch, crds []string, take func(a *fold.Record)) {
	const find = "SELECT crd, NULL::text[] FROM catalog.advisers WHERE crd = ANY (@crds)"
	r.stored(b, find, database.Args{"crds": crds}, func(rows []stored) error {
		for i := range rows {
			a, err := r.take(&rows[i], map[string]bool{})
			if err != nil {
				return err
			}
			if len(a.Versions) > 0 {
				take(a)
			}
		}
		return nil
	})
}

// NamesAt are the legal names of advisers as of a moment, by CRD number. Advisers that no filing describes by then have none.
func (s *Store) NamesAt(ctx context.Context, crds []string, asOf AsOf) (names map[string]string, err error) {
	names = map[string]string{}
	if len(crds) == 0 {
		return names, nil
	}
	return names, s.reading(ctx, &asOf, func(r *reader) error {
		var b batch
		var corrected fold.Overrides
		r.overrides(&b, crds, nil, &corrected)
		r.advisers(&b, crds, func(a *fold.Record) { names[a.CRD], _ = corrected.LegalName(a.CRD, a.Versions, r.today) })
		return r.send(ctx, &b)
	})
}

// FormsAt are the forms of the filings of advisers that count as of a moment, by accession number: what was the first filing known at an
// instant is an ADV.
func (s *Store) FormsAt(ctx context.Context, crds []string, asOf AsOf) (forms map[string]string, err error) {
	forms = map[string]string{}
	return forms, s.reading(ctx, &asOf, func(r *reader) error {
		var b batch
		r.advisers(&b, crds, func(a *fold.Record) {
			for _, f := range a.Filings {
				forms[f.Accession] = f.FormType
			}
		})
		return r.send(ctx, &b)
	})
}

// Reporter is the adviser whose filing is the newest that names a fund.
type Reporter struct{ CRD, LegalName string }

// ReportersAt are the reporters of funds as of a moment, by Fund ID. Funds that no filing names by then have none.
func (s *Store) ReportersAt(ctx context.Context, funds []string, asOf AsOf) (reporters map[string]Reporter, err error) {
	reporters = map[string]Reporter{}
	if len(funds) == 0 {
		return reporters, nil
	}
	return reporters, s.reading(ctx, &asOf, func(r *reader) error {
		versions, err := r.namers(ctx, funds, nil)
		if err != nil {
			return err
		}
		named := map[string][]fold.FundVersion{}
		var crds []string
		for _, v := range versions {
			named[v.FundID] = append(named[v.FundID], v)
			crds = append(crds, v.CRD)
		}
		var b batch
		var corrected fold.Overrides
		r.overrides(&b, distinct(crds), nil, &corrected)
		if err := r.send(ctx, &b); err != nil {
			return err
		}
		for fund, of := range named {
			crd := fold.Newest(of).CRD
			name, _ := corrected.LegalName(crd, r.records[crd].Versions, r.today)
			reporters[fund] = Reporter{crd, name}
		}
		return nil
	})
}
