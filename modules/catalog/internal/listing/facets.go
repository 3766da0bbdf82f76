package listing

import (
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
	"gpatlas/platform/wire"
)

// FacetsInput asks a search how many rows have each value of some filters.
type FacetsInput struct {
	Facets     httpapi.Opt[string] `query:"facets" example:"strategy" doc:"Filters whose values are counted in meta.facets, separated by commas. Managers: state, strategy, aum_band, registration_status, has_funds, manager_type, country. Funds: strategy, status, vintage_year, jurisdiction, vintage_quality, has_auditor. Each count is the total of the same search with that value. limit=0 returns the counts alone."`
	FacetLimit httpapi.Opt[int]    `query:"facet_limit" minimum:"1" maximum:"100" example:"20" doc:"Maximum values of each facet, 1 to 100 (default 20). Values that the search asks for are always listed."`
}

// Facet is the counts of one filter.
type Facet struct {
	Values   []index.FacetValue `json:"values" doc:"The values of most rows, the highest count first, and those that the search asks for."`
	Distinct int                `json:"distinct" doc:"Values that some row has." example:"35"`
	Other    int                `json:"other" doc:"Rows with other values than those listed." example:"96"`
	Unknown  int                `json:"unknown" doc:"Rows without a value that can be asked for." example:"18"`
}

// facetLimit is the number of values that are listed if the caller sends none.
const facetLimit = 20

// Facets takes the facets of a search, which has those that are known. Only with some of them a page may have no rows.
func (c *Check) Facets(in *FacetsInput, p *page.Counted, known []string) (names []string, limit int) {
	if !in.Facets.Set {
		if p.Limit.Set && p.Limit.Value == 0 {
			c.Fault("limit", "must be a whole number from 1 to %d; 0 needs facets", page.MaxLimit)
		}
		return nil, 0
	}
	for part := range strings.SplitSeq(in.Facets.Value, comma) {
		switch name := strings.TrimSpace(part); {
		case !slices.Contains(known, name):
			c.Fault("facets", "%q cannot be counted; send one or more of %s%s", apperr.Short(part), strings.Join(known, ", "), httpapi.DidYouMean(apperr.Short(part), known))
			return nil, 0
		case !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	return names, in.FacetLimit.Or(facetLimit)
}

// appendFacets appends the facets of an answer, which are sorted by name, as encoding/json writes a map of Facet.
func appendFacets(dst []byte, facets []index.Facet) []byte {
	dst = append(dst, `,"facets":{`...)
	for i := range facets {
		f := &facets[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, f.Name)
		dst = wire.AppendList(append(dst, `:{"values":[`...), f.Values, func(dst []byte, v index.FacetValue) []byte {
			dst = wire.AppendString(append(dst, `{"value":`...), v.Value)
			dst = strconv.AppendInt(append(dst, `,"count":`...), int64(v.Count), 10)
			return append(strconv.AppendBool(append(dst, `,"selected":`...), v.Selected), '}')
		})
		dst = strconv.AppendInt(append(dst, `],"distinct":`...), int64(f.Distinct), 10)
		dst = strconv.AppendInt(append(dst, `,"other":`...), int64(f.Other), 10)
		dst = append(strconv.AppendInt(append(dst, `,"unknown":`...), int64(f.Unknown), 10), '}')
	}
	return append(dst, '}')
}
