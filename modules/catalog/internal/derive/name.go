package derive

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// genericWords are borne by so many firms that they distinguish none, and by the affiliates of one firm in turn.
var genericWords = text.SetOf(`capital management managements mgmt manager managers advisor advisors adviser advisers advisory
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
	own := withoutForms(words)
	if stem := strings.Join(slices.DeleteFunc(slices.Clone(own), func(w string) bool { return genericWords[w] }), " "); stem != "" {
		return stem
	}
	if len(own) > 0 {
		return strings.Join(own, " ")
	}
	return strings.Join(words, " ")
}

// withoutForms is the words of a firm's name without legal forms.
func withoutForms(words []string) []string {
	return slices.DeleteFunc(slices.Clone(catalogapi.WithoutFormsAtEnd(words)), func(w string) bool {
		return catalogapi.LegalFormOf(w) >= catalogapi.FormOfFirm
	})
}
