package series

import (
	"context"
	"encoding/json"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/wire"
)

// FundInput asks for the series of a fund.
type FundInput struct {
	catalogapi.FundPath
	Input
	Fields httpapi.Opt[string] `query:"fields" example:"gross_asset_value,name" doc:"Fields to show, separated by commas. Default: the amounts and counts."`
}

// FundPoint is a fund after one of the filings that name it. Of the fields, those that were asked for are there.
type FundPoint struct {
	Date                  string  `json:"date" format:"date" doc:"Day of the filing." example:"2025-03-28"`
	AccessionNumber       string  `json:"accession_number" doc:"Filing after which the values held." example:"ADV-900001-1812345"`
	GrossAssetValue       *int64  `json:"gross_asset_value,omitempty" nullable:"true" doc:"USD. Null: not stated, as for all fields." example:"850000000"`
	BeneficialOwnersCount *int64  `json:"beneficial_owners_count,omitempty" nullable:"true" doc:"Beneficial owners." example:"74"`
	MinimumInvestment     *int64  `json:"minimum_investment,omitempty" nullable:"true" doc:"USD." example:"5000000"`
	Name                  *string `json:"name,omitempty" nullable:"true" doc:"Name of the fund." example:"Harbor Ridge Growth II, L.P."`
	Strategy              *string `json:"strategy,omitempty" nullable:"true" doc:"Strategy of the fund." example:"growth"`
	AdviserCRD            *string `json:"adviser_crd,omitempty" nullable:"true" doc:"CRD number of the manager that filed." example:"900001"`
}

// FundMeta is the remarks on the series of a fund.
type FundMeta struct {
	FundID string `json:"fund_id" doc:"ID of the fund." example:"805-1234567890"`
	Meta
}

// SchemaName is its name in the OpenAPI document.
func (FundMeta) SchemaName() string { return "FundSeriesMeta" }

type fundBody = httpapi.DataMeta[[]FundPoint, FundMeta]

var fundFields = []string{"gross_asset_value", "beneficial_owners_count", "minimum_investment", "name", "strategy", "adviser_crd"}

const fundFew = 3

func fundValue(f *fold.Fund, field string) any {
	switch field {
	case "gross_asset_value":
		return f.GrossAssetValue
	case "beneficial_owners_count":
		return f.BeneficialOwnersCount
	case "minimum_investment":
		return f.MinimumInvestment
	case "name":
		return f.Name
	case "strategy":
		return f.Strategy
	}
	return f.AdviserCRD
}

func (s *Service) fund(ctx context.Context, in *FundInput) (*httpapi.Reply[fundBody], error) {
	a, err := in.read(in.Fields, fundFields, fundFew)
	if err != nil {
		return nil, err
	}
	key, err := listing.KeyOf(in.FundID)
	if err != nil {
		return nil, err
	}
	at := catalogapi.Moment{}
	if at.Day, at.Known, err = in.Resolve(s.clock); err != nil {
		return nil, err
	}
	if err := s.store.WaitForCommit(ctx, at.Known); err != nil {
		return nil, err
	}
	current, err := s.store.FindFund(ctx, key.FundID, key.ID)
	if err != nil {
		return nil, err
	}
	if current == nil {
		return nil, listing.NoFund(in.FundID)
	}
	funds, err := s.store.FundTimeline(ctx, current.FundID, history.AsOf{Point: catalogapi.Point{Moment: at}, Today: s.clock.Now()})
	if err != nil {
		return nil, err
	}
	if len(funds) == 0 {
		return nil, listing.NotYet("Fund "+in.FundID, at)
	}
	kept := a.keep(len(funds), func(i int) time.Time { return funds[i].LatestFiledOn })
	meta, err := json.Marshal(FundMeta{FundID: current.FundID, Meta: Meta{By: a.by, Fields: a.fields, Breaks: []Break{}}})
	if err != nil {
		return nil, err
	}
	return wire.Write[fundBody](func(dst []byte) []byte {
		dst = wire.AppendList(append(dst, `{"data":[`...), kept, func(dst []byte, i int) []byte {
			p := point{on: funds[i].LatestFiledOn, accession: funds[i].LatestAccession}
			for _, field := range a.fields {
				p.values = append(p.values, fundValue(&funds[i], field))
			}
			return a.appendPoint(dst, p)
		})
		return append(append(append(dst, `],"meta":`...), meta...), '}')
	}), nil
}
