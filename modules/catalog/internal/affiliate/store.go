package affiliate

import (
	"cmp"
	"context"
	_ "embed"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/database"
)

//go:embed naming.sql
var namingSQL string

// naming are the managers whose newest list names a manager.
func (s *Service) naming(ctx context.Context, m *panel.Manager) ([]Affiliate, error) {
	type row struct {
		CRD                     string
		Types                   []string
		Controls, CommonControl *bool
		panel.Edition
	}
	rows, err := panel.Select[row](ctx, s.store, "read who names a manager", panel.Statement(namingSQL), m.At,
		database.Args{"crd": m.CRD, "list": catalogapi.TableAffiliates})
	if err != nil {
		return nil, err
	}
	crds, editions := make([]string, len(rows)), make([]*panel.Edition, len(rows))
	for i := range rows {
		crds[i], editions[i] = rows[i].CRD, &rows[i].Edition
	}
	if err := s.store.Forms(ctx, crds, m.At, editions...); err != nil {
		return nil, err
	}
	names, err := s.store.Names(ctx, crds, m.At)
	list := make([]Affiliate, len(rows))
	for i, r := range rows {
		list[i] = Affiliate{names[r.CRD], &rows[i].CRD, append([]string{}, r.Types...), r.Controls, r.CommonControl, r.Source()}
	}
	slices.SortStableFunc(list, func(a, b Affiliate) int {
		return cmp.Or(cmp.Compare(a.LegalName, b.LegalName), cmp.Compare(*a.CRD, *b.CRD))
	})
	return list, err
}
