package derive

import (
	"slices"
	"strings"
	"time"
)

// Rules by which Form D speaks of a fund, shared by the current rows and the fold of an earlier day. A chain is a notice
// with its amendments.

// Exemptions reads the codes of a notice's item 6 as exemption types, sorted: 506b and 506c.
//
// Spec: not shown; the plain code 06 is Rule 506 before 23 September 2013, which forbade general solicitation: today's
// 506(b). The codes 3C.1 and 3C.7 are not read: is_3c1 and is_3c7 stay what Form ADV states, because the
// adviser files it every year, while a notice is never corrected once its offering is over.
func Exemptions(codes []string) []string {
	var out []string
	for name, of := range ExemptionCodes {
		if slices.ContainsFunc(codes, func(code string) bool { return slices.Contains(of, strings.ToLower(strings.TrimSpace(code))) }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// ExemptionCodes are the codes of a notice by the exemptions that they are.
var ExemptionCodes = map[string][]string{"506b": {"06", "06b"}, "506c": {"06c"}}

// FirstSale reports whether a notice's date of first sale can be right: not before 1900, and not after the day on which the
// notice was filed, for a sale to come is to be marked "yet to occur".
func FirstSale(sale, filed time.Time) bool { return sale.Year() >= 1900 && !sale.After(filed) }

// FirstSaleSQL is FirstSale of a notice o: see TestRulesInSQL.
const FirstSaleSQL = "o.first_sale BETWEEN '1900-01-01' AND o.filing_date"
