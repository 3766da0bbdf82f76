package regulatory

import (
	"slices"
	"strings"
	"unicode"
)

// The families of disclosure reporting pages, with the catalog's names.
const (
	familyCriminal   = "criminal"
	familyRegulatory = "regulatory"
	familyCivil      = "civil_judicial"
)

// eventTypeOf returns the kind of a page's event.
//
// Spec: not shown; the contract distinguishes `disciplinary` and `regulatory`, Form ADV has one page for both. An action of a
// self-regulatory organization (FINRA, formerly NASD; NYSE and other exchanges; NFA), which item 11.E asks for, is
// disciplinary; one of the SEC, the CFTC, a state, another federal or a foreign authority is regulatory. The page's initiator
// type decides, else the initiator's name, else whether the page explains answers of 11.E alone.
func eventTypeOf(family, initiatorType, initiatedBy string, items []string) EventType {
	switch family {
	case familyCriminal:
		return Criminal
	case familyCivil:
		return Civil
	}
	words := wordsOf(initiatorType)
	switch {
	case slices.Contains(words, "sro"), slices.Contains(words, "self"):
		return Disciplinary
	case len(words) > 0 && !slices.Contains([]string{"other", "unknown", "na"}, strings.Join(words, "")):
		return Regulatory
	case initiatedBy != "":
		if isSelfRegulator(initiatedBy) {
			return Disciplinary
		}
		return Regulatory
	}
	if len(items) > 0 && !slices.ContainsFunc(items, func(item string) bool { return !strings.HasPrefix(item, "11.E") }) {
		return Disciplinary
	}
	return Regulatory
}

// selfRegulators are the short names of self-regulatory organizations of the US, including former ones.
var selfRegulators = []string{
	"amex", "boxx", "cboe", "cbot", "chx", "cme", "comex", "finra", "iex", "isex", "memx", "nasd", "nasdaq", "nfa", "nyfe", "nymex", "nyse", "phlx",
}

// isSelfRegulator recognizes a self-regulatory organization by its name. The Securities and Exchange Commission is none.
func isSelfRegulator(name string) bool {
	words := wordsOf(name)
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(selfRegulators, w) }) {
		return true
	}
	plain := " " + strings.Join(words, " ") + " "
	for _, part := range []string{
		" financial industry regulatory authority ", " national association of securities dealers ", " national futures association ",
		" stock exchange ", " options exchange ", " mercantile exchange ", " board of trade ", " self regulatory ",
	} {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return false
}

// filedAgainst parses the subject of a disclosure page: "Firm", "Affiliates", "Both", or the form's own sentences ("You and one or
// more of your advisory affiliates").
func filedAgainst(filed string) *FiledAgainst {
	words := wordsOf(filed)
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

// familyOf parses the type in an advisory affiliate's row or the firm search: "Regulatory Action", "Civil Judicial Action",
// "Criminal". Empty = none of the three families.
func familyOf(disclosureType string) string {
	words := wordsOf(disclosureType)
	if len(words) == 0 {
		return ""
	}
	return map[string]string{"criminal": familyCriminal, "regulatory": familyRegulatory, "civil": familyCivil}[words[0]]
}

// wordsOf are the words of a text in lower case, without other characters than letters and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// fold normalizes texts for comparison: case, spaces and signs.
func fold(text string) string { return strings.Join(wordsOf(text), "") }
