package gp

import (
	"strconv"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// FundsInput is the parameters of the list of one adviser's funds.
type FundsInput struct {
	listing.GPPath
	page.Input
	Status   httpapi.Opt[string] `query:"status" enum:"active,liquidating,closed" example:"active" doc:"Status of the funds; without it all that are not closed."`
	FundType httpapi.Opt[string] `query:"fund_type" enum:"3c1,3c7,all" example:"3c7" doc:"Section 3(c)(1) or 3(c)(7) funds only (default all)."`
	MinGAV   httpapi.Opt[int64]  `query:"min_gav" minimum:"0" example:"100000000" doc:"Least gross asset value, USD; funds of unknown value are then left out."`
}

// FundsMeta is the remarks on the list of one adviser's funds.
type FundsMeta struct {
	GPCRD      string `json:"gp_crd" example:"900001"`
	GPName     string `json:"gp_name" example:"Harbor Ridge Capital Partners LLC"`
	TotalFunds int    `json:"total_funds" doc:"Funds that the filters let through." example:"12"`
	TotalGAV   int64  `json:"total_gav" doc:"Their gross asset value together, USD." example:"4200000000"`
	page.Meta
}

func (in *FundsInput) filter() index.FundFilter {
	limit, offset, _ := in.Window()
	return index.FundFilter{
		Status: in.Status.Value, Type: in.FundType.Value, MinGAV: in.MinGAV.Ptr(), Limit: limit, Offset: offset,
	}
}

func appendFundsMeta(dst []byte, gp *index.GP, list index.FundList, m page.Meta) []byte {
	dst = index.AppendString(append(dst, `{"gp_crd":`...), gp.CRD)
	dst = index.AppendString(append(dst, `,"gp_name":`...), gp.LegalName)
	dst = strconv.AppendInt(append(dst, `,"total_funds":`...), int64(list.Total), 10)
	dst = strconv.AppendInt(append(dst, `,"total_gav":`...), list.TotalGAV, 10)
	return append(listing.AppendPage(append(dst, ','), m), '}')
}

// StatsInput asks for the totals of one adviser.
type StatsInput struct{ listing.GPPath }

// FundTotals is the totals of one adviser's funds that are not closed.
type FundTotals struct {
	TotalFunds    int      `json:"total_funds" example:"12"`
	TotalGAV      int64    `json:"total_gav" doc:"USD; unknown values count nothing." example:"4200000000"`
	AvgFundSize   *int64   `json:"avg_fund_size" doc:"USD, over the funds of known value; null without one." example:"350000000"`
	OldestVintage *int64   `json:"oldest_vintage" example:"2011"`
	NewestVintage *int64   `json:"newest_vintage" example:"2024"`
	Strategies    []string `json:"strategies" doc:"Strategies of the funds, in alphabetical order." example:"[\"buyout\",\"growth\"]"`
	Fund3C1Count  int      `json:"fund_3c1_count" example:"3"`
	Fund3C7Count  int      `json:"fund_3c7_count" example:"9"`
}

func newFundTotals(s index.GPStats) FundTotals {
	if s.Strategies == nil {
		s.Strategies = []string{}
	}
	return FundTotals{
		TotalFunds: s.TotalFunds, TotalGAV: s.TotalGAV, AvgFundSize: s.AvgFundSize, OldestVintage: s.OldestVintage,
		NewestVintage: s.NewestVintage, Strategies: s.Strategies, Fund3C1Count: s.Fund3C1Count, Fund3C7Count: s.Fund3C7Count,
	}
}
