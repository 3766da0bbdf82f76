package related

import (
	"context"
	"net/http"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/moment"
	"gpatlas/platform/wire"
)

// priceMicros is the price of a request in micro-dollars.
const priceMicros = 150_000

// defaultLimit is the contract's.
const defaultLimit = 10

// Service finds similar advisers.
type Service struct {
	analysis catalogapi.Analysis
	words    catalogapi.Vocabulary
	clock    clock.Clock
	pricing  charge.Pricing
}

// NewService makes the service.
func NewService(analysis catalogapi.Analysis, words catalogapi.Vocabulary, clk clock.Clock) *Service {
	return &Service{analysis: analysis, words: words, clock: clk, pricing: charge.NewPricing(priceMicros, charge.PerRequest)}
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes is the operation of the slice.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/related", "get-gp-related", s.related,
			httpapi.Summary("List similar fund managers"), httpapi.Describe(relatedText), httpapi.Tag("History and analytics"),
			httpapi.Charge(priceMicros, charge.PerRequest), httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}
}

const relatedText = "Returns the fund managers that are most similar to this one, by the points of the requested factors: `strategy` 40 for the same primary strategy, `aum_band` 30 for assets within 50 percent of its own, `geography` 20 for the same state or country, `fund_count` 10 for a fund count within 30 percent. Unknown values never match. Managers that have withdrawn or are no longer listed are left out of the results. You can still request the list of such a manager.\n\n" +
	"With `as_of` and `known_at`, all data are as of that time. The first request for a time takes some seconds, and counts as 10 in the rate limits. One caller can wait for three times at once; a request for a fourth returns 429 with `Retry-After`. `calculated_at` is when the index behind the response was built, so that the same response keeps its entity tag.\n\n" +
	"A response without similar managers is not charged."

// Input asks for the advisers that are most like one.
type Input struct {
	catalogapi.GPPath
	SimilarityFactors httpapi.Opt[string] `query:"similarity_factors" example:"strategy,aum_band,geography" doc:"Factors to use, separated by commas: strategy, aum_band, geography, fund_count (default strategy,aum_band,geography)."`
	Limit             httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"25" example:"10" doc:"Maximum number of fund managers, 1 to 25 (default 10)."`
	ask.Moment
}

// Faults are the faults that the parameters' schemas cannot express.
func (in *Input) Faults() []apperr.FieldError {
	if _, fault := in.factors(); fault != nil {
		return []apperr.FieldError{*fault}
	}
	return nil
}

func (in *Input) factors() (catalogapi.Factor, *apperr.FieldError) {
	if list, ok := in.SimilarityFactors.Get(); ok {
		return parseFactors(list)
	}
	return defaultFactors, nil
}

func (s *Service) related(ctx context.Context, in *Input) (*httpapi.Reply[Related], error) {
	wanted, fault := in.factors()
	at, err := in.Resolve(s.clock)
	if fault != nil {
		faults := []apperr.FieldError{*fault}
		if err != nil {
			faults = append(faults, apperr.From(err).Fields...)
		}
		return nil, apperr.Invalid(faults...)
	}
	if err != nil {
		return nil, err
	}
	r, ok, err := s.analysis.Related(ctx, catalogapi.RelatedQuery{CRD: in.CRD, Factors: wanted, Limit: in.Limit.Or(defaultLimit)}, at)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, apperr.NotFound(catalogapi.NoGP, in.CRD)
	}
	basis := moment.NewBasis(r.BuiltAt, s.pricing, at.Day, at.Known)
	reply := wire.Write[Related](func(dst []byte) []byte { return s.append(dst, &r, wanted, &basis) })
	reply.Free = len(r.Similar) == 0
	return reply, nil
}
