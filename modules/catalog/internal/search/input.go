package search

import (
	"strings"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
)

// UnifiedInput is the parameters of the unified search.
type UnifiedInput struct {
	Q     httpapi.Opt[string] `query:"q" required:"true" minLength:"2" example:"rowan" doc:"Text to find, 2 to 200 characters: words in any order, beginnings of words, and one typing error in a word of five letters or more."`
	Types httpapi.Opt[string] `query:"types" example:"gp,fund" doc:"Types to search, separated by commas: gp, fund (default both)."`
	Limit httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"20" example:"5" doc:"Maximum results of each type, 1 to 20 (default 5)."`
}

// AutocompleteInput is the parameters of the typeahead.
type AutocompleteInput struct {
	Q     httpapi.Opt[string] `query:"q" required:"true" minLength:"2" example:"aldr" doc:"Text typed so far, 2 to 200 characters."`
	Type  httpapi.Opt[string] `query:"type" enum:"gp,fund,all" example:"gp" doc:"Type to suggest (default all)."`
	Limit httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"20" example:"10" doc:"Maximum entries, 1 to 20 (default 10)."`
}

// SuggestionsInput is the parameters of the name suggestions.
type SuggestionsInput struct {
	Q     httpapi.Opt[string] `query:"q" required:"true" minLength:"2" example:"aldr" doc:"Text typed so far, 2 to 200 characters."`
	Limit httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"20" example:"5" doc:"Maximum suggestions, 1 to 20 (default 5)."`
}

// The limits that hold when the caller sends none.
const (
	unifiedLimit      = 5
	autocompleteLimit = 10
	suggestionsLimit  = 5
)

// kinds reads a comma-separated list of gp and fund.
func kinds(c *listing.Check, o httpapi.Opt[string]) index.Kind {
	if !o.Set {
		return index.KindAll
	}
	var gp, fund bool
	for part := range strings.SplitSeq(o.Value, ",") {
		switch strings.TrimSpace(part) {
		case "gp":
			gp = true
		case "fund":
			fund = true
		default:
			c.Fault("types", "must be gp, fund, or both separated by a comma%s", httpapi.DidYouMean(part, []string{"gp", "fund"}))
			return index.KindAll
		}
	}
	switch {
	case !fund:
		return index.KindGP
	case !gp:
		return index.KindFund
	}
	return index.KindAll
}

func kind(o httpapi.Opt[string]) index.Kind {
	switch o.Value {
	case "gp":
		return index.KindGP
	case "fund":
		return index.KindFund
	}
	return index.KindAll
}
