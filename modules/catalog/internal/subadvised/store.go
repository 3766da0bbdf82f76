package subadvised

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/database"
)

// holder is a fund with the manager that reports it at present.
type holder struct{ FundID, CRD, LegalName string }

// reporting are the managers that report funds at present, by Fund ID.
func (s *Service) reporting(ctx context.Context, funds []string) (map[string]holder, error) {
	const statement = `SELECT f.fund_id, a.crd, a.legal_name FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd WHERE f.fund_id = ANY (@funds)`
	rows, err := panel.Select[holder](ctx, s.store, "read who reports funds", statement, catalogapi.Moment{}, database.Args{"funds": funds})
	found := make(map[string]holder, len(rows))
	for _, r := range rows {
		found[r.FundID] = r
	}
	return found, err
}

//go:embed naming.sql
var namingSQL string

// naming are the funds of a manager that the newest lists of others name.
func (s *Service) naming(ctx context.Context, crd, name string, at catalogapi.Moment) ([]Fund, error) {
	type row struct {
		FundID                    string
		Name, AdviserSECNumber    *string
		SubAdviserCRD, SubAdviser string
		Accession, FormType       string
		FilingDate                time.Time
	}
	rows, err := panel.Select[row](ctx, s.store, "read who names the funds of a manager", panel.Statement(namingSQL), at,
		database.Args{"crd": crd, "list": catalogapi.TableSubAdvised})
	list := make([]Fund, len(rows))
	for i, r := range rows {
		source := fold.FilingSource{AccessionNumber: r.Accession, FilingType: r.FormType, FilingDate: r.FilingDate.Format(time.DateOnly)}
		list[i] = Fund{&rows[i].FundID, r.Name, &crd, &name, r.AdviserSECNumber, r.SubAdviserCRD, r.SubAdviser, &source}
	}
	return list, err
}
