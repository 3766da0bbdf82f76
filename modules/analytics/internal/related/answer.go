package related

import (
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/moment"
	"gpatlas/platform/wire"
)

// Related is the response, without an envelope.
type Related struct {
	SourceGP   RelatedGP   `json:"source_gp" doc:"The manager to which the others are similar."`
	SimilarGPs []SimilarGP `json:"similar_gps" doc:"Most similar first, then by nearness of assets, then by CRD. Managers that match no factor are left out."`
	Meta       RelatedMeta `json:"meta" doc:"How the managers were chosen, and the price."`
}

// RelatedGP is an adviser in related lists. Null means that no filing states it.
type RelatedGP struct {
	CRD       string  `json:"crd" doc:"CRD number of the manager." example:"900001"`
	LegalName string  `json:"legal_name" doc:"Legal name (Form ADV, item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	Strategy  *string `json:"strategy" doc:"Primary strategy: the one with the most gross asset value among the manager's funds." example:"venture"`
	AUM       *int64  `json:"aum" doc:"USD. total_aum of the fund manager." example:"100000000"`
	Location  *string `json:"location" doc:"City and state in the US, city and country elsewhere, as far as known." example:"Boston, MA"`
	FundCount *int64  `json:"fund_count" doc:"Funds that are not closed." example:"11"`
}

// SimilarGP is an adviser similar to the source.
type SimilarGP struct {
	RelatedGP
	SimilarityScore     int                 `json:"similarity_score" doc:"Sum of the points of the matching factors." example:"60"`
	SimilarityBreakdown SimilarityBreakdown `json:"similarity_breakdown" doc:"What the similarity consists of."`
}

// SimilarityBreakdown is how a score is composed.
type SimilarityBreakdown struct {
	Score   int      `json:"score" doc:"The same as similarity_score." example:"60"`
	Reasons []string `json:"reasons" doc:"One sentence for each matching factor, sorted by points. Of two numbers, the first is of this manager and the second of the source." example:"[\"Same primary strategy: venture\", \"Assets within 50 percent: $120M against $100M\"]"`
}

// RelatedMeta describes the answer.
type RelatedMeta struct {
	SimilarityFactors []string `json:"similarity_factors" doc:"Factors that were used, each once, sorted by points." example:"[\"strategy\", \"aum_band\", \"geography\"]"`
	MaxScore          int      `json:"max_score" doc:"Sum of the points of these factors." example:"90"`
	moment.Basis
}

// location formats a place, as in the unified search: city and state in the US, city and country elsewhere, as far as they are
// known.
func (s *Service) location(g *catalogapi.RelatedGP) (city, second string) {
	second = g.Country
	if g.State != "" && (second == "" || s.inUS(second)) {
		second = g.State
	}
	return g.City, second
}

func (s *Service) inUS(country string) bool {
	if country == unitedStates {
		return true
	}
	code, ok := s.words.Country(country)
	return ok && code == "US"
}

// append appends the response: the JSON encoding of a Related.
func (s *Service) append(dst []byte, r *catalogapi.Related, wanted catalogapi.Factor, basis *moment.Basis) []byte {
	dst = append(s.appendGP(append(dst, `{"source_gp":`...), &r.Source), '}')
	dst = wire.AppendList(append(dst, `,"similar_gps":[`...), r.Similar, func(dst []byte, gp catalogapi.Similar) []byte {
		return s.appendSimilar(dst, &gp, &r.Source)
	})
	dst = append(dst, `],"meta":{"similarity_factors":[`...)
	dst = wire.AppendList(dst, names(wanted), wire.AppendString)
	dst = strconv.AppendInt(append(dst, `],"max_score":`...), int64(points(wanted)), 10)
	return append(basis.Append(append(dst, ',')), '}')
}

// appendGP appends an adviser and leaves its object open.
func (s *Service) appendGP(dst []byte, g *catalogapi.RelatedGP) []byte {
	dst = wire.AppendString(append(dst, `{"crd":`...), g.CRD)
	dst = wire.AppendString(append(dst, `,"legal_name":`...), g.LegalName)
	dst = wire.AppendKnown(append(dst, `,"strategy":`...), g.Strategy)
	dst = wire.AppendNumber(append(dst, `,"aum":`...), g.AUM)
	dst = append(dst, `,"location":`...)
	switch city, second := s.location(g); {
	case city == "" && second == "":
		dst = append(dst, "null"...)
	case city == "" || second == "":
		dst = wire.AppendString(dst, city+second)
	default:
		dst = wire.AppendInside(append(dst, '"'), city)
		dst = wire.AppendInside(append(dst, ", "...), second)
		dst = append(dst, '"')
	}
	return wire.AppendNumber(append(dst, `,"fund_count":`...), g.FundCount)
}

func (s *Service) appendSimilar(dst []byte, gp *catalogapi.Similar, source *catalogapi.RelatedGP) []byte {
	dst = s.appendGP(dst, &gp.RelatedGP)
	dst = strconv.AppendInt(append(dst, `,"similarity_score":`...), int64(gp.Score), 10)
	dst = strconv.AppendInt(append(dst, `,"similarity_breakdown":{"score":`...), int64(gp.Score), 10)
	dst = append(dst, `,"reasons":[`...)
	more := false
	for _, f := range factors {
		if gp.Matched&f.bit == 0 {
			continue
		}
		if more {
			dst = append(dst, ',')
		}
		more = true
		dst = append(dst, '"')
		from := len(dst)
		dst = append(wire.EscapeTail(appendReason(dst, f.bit, &gp.RelatedGP, source), from), '"')
	}
	return append(dst, `]}}`...)
}
