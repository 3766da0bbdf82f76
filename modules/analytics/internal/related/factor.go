package related

import (
	"fmt"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// factor is one property in which advisers can be similar, under the name that callers use.
type factor struct {
	name string
	bit  catalogapi.Factor
}

// factors are in the order of the contract, which is that of their points.
var factors = [...]factor{
	{"strategy", catalogapi.FactorStrategy},
	{"aum_band", catalogapi.FactorAUMBand},
	{"geography", catalogapi.FactorGeography},
	{"fund_count", catalogapi.FactorFundCount},
}

// factorNames is the list of valid values, for messages.
const factorNames = "strategy, aum_band, geography, fund_count"

// defaultFactors is the contract's default.
const defaultFactors = catalogapi.FactorStrategy | catalogapi.FactorAUMBand | catalogapi.FactorGeography

// parseFactors parses names separated by commas. Duplicates count once.
func parseFactors(list string) (wanted catalogapi.Factor, fault *apperr.FieldError) {
next:
	for part := range strings.SplitSeq(list, ",") {
		name := strings.TrimSpace(part)
		for _, f := range factors {
			if name == f.name {
				wanted |= f.bit
				continue next
			}
		}
		message := "has an empty item between two commas"
		if name != "" {
			message = fmt.Sprintf("%q is not a factor", apperr.Short(name))
		}
		return 0, &apperr.FieldError{Field: "similarity_factors", Message: message + "; the factors are " + factorNames + httpapi.DidYouMean(name, strings.Split(factorNames, ", "))}
	}
	return wanted, nil
}

// names lists factors by name, in the order of the contract.
func names(of catalogapi.Factor) []string {
	list := make([]string, 0, len(factors))
	for _, f := range factors {
		if of&f.bit != 0 {
			list = append(list, f.name)
		}
	}
	return list
}

// points is the maximum of some factors together.
func points(of catalogapi.Factor) (sum int) {
	for _, f := range factors {
		if of&f.bit != 0 {
			sum += f.bit.Points()
		}
	}
	return sum
}
