package affiliate

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/database"
)

//go:embed naming.sql
var namingSQL string

// naming are the managers whose newest list names a manager.
func (s *Service) naming(ctx context.Context, crd string, at catalogapi.Moment) ([]Affiliate, error) {
	type row struct {
		CRD, LegalName          string
		Types                   []string
		Controls, CommonControl *bool
		Accession, FormType     string
		FilingDate              time.Time
	}
	if _, err := s.store.Manager(ctx, crd); err != nil {
		return nil, err
	}
	rows, err := panel.Select[row](ctx, s.store, "read who names a manager", panel.Statement(namingSQL), at,
		database.Args{"crd": crd, "list": catalogapi.TableAffiliates})
	list := make([]Affiliate, len(rows))
	for i, r := range rows {
		source := fold.FilingSource{AccessionNumber: r.Accession, FilingType: r.FormType, FilingDate: r.FilingDate.Format(time.DateOnly)}
		list[i] = Affiliate{r.LegalName, &rows[i].CRD, append([]string{}, r.Types...), r.Controls, r.CommonControl, &source}
	}
	return list, err
}
