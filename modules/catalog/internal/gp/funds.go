package gp

import (
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
	"gpatlas/platform/wire"
)

// FundsInput is the parameters of the list of one adviser's funds.
type FundsInput struct {
	catalogapi.GPPath
	page.Input
	Status   httpapi.Opt[string] `query:"status" enum:"active,liquidating,closed" example:"active" doc:"Status of the funds (default: every status except closed)."`
	FundType httpapi.Opt[string] `query:"fund_type" enum:"3c1,3c7,all" example:"3c7" doc:"Only funds under section 3(c)(1) or 3(c)(7) (default all)."`
	MinGAV   httpapi.Opt[int64]  `query:"min_gav" minimum:"0" example:"100000000" doc:"Minimum gross asset value, USD. Funds of unknown value never match."`
}

// FundsMeta is the remarks on the list of one adviser's funds.
//
// Spec: not shown for advisers without a loaded list of funds; the totals are then null, and the values that the adviser
// reports for its funds as a whole are beside them.
type FundsMeta struct {
	GPCRD      string `json:"gp_crd" doc:"CRD number of the manager." example:"900001"`
	GPName     string `json:"gp_name" doc:"Legal name of the manager (Form ADV, item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	TotalFunds *int64 `json:"total_funds" doc:"Listed funds that match the filters. Null if the manager's funds are not listed: see funds_listed." example:"12"`
	TotalGAV   *int64 `json:"total_gav" doc:"Total gross asset value of those funds as filed, USD, over the funds of known value. Null if no value is known, or if the manager's funds are not listed." example:"4200000000"`
	Reported
	page.Meta
}

// Reported is what an adviser reports about its funds as a whole, beside figures that are counted from their list.
type Reported struct {
	FundsListed   bool   `json:"funds_listed" doc:"True if each fund of the manager is known, or it is known to have none. False if no filing that lists the funds was loaded; figures counted from the list are then null." example:"true"`
	ReportedFunds *int64 `json:"reported_funds" doc:"The manager's fund_count: counted from the list if there is one, otherwise as reported by the manager. Null if unknown." example:"12"`
	ReportedGAV   *int64 `json:"reported_gav" doc:"The manager's total_gav, USD: summed over the list if there is one, otherwise as reported by the manager. Null if unknown." example:"4200000000"`
}

func (in *FundsInput) filter() index.FundFilter {
	limit, offset, _ := in.Window()
	return index.FundFilter{
		Status: in.Status.Value, Type: in.FundType.Value, MinGAV: in.MinGAV.Ptr(), Limit: limit, Offset: offset,
	}
}

func appendFundsMeta(dst []byte, gp *index.GP, list index.FundList, m page.Meta) []byte {
	total := index.Unknown
	if list.Listed {
		total = int64(list.Total)
	}
	dst = wire.AppendString(append(dst, `{"gp_crd":`...), gp.CRD)
	dst = wire.AppendString(append(dst, `,"gp_name":`...), gp.LegalName)
	dst = index.AppendNumber(append(dst, `,"total_funds":`...), total)
	dst = index.AppendNumber(append(dst, `,"total_gav":`...), list.TotalGAV)
	dst = strconv.AppendBool(append(dst, `,"funds_listed":`...), list.Listed)
	dst = index.AppendNumber(append(dst, `,"reported_funds":`...), gp.FundCount)
	dst = index.AppendNumber(append(dst, `,"reported_gav":`...), gp.TotalGAV)
	return append(listing.AppendPage(append(dst, ','), m), '}')
}

// StatsInput asks for the totals of one adviser.
type StatsInput struct{ catalogapi.GPPath }

// FundTotals is the totals of one adviser's funds that are not closed. Null means unknown; all of it is null when the
// adviser's funds are not listed.
type FundTotals struct {
	TotalFunds    *int64   `json:"total_funds" doc:"Listed funds that are not closed." example:"12"`
	TotalGAV      *int64   `json:"total_gav" doc:"USD, as filed, over the funds of known value: the assets of a feeder and of its master are both in it. Null if there are funds but none of known value." example:"4200000000"`
	NetGAV        *int64   `json:"net_gav" doc:"USD. The same, with a feeder left out if its master is among the manager's open funds. Null if an open fund of known value does not say whether it is a feeder, as in a list of funds." example:"3900000000"`
	AvgFundSize   *int64   `json:"avg_fund_size" doc:"USD. Average gross asset value of the open funds of known value, rounded down. A feeder is left out as in net_gav; a fund that does not say whether it is a feeder counts. Null if there is none." example:"350000000"`
	OldestVintage *int64   `json:"oldest_vintage" doc:"Earliest vintage year among the open funds. Null: there is none, or the funds are not listed." example:"2011"`
	NewestVintage *int64   `json:"newest_vintage" doc:"Latest vintage year among the open funds. Null: there is none, or the funds are not listed." example:"2024"`
	Strategies    []string `json:"strategies" nullable:"true" doc:"Strategies of the funds, in alphabetical order. Null if the funds are not listed." example:"[\"buyout\",\"growth\"]"`
	Fund3C1Count  *int64   `json:"fund_3c1_count" doc:"Funds that rely on section 3(c)(1). Null if there are funds but none says yes or no." example:"3"`
	Fund3C7Count  *int64   `json:"fund_3c7_count" doc:"Funds that rely on section 3(c)(7). Null if there are funds but none says yes or no." example:"9"`
	Reported
}

func newFundTotals(gp *index.GP, s index.GPStats) FundTotals {
	if s.Listed && s.Strategies == nil {
		s.Strategies = []string{}
	}
	return FundTotals{
		TotalFunds: known(s.TotalFunds), TotalGAV: known(s.TotalGAV), NetGAV: known(gp.NetGAV), AvgFundSize: known(s.AvgFundSize),
		OldestVintage: known(s.OldestVintage), NewestVintage: known(s.NewestVintage), Strategies: s.Strategies,
		Fund3C1Count: known(s.Fund3C1Count), Fund3C7Count: known(s.Fund3C7Count),
		Reported: Reported{FundsListed: s.Listed, ReportedFunds: known(gp.FundCount), ReportedGAV: known(gp.TotalGAV)},
	}
}

// known is a number of the index, nil where it is unknown.
func known(v int64) *int64 {
	if v == index.Unknown {
		return nil
	}
	return &v
}
