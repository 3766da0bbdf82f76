package derive

import (
	"strings"

	"gpatlas/modules/catalog/internal/text"
)

// legalForms say how a firm is organized, not which one it is.
var legalForms = set(`llc lc lp llp lllp pllc pc inc incorporated corp corporation co company ltd limited plc gmbh ag kg
	sa sarl sas srl spa sl bv nv ab as asa aps oy oyj pte pty pvt kk ltda lda sgr sicav ulc unlimited se ev`)

// genericWords are borne by so many firms that they distinguish none, and by the affiliates of one firm in turn.
var genericWords = set(`capital management managements mgmt manager managers advisor advisors adviser advisers advisory
	partner partners partnership investment investments investor investors investing asset assets group groups holding
	holdings global international worldwide fund funds financial finance equity equities private public wealth services
	gp associates associate ventures venture growth credit real estate realty infrastructure strategy strategies
	strategic securities solutions alternative alternatives opportunities opportunity trust trustees the and of for de
	us usa uk eu europe european asia asian america americas american north pacific new york london hong kong singapore
	china india japan cayman ireland luxembourg jersey guernsey i ii iii iv v vi vii viii ix x`)

// NameStem reduces a firm's name to what its affiliates share: the normalized name without legal forms and generic
// words. A name made of nothing else keeps what the next weaker cut leaves of it.
//
// Spec: not shown; advisers with one website domain and one stem count as one organization (canonical_gp_id).
func NameStem(name string) string {
	words := text.Words(name)
	if stem := without(words, legalForms, genericWords); stem != "" {
		return stem
	}
	if stem := without(words, legalForms); stem != "" {
		return stem
	}
	return strings.Join(words, " ")
}

func without(words []string, sets ...map[string]bool) string {
	kept := make([]string, 0, len(words))
next:
	for _, w := range words {
		for _, s := range sets {
			if s[w] {
				continue next
			}
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
