package series

import (
	"context"
	"encoding/json"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/wire"
)

// GPInput asks for the series of a manager.
type GPInput struct {
	catalogapi.GPPath
	Input
	Fields httpapi.Opt[string] `query:"fields" example:"total_aum,employee_count" doc:"Fields to show, separated by commas. Default: the amounts and counts."`
}

// GPPoint is a manager after one of its filings. Of the fields, those that were asked for are there.
type GPPoint struct {
	Date               string  `json:"date" format:"date" doc:"Day of the filing." example:"2025-03-28"`
	AccessionNumber    string  `json:"accession_number" doc:"Filing after which the values held." example:"ADV-900001-1812345"`
	TotalAUM           *int64  `json:"total_aum,omitempty" nullable:"true" doc:"USD. Null: not known after the filing, as for all fields." example:"1904761905"`
	EmployeeCount      *int64  `json:"employee_count,omitempty" nullable:"true" doc:"Employees." example:"41"`
	FundCount          *int64  `json:"fund_count,omitempty" nullable:"true" doc:"Funds that are not closed." example:"12"`
	TotalGAV           *int64  `json:"total_gav,omitempty" nullable:"true" doc:"USD. Total gross asset value of those funds." example:"4200000000"`
	RegistrationStatus *string `json:"registration_status,omitempty" nullable:"true" doc:"registered or exempt_reporting." example:"registered"`
	PrimaryStrategy    *string `json:"primary_strategy,omitempty" nullable:"true" doc:"Strategy with the most gross asset value." example:"buyout"`
	LegalName          *string `json:"legal_name,omitempty" nullable:"true" doc:"Legal name." example:"Harbor Ridge Capital Partners LLC"`
	City               *string `json:"city,omitempty" nullable:"true" doc:"City of the main office." example:"Boston"`
	State              *string `json:"state,omitempty" nullable:"true" doc:"US state code of the main office." example:"MA"`
	Country            *string `json:"country,omitempty" nullable:"true" doc:"Country of the main office." example:"United States"`
}

// GPMeta is the remarks on the series of a manager.
type GPMeta struct {
	CRD string `json:"crd" doc:"CRD number of the manager." example:"900001"`
	Meta
}

// SchemaName is its name in the OpenAPI document.
func (GPMeta) SchemaName() string { return "GPSeriesMeta" }

type gpBody = httpapi.DataMeta[[]GPPoint, GPMeta]

var gpFields = []string{
	"total_aum", "employee_count", "fund_count", "total_gav", "registration_status", "primary_strategy", "legal_name", "city", "state", "country",
}

// gpFew are shown unless others are asked for: the numbers.
const gpFew = 4

func gpValue(s *catalogapi.AdviserState, field string) any {
	switch field {
	case "total_aum":
		return s.TotalAUM
	case "employee_count":
		return s.EmployeeCount
	case "fund_count":
		return s.FundCount
	case "total_gav":
		return s.TotalGAV
	case "registration_status":
		return s.Registration
	case "primary_strategy":
		return s.PrimaryStrategy
	case "legal_name":
		return s.LegalName
	case "city":
		return s.City
	case "state":
		return s.State
	}
	return s.Country
}

func (s *Service) gp(ctx context.Context, in *GPInput) (*httpapi.Reply[gpBody], error) {
	a, err := in.read(in.Fields, gpFields, gpFew)
	if err != nil {
		return nil, err
	}
	at := catalogapi.Moment{}
	if at.Day, at.Known, err = in.Resolve(s.clock); err != nil {
		return nil, err
	}
	timeline, err := s.history.Timeline(ctx, in.CRD, at)
	if err != nil {
		return nil, err
	}
	states := catalogapi.Steps(timeline)
	kept := a.keep(len(states), func(i int) time.Time { return states[i].Filing.FiledOn })
	shown := make([]catalogapi.AdviserState, len(kept))
	for i, at := range kept {
		shown[i] = states[at]
	}
	meta, err := json.Marshal(GPMeta{CRD: in.CRD, Meta: Meta{By: a.by, Fields: a.fields, Breaks: a.breaks(shown)}})
	if err != nil {
		return nil, err
	}
	return wire.Write[gpBody](func(dst []byte) []byte {
		dst = wire.AppendList(append(dst, `{"data":[`...), shown, func(dst []byte, state catalogapi.AdviserState) []byte {
			p := point{on: state.Filing.FiledOn, accession: state.Filing.Accession}
			for _, field := range a.fields {
				p.values = append(p.values, gpValue(&state, field))
			}
			return a.appendPoint(dst, p)
		})
		return append(append(append(dst, `],"meta":`...), meta...), '}')
	}), nil
}
