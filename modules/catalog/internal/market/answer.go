package market

import (
	"strconv"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/moment"
	"gpatlas/platform/wire"
)

// Aggregate is the response, without an envelope.
type Aggregate struct {
	AggregationType string         `json:"aggregation_type" doc:"group_by, as requested." example:"strategy"`
	Data            []AggregateRow `json:"data" doc:"Sorted by number of managers (of funds, with vintage in group_by), most first, then by the groupings. With one grouping, vintages and bands are ascending."`
	Meta            AggregateMeta  `json:"meta" doc:"What the totals are computed from, and the price."`
}

// AggregateRow is one group. It has exactly the fields of its grouping, those that are not known as null:
//
//	strategy                           strategy, gp_count, total_aum, avg_aum, fund_count
//	vintage                            vintage_year, fund_count, total_gav, avg_fund_size, vintage_quality
//	geography, state                   country, state, location, gp_count, total_aum, avg_aum
//	aum_band                           aum_band, gp_count, total_aum
//	registration_status, manager_type  the grouping, gp_count, total_aum, avg_aum
//	two                                those of both (of state: state), gp_count, total_aum; with vintage: fund_count, total_gav
//
// A pointer to a pointer distinguishes an absent field from null.
//
// Spec: not shown which fields a row of the grouping by state has; it has those of geography.
type AggregateRow struct {
	Strategy       **string          `json:"strategy,omitempty" nullable:"true" doc:"With group_by=strategy. Primary strategy of the managers. Null counts the managers without a known strategy." example:"venture"`
	VintageYear    *int64            `json:"vintage_year,omitempty" doc:"With group_by=vintage." example:"2019"`
	Country        **string          `json:"country,omitempty" nullable:"true" doc:"With group_by=geography and state. Country of the main office. Null if unknown." example:"United States"`
	State          **string          `json:"state,omitempty" nullable:"true" doc:"With group_by=geography and state. Code of the US state. Outside the US, as filed or null." example:"MA"`
	Location       **string          `json:"location,omitempty" nullable:"true" doc:"With group_by=geography and state. State and country in one string, as far as known." example:"MA, United States"`
	AUMBand        **string          `json:"aum_band,omitempty" nullable:"true" enum:"<100M,100M-500M,500M-1B,1B-10B,>10B" doc:"With group_by=aum_band. USD. The lower bound is part of the band, the upper bound is not. All five bands are listed. Managers of unknown assets are in none. With a second grouping, empty rows are left out, and null counts the managers of unknown assets." example:"100M-500M"`
	Registration   **string          `json:"registration_status,omitempty" nullable:"true" enum:"registered,exempt_reporting" doc:"With group_by=registration_status. Null counts the managers of unknown registration." example:"registered"`
	ManagerType    **string          `json:"manager_type,omitempty" nullable:"true" enum:"pe_vc,hedge_fund,real_estate,other" doc:"With group_by=manager_type. Null counts the managers without a known strategy." example:"pe_vc"`
	GPCount        *int              `json:"gp_count,omitempty" doc:"With every group_by except vintage. Number of fund managers." example:"812"`
	TotalAUM       **int64           `json:"total_aum,omitempty" nullable:"true" doc:"With every group_by except vintage. USD, over the managers whose assets are known. Null if there are managers but none of known assets." example:"310000000000"`
	AvgAUM         **int64           `json:"avg_aum,omitempty" nullable:"true" doc:"With group_by=strategy, geography and state. USD, over the managers whose assets are known, rounded down. Null if there are none." example:"381773399"`
	FundCount      **int             `json:"fund_count,omitempty" nullable:"true" doc:"With group_by=strategy and vintage. Funds that are not closed, of the managers whose number of funds is known. Null if it is known of none." example:"2940"`
	TotalGAV       **int64           `json:"total_gav,omitempty" nullable:"true" doc:"With group_by=vintage. USD, over the funds whose gross asset value is known. Null if it is known of none." example:"95000000000"`
	AvgFundSize    **int64           `json:"avg_fund_size,omitempty" nullable:"true" doc:"With group_by=vintage. USD, over the funds whose gross asset value is known, rounded down. Null if there are none." example:"32312925"`
	VintageQuality *VintageQualities `json:"vintage_quality,omitempty" doc:"With group_by=vintage. The same funds by how their vintage is known."`
	Measures       *Measures         `json:"measures,omitempty" doc:"Only with measures."`
}

// VintageQualities counts funds by how their vintage is known.
//
// Spec: not shown; it shows analysts the basis of a row of vintages in the same response.
type VintageQualities struct {
	FormD       int `json:"form_d" doc:"Funds whose vintage is the first sale in a Form D." example:"1710"`
	FirstFiling int `json:"first_filing" doc:"Funds whose vintage is the year of the first Form ADV we hold that names them." example:"1180"`
	List        int `json:"list" doc:"Funds that a list of funds named before any Form ADV we hold. They are of that year or older." example:"50"`
}

// AggregateMeta describes the answer.
type AggregateMeta struct {
	Filters map[string]any `json:"filters" doc:"The filters as applied, with their JSON types. Aliases are expanded and names are replaced by codes."`
	Total   *int           `json:"total,omitempty" doc:"Rows without the limit. Only with two groupings, min_count or limit." example:"412"`
	moment.Basis
}

// Measures are the figures of the quantities asked for, each with the statistics asked for.
//
// Spec: not shown; quantiles are nearest-rank, so that each is a value that is filed.
type Measures struct {
	TotalAUM   *AmountFigures  `json:"total_aum,omitempty" doc:"USD, over the managers of the row."`
	FundGAV    *AmountFigures  `json:"fund_gav,omitempty" doc:"USD: gross asset values of the row's funds or, without vintage in group_by, of its managers' funds that are not closed. Filters by funds apply to these."`
	FundCount  *AmountFigures  `json:"fund_count,omitempty" doc:"fund_count of the managers of the row, as in GET /v1/gps."`
	Employees  *AmountFigures  `json:"employees,omitempty" doc:"employee_count of the managers of the row."`
	AUMGrowth1 *PercentFigures `json:"aum_growth_1y,omitempty" doc:"Percent a year, over the managers of the row: the growth of GET /v1/search/growth."`
	AUMGrowth3 *PercentFigures `json:"aum_growth_3y,omitempty" doc:"The same over 3 years."`
}

// SchemaName is its name in the OpenAPI document.
func (Measures) SchemaName() string { return "AggregateMeasures" }

// AmountFigures describe whole numbers. All but known are null where it is 0.
type AmountFigures struct {
	Known  int     `json:"known" doc:"How many have a known value." example:"95"`
	Sum    **int64 `json:"sum,omitempty" nullable:"true" doc:"Sum of the known values." example:"13490000000"`
	Avg    **int64 `json:"avg,omitempty" nullable:"true" doc:"Average of the known values, rounded down." example:"142000000"`
	Median **int64 `json:"median,omitempty" nullable:"true" doc:"The value that half of the known values do not exceed (nearest rank)." example:"98000000"`
	P25    **int64 `json:"p25,omitempty" nullable:"true" doc:"The value that a quarter of the known values do not exceed." example:"41000000"`
	P75    **int64 `json:"p75,omitempty" nullable:"true" doc:"The value that three quarters of the known values do not exceed." example:"180000000"`
	Min    **int64 `json:"min,omitempty" nullable:"true" doc:"Smallest known value." example:"1000000"`
	Max    **int64 `json:"max,omitempty" nullable:"true" doc:"Largest known value." example:"2500000000"`
}

// PercentFigures are the same of percentages with two decimals.
type PercentFigures struct {
	Known  int       `json:"known" doc:"How many have a known value." example:"81"`
	Sum    **float64 `json:"sum,omitempty" nullable:"true" doc:"Sum of the known values." example:"518.4"`
	Avg    **float64 `json:"avg,omitempty" nullable:"true" doc:"Average of the known values, rounded to two decimals." example:"6.4"`
	Median **float64 `json:"median,omitempty" nullable:"true" doc:"The value that half of the known values do not exceed (nearest rank)." example:"5.25"`
	P25    **float64 `json:"p25,omitempty" nullable:"true" doc:"The value that a quarter of the known values do not exceed." example:"-1.5"`
	P75    **float64 `json:"p75,omitempty" nullable:"true" doc:"The value that three quarters of the known values do not exceed." example:"12.3"`
	Min    **float64 `json:"min,omitempty" nullable:"true" doc:"Smallest known value." example:"-40"`
	Max    **float64 `json:"max,omitempty" nullable:"true" doc:"Largest known value." example:"310.75"`
}

// shape is what rows have.
type shape struct {
	name     string // group_by, as requested
	by       []index.Grouping
	measures []measure
}

// appendAnswer appends the JSON encoding of an Aggregate; total is nil where it is not shown.
func (s *shape) appendAnswer(dst []byte, rows []index.AggregateRow, filters *listing.Applied, total *int, basis *moment.Basis) []byte {
	dst = wire.AppendString(append(dst, `{"aggregation_type":`...), s.name)
	dst = wire.AppendList(append(dst, `,"data":[`...), rows, func(dst []byte, r index.AggregateRow) []byte { return s.appendRow(dst, &r) })
	dst = filters.AppendJSON(append(dst, `],"meta":{"filters":`...))
	if total != nil {
		dst = strconv.AppendInt(append(dst, `,"total":`...), int64(*total), 10)
	}
	return append(basis.Append(append(dst, ',')), '}')
}

func (s *shape) appendRow(dst []byte, r *index.AggregateRow) []byte {
	dst = append(dst, '{')
	for _, by := range index.Groupings {
		if s.has(by) {
			dst = s.appendValue(dst, by, r)
		}
	}
	one := len(s.by) == 1
	if s.has(index.GroupVintage) {
		dst = strconv.AppendInt(append(dst, `"fund_count":`...), int64(r.FundCount), 10)
		dst = appendOf(append(dst, `,"total_gav":`...), r.TotalGAV, r.KnownGAV > 0)
		if one {
			dst = appendMean(append(dst, `,"avg_fund_size":`...), r.TotalGAV, r.KnownGAV)
			dst = strconv.AppendInt(append(dst, `,"vintage_quality":{"form_d":`...), int64(r.FormDFunds), 10)
			dst = strconv.AppendInt(append(dst, `,"first_filing":`...), int64(r.FirstFilingFunds), 10)
			dst = append(strconv.AppendInt(append(dst, `,"list":`...), int64(r.ListFunds), 10), '}')
		}
	} else {
		dst = appendAUM(dst, r)
		if one && s.by[0] != index.GroupAUMBand {
			dst = appendMean(append(dst, `,"avg_aum":`...), r.TotalAUM, r.KnownAUM)
		}
		if one && s.by[0] == index.GroupStrategy {
			dst = appendOf(append(dst, `,"fund_count":`...), int64(r.FundCount), r.KnownFunds > 0)
		}
	}
	if len(s.measures) > 0 {
		dst = append(dst, `,"measures":{`...)
		for i := range s.measures {
			m := &s.measures[i]
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = m.append(append(wire.AppendString(dst, string(m.of)), ':'), &r.Figures[i])
		}
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

func (s *shape) has(by index.Grouping) bool { return s.by[0] == by || s.by[len(s.by)-1] == by }

// appendValue appends what a row shows of one grouping, with a comma behind it.
func (s *shape) appendValue(dst []byte, by index.Grouping, r *index.AggregateRow) []byte {
	switch by {
	case index.GroupStrategy:
		dst = wire.AppendKnown(append(dst, `"strategy":`...), r.Strategy)
	case index.GroupVintage:
		dst = strconv.AppendInt(append(dst, `"vintage_year":`...), r.VintageYear, 10)
	case index.GroupGeography, index.GroupState:
		if short := by == index.GroupState && len(s.by) > 1; short {
			return append(wire.AppendKnown(append(dst, `"state":`...), r.State), ',')
		}
		dst = wire.AppendKnown(append(dst, `"country":`...), r.Country)
		dst = wire.AppendKnown(append(dst, `,"state":`...), r.State)
		dst = appendLocation(append(dst, `,"location":`...), r)
	case index.GroupAUMBand:
		dst = wire.AppendKnown(append(dst, `"aum_band":`...), r.Band)
	case index.GroupRegistration:
		dst = wire.AppendKnown(append(dst, `"registration_status":`...), r.Registration)
	case index.GroupManagerType:
		dst = wire.AppendKnown(append(dst, `"manager_type":`...), r.ManagerType)
	}
	return append(dst, ',')
}

func appendAUM(dst []byte, r *index.AggregateRow) []byte {
	dst = strconv.AppendInt(append(dst, `"gp_count":`...), int64(r.GPCount), 10)
	return appendOf(append(dst, `,"total_aum":`...), r.TotalAUM, r.KnownAUM > 0 || r.GPCount == 0)
}

// appendOf appends a sum, or null if it is unknown.
func appendOf(dst []byte, sum int64, known bool) []byte {
	if !known {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, sum, 10)
}

// appendMean appends an average.
//
// Spec: not shown what averages cover; they cover those whose amount is known, rounded down.
func appendMean(dst []byte, total int64, known int) []byte {
	if known == 0 {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, total/int64(known), 10)
}

// appendLocation appends state and country as one text, as far as they are known.
func appendLocation(dst []byte, r *index.AggregateRow) []byte {
	if r.State == "" || r.Country == "" {
		return wire.AppendKnown(dst, r.State+r.Country)
	}
	dst = wire.AppendInside(append(dst, '"'), r.State)
	dst = wire.AppendInside(append(dst, ", "...), r.Country)
	return append(dst, '"')
}
