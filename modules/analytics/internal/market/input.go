package market

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// Input asks for one grouping.
type Input struct {
	GroupBy        string              `query:"group_by" required:"true" enum:"strategy,vintage,geography,aum_band,state" example:"strategy" doc:"What to group by: strategy (primary strategy of the managers), vintage (of funds), geography (country and state of the main office), aum_band, or state (US states)."`
	Country        httpapi.Opt[string] `query:"country" example:"US" doc:"Country of the manager's main office: ISO 3166 alpha-2 code (UK and GB mean the same) or a name."`
	Strategy       httpapi.Opt[string] `query:"strategy" example:"venture" doc:"Primary strategy of the manager; with group_by=vintage, the strategy of the fund. One of buyout, growth, venture, real-estate, infrastructure, credit, hedge, secondaries, fund-of-funds, liquidity, securitized, other, or an alias: PE, VC, Hedge, RealEstate, Credit. Separate several with commas."`
	MinAUM         httpapi.Opt[int64]  `query:"min_aum" minimum:"0" example:"100000000" doc:"Minimum assets of the manager, USD. Managers of unknown assets never match."`
	MinVintage     httpapi.Opt[int64]  `query:"min_vintage" minimum:"1900" maximum:"2200" example:"2015" doc:"Earliest vintage year. With group_by=vintage, of the fund. Otherwise the manager must have a fund within the bounds that is not closed."`
	MaxVintage     httpapi.Opt[int64]  `query:"max_vintage" minimum:"1900" maximum:"2200" example:"2024" doc:"Latest vintage year."`
	VintageQuality httpapi.Opt[string] `query:"vintage_quality" enum:"form_d,first_filing,list" example:"form_d" doc:"How the vintage is known: by the first sale in a Form D, by the first Form ADV that names the fund, or by a list of funds only (the year is then the latest that it can be). Applies to the same fund as the vintage bounds."` // Spec: not shown; as in the search of funds.
	Former         httpapi.Opt[bool]   `query:"former" example:"false" doc:"Counts former managers and their funds (true) instead of current ones (false, the default). Former managers have withdrawn, or no current list names them; with as_of, those that were former then."`                                                                    // Spec: not shown; as in the search of managers.
	ask.Moment
}

// maxWords is how long the name of a country may be, in characters.
const maxWords = 100

// Faults are the faults that the parameters' schemas cannot express and that need no vocabulary.
func (in *Input) Faults() []apperr.FieldError {
	low, high := in.MinVintage, in.MaxVintage
	if low.Set && high.Set && low.Value > high.Value {
		return []apperr.FieldError{{
			Field: "min_vintage", Message: fmt.Sprintf("must not be greater than max_vintage (%d > %d)", low.Value, high.Value),
		}}
	}
	return nil
}

// query is the index's query, with the parsed filters. All faults are returned at once.
func (in *Input) query(words catalogapi.Vocabulary) (q catalogapi.AggregateQuery, applied AggregateFilters, faults []apperr.FieldError) {
	q = catalogapi.AggregateQuery{
		GroupBy: catalogapi.Grouping(in.GroupBy),
		MinAUM:  in.MinAUM.Ptr(), MinVintage: in.MinVintage.Ptr(), MaxVintage: in.MaxVintage.Ptr(),
		VintageQuality: catalogapi.VintageQuality(in.VintageQuality.Value), Former: in.Former.Value,
	}
	applied = AggregateFilters{MinAUM: q.MinAUM, MinVintage: q.MinVintage, MaxVintage: q.MaxVintage, VintageQuality: in.VintageQuality.Ptr()}
	if q.Former {
		applied.Former = &q.Former
	}
	if word, ok := in.Country.Get(); ok {
		place, fault := country(word, words)
		if fault != "" {
			faults = append(faults, apperr.FieldError{Field: "country", Message: fault})
		}
		q.Country, applied.Country = place, &place
	}
	if list, ok := in.Strategy.Get(); ok {
		all, fault := catalogapi.Strategies(words, list, httpapi.DidYouMean)
		if fault != "" {
			faults = append(faults, apperr.FieldError{Field: "strategy", Message: fault})
		}
		q.Strategies, applied.Strategy = all, new(strings.Join(all, ","))
	}
	return q, applied, append(faults, in.Faults()...)
}

// country is the code of a country, or its filed name if it has none.
func country(word string, words catalogapi.Vocabulary) (place, fault string) {
	if code, ok := words.Country(word); ok {
		return code, ""
	}
	name := strings.TrimSpace(word)
	switch n := utf8.RuneCountInString(name); {
	case n > maxWords:
		return "", fmt.Sprintf("must have 1 to %d characters", maxWords)
	case !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "", "must contain a letter or a digit"
	case n <= 2, !words.FilesCountry(name):
		return "", fmt.Sprintf("%q is not a country; send its ISO 3166 alpha-2 code, such as US, or its name%s",
			short(name), httpapi.DidYouMean(short(name), words.CountryNames()))
	}
	return name, ""
}

// short shortens a caller's text for a response.
func short(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
