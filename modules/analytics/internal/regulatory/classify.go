package regulatory

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// filedAgainst parses the subject of a disclosure page: "Firm", "Affiliates", "Both", or the form's own sentences ("You and one or
// more of your advisory affiliates").
func filedAgainst(filed string) *FiledAgainst {
	words := catalogapi.PlainWords(filed)
	has := func(some ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(some, w) })
	}
	firm, affiliate := has("firm", "you"), has("affiliate", "affiliates")
	switch {
	case has("both"), firm && affiliate:
		return new(AgainstBoth)
	case affiliate:
		return new(AgainstAffiliate)
	case firm:
		return new(AgainstFirm)
	}
	return nil
}
