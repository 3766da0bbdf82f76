package provider

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

//go:embed filed.sql
var filedSQL string

// filedRow is a row of items 24 to 28.
type filedRow struct {
	FundID  string  `json:"fund_id"`
	Role    string  `json:"role"`
	Name    string  `json:"name"`
	CRD     *string `json:"crd"`
	LEI     *string `json:"lei"`
	Related *bool   `json:"related"`
}

// stated is the newest filing that states a role, with its rows.
type stated struct {
	panel.Edition

	role string
	rows []filedRow
}

// filed reads the newest filings of a manager that state roles other than that of the auditor, the newest first; with fund, of that one alone.
func (s *Service) filed(ctx context.Context, crd, fund string, at catalogapi.Moment) (list []stated, err error) {
	type found struct {
		panel.Edition

		Role  string
		Named bool
		Rows  *string
	}
	statement := strings.ReplaceAll(panel.Statement(filedSQL), "@list", "('"+catalogapi.TableProviders+":' || r.role)")
	read, err := panel.Select[found](ctx, s.panels, "read providers of funds", statement, at, database.Args{"crd": crd, "fund": fund, "roles": index.Roles[1:]})
	if err != nil {
		return nil, err
	}
	for _, f := range read {
		if f.Rows == nil {
			return nil, apperr.Invalid(apperr.FieldError{
				Field: "known_at", Message: "what filing " + f.Accession + " listed at this time was not kept: it was restated before such lists were kept",
			})
		}
		if !f.Named {
			continue
		}
		var all []filedRow
		if err := json.Unmarshal([]byte(*f.Rows), &all); err != nil {
			return nil, fmt.Errorf("read providers of funds: %w", err)
		}
		of := stated{Edition: f.Edition, role: f.Role}
		for _, r := range all {
			if r.Role == f.Role && (fund == "" || r.FundID == fund) {
				of.rows = append(of.rows, r)
			}
		}
		list = append(list, of)
	}
	editions := make([]*panel.Edition, len(list))
	for i := range list {
		editions[i] = &list[i].Edition
	}
	return list, s.panels.Forms(ctx, []string{crd}, at, editions...)
}

// ownFund is an open fund of a manager.
type ownFund struct {
	FundID          string
	GrossAssetValue *int64
	Auditors        []string
	AnnualAudit     *bool
}

// funds reads the open funds of a manager today.
func (s *Service) funds(ctx context.Context, crd string) ([]ownFund, error) {
	const statement = "SELECT fund_id, gross_asset_value, auditors, annual_audit FROM catalog.funds WHERE adviser_crd = @crd AND status <> 'closed'"
	return database.Select[ownFund](ctx, s.db, "read funds", statement, database.Args{"crd": crd})
}
