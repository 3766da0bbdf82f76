package catalogapi

import (
	"slices"
	"strings"
	"unicode"
)

// EventType is the contract's word for the kind of a disclosed event.
type EventType string

// The kinds of events.
const (
	EventDisciplinary EventType = "disciplinary" // an action of a self-regulatory organization: item 11.E
	EventRegulatory   EventType = "regulatory"   // an action of another regulator: items 11.C, 11.D, 11.F, 11.G
	EventCivil        EventType = "civil"        // a civil judicial action: item 11.H
	EventCriminal     EventType = "criminal"     // items 11.A, 11.B
)

// EventTypes are the kinds of events.
var EventTypes = []string{string(EventDisciplinary), string(EventRegulatory), string(EventCivil), string(EventCriminal)}

// EventTypeOf returns the kind of a page's event.
//
// Spec: not shown; the contract distinguishes `disciplinary` and `regulatory`, Form ADV has one page for both. An action of a
// self-regulatory organization (FINRA, formerly NASD; NYSE and other exchanges; NFA), which item 11.E asks for, is
// disciplinary; one of the SEC, the CFTC, a state, another federal or a foreign authority is regulatory. The page's initiator
// type decides, else the initiator's name, else whether the page explains answers of 11.E alone.
func EventTypeOf(family DisclosureFamily, initiatorType, initiatedBy string, items []string) EventType {
	switch family {
	case DisclosureCriminal:
		return EventCriminal
	case DisclosureCivil:
		return EventCivil
	case DisclosureRegulatory:
	}
	words := PlainWords(initiatorType)
	switch {
	case slices.Contains(words, "sro"), slices.Contains(words, "self"):
		return EventDisciplinary
	case len(words) > 0 && !slices.Contains([]string{"other", "unknown", "na"}, strings.Join(words, "")):
		return EventRegulatory
	case initiatedBy != "":
		if IsSelfRegulator(initiatedBy) {
			return EventDisciplinary
		}
		return EventRegulatory
	}
	if len(items) > 0 && !slices.ContainsFunc(items, func(item string) bool { return !strings.HasPrefix(item, "11.E") }) {
		return EventDisciplinary
	}
	return EventRegulatory
}

// selfRegulators are the short names of self-regulatory organizations of the US, including former ones.
var selfRegulators = []string{
	"amex", "boxx", "cboe", "cbot", "chx", "cme", "comex", "finra", "iex", "isex", "memx", "nasd", "nasdaq", "nfa", "nyfe", "nymex", "nyse", "phlx",
}

// IsShortSelfRegulator reports whether a word of PlainWords is the short name of a self-regulatory organization.
func IsShortSelfRegulator(word string) bool { return slices.Contains(selfRegulators, word) }

// IsSelfRegulator recognizes a self-regulatory organization by its name. The Securities and Exchange Commission is none.
func IsSelfRegulator(name string) bool {
	words := PlainWords(name)
	if slices.ContainsFunc(words, IsShortSelfRegulator) {
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

// DisclosureFamilyOf parses the type in an advisory affiliate's row or the firm search: "Regulatory Action", "Civil Judicial Action",
// "Criminal". Empty = none of the three families.
func DisclosureFamilyOf(disclosureType string) DisclosureFamily {
	words := PlainWords(disclosureType)
	if len(words) == 0 {
		return ""
	}
	return map[string]DisclosureFamily{"criminal": DisclosureCriminal, "regulatory": DisclosureRegulatory, "civil": DisclosureCivil}[words[0]]
}

// PlainWords are the words of a text in lower case, without other characters than letters and digits.
func PlainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Folded normalizes texts for comparison: case, spaces and signs.
func Folded(text string) string { return strings.Join(PlainWords(text), "") }
