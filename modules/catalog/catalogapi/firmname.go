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

// WithoutFormsAtEnd removes the legal forms at the end of a name's words, spelled out or not. The first word stays.
func WithoutFormsAtEnd(words []string) []string {
	for len(words) > 1 && LegalFormOf(words[len(words)-1]) != NoForm {
		cut := 1
		if f := spelledAtEnd(words); f != nil {
			cut = len(f.Words)
		}
		words = words[:len(words)-cut]
	}
	return words
}

// NameSigns reports whether a name has words of firms or of vehicles. A name without such words may be a person's.
type NameSigns struct {
	Firm    bool // only a firm is called so
	Usual   bool // firms are mostly called so, and trusts that people name after themselves
	Vehicle bool // a trust, an estate, a retirement account or a family vehicle, with a legal form or without
}

// signWords are the words of firms and vehicles, besides legal forms.
var signWords = func() map[string]NameSigns {
	all := map[string]NameSigns{}
	for signs, words := range map[NameSigns]string{
		{Firm: true}: "bancorp bancshares insurance assurance university foundation sas srl spa bv nv aps oyj ulc pc pa plt cpas",
		{Usual: true}: `capital management mgmt advisors advisers advisory partners partnership investments investors holding holdings fund funds financial
			ventures securities solutions associates brokerage global international group gp bank audit auditors accountants custody custodian depository
			clearing`,
		{Vehicle: true}: "trust trusts estate ira family revocable irrevocable living descendants fbo ugma utma esop dba",
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = signs
		}
	}
	return all
}()

// personWords are those of signWords that are names or initials of people too.
var personWords = map[string]bool{"bank": true, "gp": true, "pc": true, "pa": true, "dba": true, "sas": true, "spa": true, "bv": true, "nv": true, "ira": true}

// SignsOf returns the signs of a name's words, which have no full stops and accents. Words of firms do not count at the beginning, because
// schedules write a person's last name first.
func SignsOf(words []string) NameSigns { return signsOf(words, false) }

// signsOf is SignsOf. If surely is true, all signs must be behind the first word, and words that are names or initials of people too do not count.
func signsOf(words []string, surely bool) (all NameSigns) {
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return strings.ToLower(words[i])
	}
	for i := range words {
		word := at(i)
		behind := i > 0 || len(words) == 1 || at(1) == "of"
		form, signs := LegalFormOf(word), signWords[word]
		switch {
		case form == FormAnywhere, form == FormNotOfName && behind, word == "co" && i > 1 && at(i-1) == "and":
			all.Firm = true
		case surely && (personWords[word] || !behind):
		case word == "estate" && at(i-1) == "real":
			all.Usual = true
		case word == "trust" && (trustCompany[at(i+1)] || at(i-1) == "bank" || at(i-2) == "bank" && at(i-1) == "and"),
			i > 1 && i == len(words)-1 && form != NoForm && LegalFormOf(at(i-1)) != NoForm: // "S.à r.l."
			all.Firm = true
		case word == "bank" && !bankName(at(i+1)), word == "d" && at(i+1) == "b" && at(i+2) == "a":
			all.Vehicle = all.Vehicle || word == "d" // a person who does business under another name
		default:
			all.Firm = all.Firm || signs.Firm && behind
			all.Usual = all.Usual || signs.Usual && behind
			all.Vehicle = all.Vehicle || signs.Vehicle
		}
	}
	return all
}

// bankName reports whether a word may follow "bank" in the name of one: people are called Bank too.
func bankName(next string) bool {
	return next == "" || next == "and" || next == "of" || next == "trust" || LegalFormOf(next) != NoForm || trustCompany[next]
}

// trustCompany are words behind "trust" in the names of banks.
var trustCompany = map[string]bool{"company": true, "co": true, "corporation": true, "corp": true, "bank": true, "na": true}

// MarksPerson reports whether a row of Schedule A or B is marked as an individual's or not marked. Filers mark some firms and people wrongly: module people
// therefore leaves out names for which IsFirm is true, and derive.OwnsAsPerson adds names that are written as people are.
func MarksPerson(entityType *string) bool { return entityType == nil || *entityType == "I" }

// MarksPersonSQL is MarksPerson of the row $: see TestRulesInSQL.
const MarksPersonSQL = "coalesce($.entity_type, 'I') = 'I'"

// IsFirm reports whether the words of a name, which have no full stops and accents, are those of a firm or trust, and not of a person.
//
// Spec: not shown; neither Schedule A nor Form D states it reliably. Where a word may be a person's name, the name is: no person is lost.
func IsFirm(words []string) bool { return signsOf(words, true) != (NameSigns{}) }
