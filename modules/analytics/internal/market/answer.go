package market

import (
	"strconv"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/wire"
)

// Aggregate is the response, without an envelope.
type Aggregate struct {
	AggregationType string         `json:"aggregation_type" enum:"strategy,vintage,geography,aum_band,state" doc:"group_by, as requested." example:"strategy"`
	Data            []AggregateRow `json:"data" doc:"Strategies, places and states are sorted by number of managers, most first. Vintages and bands are ascending."`
	Meta            AggregateMeta  `json:"meta" doc:"What the totals are computed from, and the price."`
}

// AggregateRow is one group. It has exactly the fields of its grouping, those that are not known as null:
//
//	strategy          strategy, gp_count, total_aum, avg_aum, fund_count
//	vintage           vintage_year, fund_count, total_gav, avg_fund_size, vintage_quality
//	geography, state  country, state, location, gp_count, total_aum, avg_aum
//	aum_band          aum_band, gp_count, total_aum
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
	AUMBand        *string           `json:"aum_band,omitempty" enum:"<100M,100M-500M,500M-1B,1B-10B,>10B" doc:"With group_by=aum_band. USD. The lower bound is part of the band, the upper bound is not. All five bands are listed. Managers of unknown assets are in none." example:"100M-500M"`
	GPCount        *int              `json:"gp_count,omitempty" doc:"With every group_by except vintage. Number of fund managers." example:"812"`
	TotalAUM       **int64           `json:"total_aum,omitempty" nullable:"true" doc:"With every group_by except vintage. USD, over the managers whose assets are known. Null if there are managers but none of known assets." example:"310000000000"`
	AvgAUM         **int64           `json:"avg_aum,omitempty" nullable:"true" doc:"With group_by=strategy, geography and state. USD, over the managers whose assets are known, rounded down. Null if there are none." example:"381773399"`
	FundCount      **int             `json:"fund_count,omitempty" nullable:"true" doc:"With group_by=strategy and vintage. Funds that are not closed, of the managers whose number of funds is known. Null if it is known of none." example:"2940"`
	TotalGAV       **int64           `json:"total_gav,omitempty" nullable:"true" doc:"With group_by=vintage. USD, over the funds whose gross asset value is known. Null if it is known of none." example:"95000000000"`
	AvgFundSize    **int64           `json:"avg_fund_size,omitempty" nullable:"true" doc:"With group_by=vintage. USD, over the funds whose gross asset value is known, rounded down. Null if there are none." example:"32312925"`
	VintageQuality *VintageQualities `json:"vintage_quality,omitempty" doc:"With group_by=vintage. The same funds by how their vintage is known."`
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
	Filters AggregateFilters `json:"filters" doc:"The filters as applied. Aliases are expanded and names are replaced by codes."`
	ask.Basis
}

// AggregateFilters are the requested filters, in alphabetical order.
type AggregateFilters struct {
	Country        *string `json:"country,omitempty" doc:"Code of the country of the manager's main office. Absent if it was not sent." example:"US"`
	Former         *bool   `json:"former,omitempty" doc:"Only when it is true." example:"true"`
	MaxVintage     *int64  `json:"max_vintage,omitempty" doc:"Latest vintage year that counts. Absent if it was not sent." example:"2024"`
	MinAUM         *int64  `json:"min_aum,omitempty" doc:"Least assets under management of a manager, in whole USD. Absent if it was not sent." example:"100000000"`
	MinVintage     *int64  `json:"min_vintage,omitempty" doc:"Earliest vintage year that counts. Absent if it was not sent." example:"2015"`
	Strategy       *string `json:"strategy,omitempty" doc:"Strategies, separated by commas." example:"buyout,growth,secondaries"`
	VintageQuality *string `json:"vintage_quality,omitempty" doc:"How the vintage must be known: form_d, first_filing or list. Absent if it was not sent." example:"form_d"`
}

// appendAnswer appends the JSON encoding of an Aggregate.
func appendAnswer(dst []byte, by catalogapi.Grouping, a *catalogapi.Aggregation, filters *AggregateFilters, basis *ask.Basis) []byte {
	dst = wire.AppendString(append(dst, `{"aggregation_type":`...), string(by))
	dst = wire.AppendList(append(dst, `,"data":[`...), a.Rows, func(dst []byte, r catalogapi.AggregateRow) []byte {
		return appendRow(dst, by, &r)
	})
	dst = filters.append(append(dst, `],"meta":{"filters":`...))
	return append(basis.Append(append(dst, ',')), '}')
}

func appendRow(dst []byte, by catalogapi.Grouping, r *catalogapi.AggregateRow) []byte {
	switch by {
	case catalogapi.ByStrategy:
		dst = wire.AppendKnown(append(dst, `{"strategy":`...), r.Strategy)
		dst = appendAUM(append(dst, ','), r)
		dst = appendMean(append(dst, `,"avg_aum":`...), r.TotalAUM, r.KnownAUM)
		dst = appendOf(append(dst, `,"fund_count":`...), int64(r.FundCount), r.KnownFunds > 0)
	case catalogapi.ByVintage:
		dst = strconv.AppendInt(append(dst, `{"vintage_year":`...), r.VintageYear, 10)
		dst = strconv.AppendInt(append(dst, `,"fund_count":`...), int64(r.FundCount), 10)
		dst = appendOf(append(dst, `,"total_gav":`...), r.TotalGAV, r.KnownGAV > 0)
		dst = appendMean(append(dst, `,"avg_fund_size":`...), r.TotalGAV, r.KnownGAV)
		dst = strconv.AppendInt(append(dst, `,"vintage_quality":{"form_d":`...), int64(r.FormDFunds), 10)
		dst = strconv.AppendInt(append(dst, `,"first_filing":`...), int64(r.FirstFilingFunds), 10)
		dst = append(strconv.AppendInt(append(dst, `,"list":`...), int64(r.ListFunds), 10), '}')
	case catalogapi.ByGeography, catalogapi.ByState:
		dst = wire.AppendKnown(append(dst, `{"country":`...), r.Country)
		dst = wire.AppendKnown(append(dst, `,"state":`...), r.State)
		dst = appendLocation(append(dst, `,"location":`...), r)
		dst = appendAUM(append(dst, ','), r)
		dst = appendMean(append(dst, `,"avg_aum":`...), r.TotalAUM, r.KnownAUM)
	case catalogapi.ByAUMBand:
		dst = wire.AppendString(append(dst, `{"aum_band":`...), r.Band)
		dst = appendAUM(append(dst, ','), r)
	}
	return append(dst, '}')
}

func appendAUM(dst []byte, r *catalogapi.AggregateRow) []byte {
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
func appendLocation(dst []byte, r *catalogapi.AggregateRow) []byte {
	if r.State == "" || r.Country == "" {
		return wire.AppendKnown(dst, r.State+r.Country)
	}
	dst = wire.AppendInside(append(dst, '"'), r.State)
	dst = wire.AppendInside(append(dst, ", "...), r.Country)
	return append(dst, '"')
}

func (f *AggregateFilters) append(dst []byte) []byte {
	dst = append(dst, '{')
	name := func(name string) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), '"', ':')
	}
	word := func(key string, v *string) {
		if v != nil {
			name(key)
			dst = wire.AppendString(dst, *v)
		}
	}
	number := func(key string, v *int64) {
		if v != nil {
			name(key)
			dst = strconv.AppendInt(dst, *v, 10)
		}
	}
	word("country", f.Country)
	if f.Former != nil {
		name("former")
		dst = strconv.AppendBool(dst, *f.Former)
	}
	number("max_vintage", f.MaxVintage)
	number("min_aum", f.MinAUM)
	number("min_vintage", f.MinVintage)
	word("strategy", f.Strategy)
	word("vintage_quality", f.VintageQuality)
	return append(dst, '}')
}
