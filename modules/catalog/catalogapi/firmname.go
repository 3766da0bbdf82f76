package catalogapi

import (
	"iter"
	"maps"
	"strings"
)

// LegalForm is how surely a word is a legal form, which states how a firm is organized ("LLC"), not which firm it is.
type LegalForm int

// From no legal form to the surest.
const (
	NoForm        LegalForm = iota
	FormAtEnd               // at the end of a firm's name: elsewhere a word of other meanings
	FormOfFirm              // anywhere in a firm's name; people are called so too
	FormNotOfName           // behind the first word of any name: no person is called so, but a name may begin so
	FormAnywhere            // neither a word nor a name nor initials
)

// legalForms are the legal forms in lower case, without full stops and accents.
var legalForms = func() map[string]LegalForm {
	all := map[string]LegalForm{}
	for form, words := range map[LegalForm]string{
		FormAnywhere:  "llc llp lllp pllc inc ltd plc gmbh kgaa sarl scsp sicav icav pte pty pvt sdn bhd ltda",
		FormNotOfName: "lp incorporated limited corp corporation company",
		FormOfFirm:    "co ag sa nv bv",
		FormAtEnd: `ab ad ae ans as asa aps cv dac doo elp eurl fcp gk godo hb kabushiki kaisha kft kg kk ks lc lda ldc oo oy oyj partnership pc pjsc
			ps raif rl sas sca scs se sgr sicar sif sl slp slu snc spa spc srl sro ug ulc vcc zoo`,
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = form
		}
	}
	return all
}()

// LegalForms are the legal forms, in lower case, with how sure they are.
func LegalForms() iter.Seq2[string, LegalForm] { return maps.All(legalForms) }

// LegalFormOf returns how surely a word is a legal form. It has no full stops and accents.
func LegalFormOf(word string) LegalForm { return legalForms[strings.ToLower(word)] }

// WithoutFormsAtEnd removes the legal forms at the end of a name's words. The first word stays.
func WithoutFormsAtEnd(words []string) []string {
	for len(words) > 1 && LegalFormOf(words[len(words)-1]) != NoForm {
		words = words[:len(words)-1]
	}
	return words
}

// firmWords are words, in lower case, that occur in the names of firms and trusts, and in no person's name after the first word.
var firmWords = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(`trust foundation holdings holding capital partners partnership advisors advisers management group fund estate
		associates ventures investments securities family esop`) {
		all[word] = true
	}
	return all
}()

// IsFirm reports whether the words of a name, which have no full stops and accents, are those of a firm or trust, and not of a person.
//
// Spec: not shown; neither Schedule A nor Form D states it reliably.
func IsFirm(words []string) bool {
	for i, word := range words {
		form := LegalFormOf(word)
		if form == FormAnywhere || (form == FormNotOfName || firmWords[strings.ToLower(word)]) && (i > 0 || len(words) == 1) {
			return true
		}
	}
	return false
}
