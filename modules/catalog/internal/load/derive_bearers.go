package load

import (
	"bytes"
	"context"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
)

// bearers fills n_bearer: the affected funds that bear the name of an issuer that no number joins to a fund, with where
// their advisers sit. The joins come before the fold, which reads the notices that they find, so that names and offices
// are told here on their own, by the same rules.
func (s *session) bearers(ctx context.Context) error {
	type issuer struct {
		Key string `gorm:"column:name_key"`
	}
	keys := map[string]bool{}
	err := collect(ctx, s, "bearer_keys", func(row *issuer) { keys[row.Key] = true })
	if err != nil || len(keys) == 0 {
		return err
	}
	newest, err := s.newestNames(ctx)
	if err != nil {
		return err
	}
	type bearer struct {
		fund string
		key  derive.FundKey
	}
	of := map[string][]bearer{} // by CRD
	var crds []string
	for id, v := range newest {
		if key := derive.NameKey(v.Name); keys[key.Name] {
			if of[v.CRD] == nil {
				crds = append(crds, v.CRD)
			}
			of[v.CRD] = append(of[v.CRD], bearer{id, key})
		}
	}
	if crds == nil {
		return nil
	}
	versions := map[string][]fold.AdviserVersion{}
	err = collect(ctx, s, "bearer_offices", func(v *fold.AdviserVersion) { versions[v.CRD] = append(versions[v.CRD], *v) },
		pgx.NamedArgs{"crds": crds})
	if err != nil {
		return err
	}
	var out rowBuffer
	for crd, funds := range of {
		office := fold.Office(versions[crd])
		for _, b := range funds {
			out.begin()
			out.plain(b.fund)
			out.plain(crd)
			out.said(&b.key.Name)
			out.said(&b.key.Form)
			out.said(office.City)
			out.said(office.State)
			out.end()
		}
	}
	if err := s.copyIn(ctx, "n_bearer", bytes.NewReader(out.buf)); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE n_bearer")
}

// namedFund is the newest filing that named a fund.
type namedFund struct {
	fold.Filing

	Name string
}

// newestNames tells how each affected fund is called, and by whom, by Fund ID. They come in no order: to sort them would
// take the server longer than all the rest.
func (s *session) newestNames(ctx context.Context) (map[string]*namedFund, error) {
	newest := map[string]*namedFund{}
	ofFunds := "JOIN t_fund USING (fund_id)"
	if s.all {
		ofFunds = ""
	}
	return newest, collectWith(ctx, s, "bearers", []string{"$of_funds$", ofFunds}, func(v *fold.FundVersion) {
		if known := newest[v.FundID]; known == nil {
			newest[v.FundID] = &namedFund{v.Filing, v.Name}
		} else if fold.Order(&v.Filing, &known.Filing) > 0 {
			*known = namedFund{v.Filing, v.Name}
		}
	})
}
