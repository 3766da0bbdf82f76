package load

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
)

// joinNamed fills o_name: the affected funds that bear the name of an issuer that no number joins to a fund, by fold.ByName. The joins come
// before the fold, which reads the notices that they find, so that names and offices are found here on their own, by the same rules.
func (s *session) joinNamed(ctx context.Context) error {
	type issuer struct {
		Chain string  `gorm:"column:chain"`
		Key   string  `gorm:"column:name_key"`
		Form  string  `gorm:"column:name_form"`
		City  *string `gorm:"column:city"`
		State *string `gorm:"column:state"`
	}
	issuers, asked := []issuer{}, map[string]bool{}
	err := collect(ctx, s, "formd_unnumbered", func(row *issuer) { issuers, asked[row.Key] = append(issuers, *row), true })
	if err != nil || len(issuers) == 0 {
		return err
	}
	bearers, err := s.bearers(ctx, asked)
	if err != nil {
		return err
	}
	var out rowBuffer
	type join struct{ chain, fund string }
	joined := map[join]bool{}
	for _, i := range issuers {
		is := fold.Issuer{Key: derive.FundKey{Name: i.Key, Form: i.Form}, City: fold.Placed(i.City), State: fold.Placed(i.State)}
		for _, fund := range fold.ByName(&is, bearers[i.Key]) {
			if !joined[join{i.Chain, fund}] {
				joined[join{i.Chain, fund}] = true
				out.rowOf(i.Chain, fund)
			}
		}
	}
	if err := s.copyIn(ctx, "o_name", bytes.NewReader(out.buf)); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE o_name")
}

// bearers finds the affected funds that bear names, by the names' keys, with where their advisers sit.
func (s *session) bearers(ctx context.Context, asked map[string]bool) (map[string][]fold.Bearer, error) {
	newest, err := s.newestNames(ctx)
	if err != nil {
		return nil, err
	}
	offices := map[string]*fold.Adviser{}
	keys := map[string]derive.FundKey{} // by Fund ID
	for id, v := range newest {
		if key := derive.NameKey(v.Name); asked[key.Name] {
			keys[id], offices[v.CRD] = key, &fold.Adviser{}
		}
	}
	versions := map[string][]fold.AdviserVersion{}
	err = collect(ctx, s, "bearer_offices", func(v *fold.AdviserVersion) { versions[v.CRD] = append(versions[v.CRD], *v) },
		pgx.NamedArgs{"crds": slices.Collect(maps.Keys(offices))})
	if err != nil {
		return nil, err
	}
	for crd, said := range versions {
		*offices[crd] = fold.Office(said)
	}
	out := map[string][]fold.Bearer{}
	for id, key := range keys {
		crd := newest[id].CRD
		at := offices[crd]
		out[key.Name] = append(out[key.Name], fold.Bearer{FundID: id, CRD: crd, Form: key.Form, City: fold.Placed(at.City), State: fold.Placed(at.State)})
	}
	return out, nil
}

// namedFund is the newest filing that named a fund.
type namedFund struct {
	fold.Filing

	Name string
}

// newestNames returns the newest name of each affected fund, and the filing that states it, by Fund ID. The rows are not
// sorted: that would take the server longer than all the rest.
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
