package subadvised

import (
	"context"
	_ "embed"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/database"
)

//go:embed naming.sql
var namingSQL string

// naming are the funds of a manager that the newest lists of others name.
func (s *Service) naming(ctx context.Context, m *panel.Manager) (list []Fund, err error) {
	type row struct {
		FundID                 string
		Name, AdviserSECNumber *string
		SubAdviserCRD          string
		panel.Edition
	}
	rows, err := panel.Select[row](ctx, s.store, "read who names the funds of a manager", panel.Statement(namingSQL), m.At,
		database.Args{"crd": m.CRD, "list": catalogapi.TableSubAdvised})
	if err != nil {
		return nil, err
	}
	var funds, crds []string
	var editions []*panel.Edition
	for i := range rows {
		funds, crds, editions = append(funds, rows[i].FundID), append(crds, rows[i].SubAdviserCRD), append(editions, &rows[i].Edition)
	}
	if err := s.store.Forms(ctx, crds, m.At, editions...); err != nil {
		return nil, err
	}
	reporters, err := s.store.Reporters(ctx, funds, m.At)
	if err != nil {
		return nil, err
	}
	names, err := s.store.Names(ctx, crds, m.At)
	for i, r := range rows {
		if reporters[r.FundID].CRD != m.CRD {
			continue // the fund is another manager's
		}
		list = append(list, Fund{&rows[i].FundID, r.Name, &m.CRD, &m.LegalName, r.AdviserSECNumber, r.SubAdviserCRD, names[r.SubAdviserCRD], r.Source()})
	}
	return list, err
}
