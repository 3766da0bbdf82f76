package load

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/fold"
)

// joinNamed fills o_name: the affected funds that have the name of an issuer that no number joins to a fund, by fold.ByName. The fold
// reads the joined notices, so the joins come before it, and names and offices are found here separately, by the same rules.
func (s *session) joinNamed(ctx context.Context) error {
	type issuer struct {
		Chain string  `gorm:"column:chain"`
		Key   string  `gorm:"column:name_key"`
		Form  string  `gorm:"column:name_form"`
		City  *string `gorm:"column:city"`
		State *string `gorm:"column:state"`
	}
	issuers, keys := map[string][]fold.Issuer{}, map[string]bool{}
	err := collect(ctx, s, "formd_unnumbered", func(i *issuer) {
		keys[i.Key] = true
		issuers[i.Chain] = append(issuers[i.Chain], fold.NewIssuer(i.Key, i.Form, i.City, i.State))
	})
	if err != nil || len(issuers) == 0 {
		return err
	}
	bearers, err := s.bearers(ctx, keys)
	if err != nil {
		return err
	}
	var out rowBuffer
	for fund, chains := range fold.Named(issuers, nil, bearers) {
		for _, chain := range chains {
			out.rowOf(chain, fund)
		}
	}
	if err := s.copyIn(ctx, "o_name", bytes.NewReader(out.buf)); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE o_name")
}

// bearers finds the affected funds that have one of the names, by the names' keys, with the main offices of their advisers. The
// rows of names are not sorted: that would take the server longer than all the rest.
func (s *session) bearers(ctx context.Context, keys map[string]bool) ([]fold.Bearer, error) {
	names, ofFunds := fold.Names{}, "JOIN t_fund USING (fund_id)"
	if s.all {
		ofFunds = ""
	}
	if err := collectWith(ctx, s, "bearers", []string{"$of_funds$", ofFunds}, names.Add); err != nil {
		return nil, err
	}
	bearers, versions := names.Bearers(keys), map[string][]fold.AdviserVersion{}
	for i := range bearers {
		versions[bearers[i].CRD] = nil
	}
	err := collect(ctx, s, "bearer_offices", func(v *fold.AdviserVersion) { versions[v.CRD] = append(versions[v.CRD], *v) },
		pgx.NamedArgs{"crds": slices.Collect(maps.Keys(versions))})
	if err != nil {
		return nil, err
	}
	offices := map[string]fold.Adviser{}
	for crd, of := range versions {
		offices[crd] = fold.Office(of)
	}
	for i := range bearers {
		bearers[i].At(new(offices[bearers[i].CRD]))
	}
	return bearers, nil
}
