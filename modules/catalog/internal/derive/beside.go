package derive

import (
	"regexp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// behalf matches words between a person and the firm that the person works for or does business as. Each side is checked by itself.
var behalf = regexp.MustCompile(`(?i)\bc\s*/\s*o\b|\bcare of\b|\battn\b|\battention\b|\bd\s*/?\s*b\s*/?\s*a\b|\bon behalf of\b|\bo\s*/\s*b\s*/\s*o\b|` +
	`\b(?:a |an |as )*(?:registered |sales |authorized )*(?:reps?|representatives?|agents?|employees?|principals?|members?|associates? persons?|brokers?|affiliates?) (?:of|with|at|for)\b|\b(?:affiliated|associated) with\b|` +
	`\b(?:a\s*/?\s*k\s*/?\s*a|f\s*/?\s*k\s*/?\s*a|n\s*/?\s*k\s*/?\s*a|formerly|contact|per|represented|care)\b|\bits (?:manager|principal|president|owner|sole member)\b`)

// hints are the words that behalf and works match. Most names have none of them, and skip these slow expressions.
var hints = text.SetOf(`c o care attn attention d dba behalf obo rep reps representative representatives agent agents employee employees principal principals member members
	associate associates broker brokers affiliate affiliates affiliated associated a aka f fka n nka formerly contact per represented its of at with for`)

// separator matches signs and words at which a name is cut into parts. A part names a person, or a firm.
var separator = regexp.MustCompile(`(?i)[(),;:/@|\[\]–—•·\\_="“”+<>*]|\s-+\s|\s(?:by|through|via|from|under|trading as)\s`)

// works matches a word between a person and the person's firm. The part behind the word is never taken for a person: "Bank of First Last".
var works = regexp.MustCompile(`(?i)\s(?:of|at|with|for)\s`)

// trades are words of what firms do, besides those that are signs of a firm.
var trades = text.SetOf(`services service administration administrators administrator company companies corporate fiduciary consulting consultants research asset assets
	wealth equity credit markets market trading placement marketing distributors distribution department office offices team platform bank banking trustees trustee
	finra sipc nfa nyse sec member members formerly division branch series class portfolio the and real estate registrar agency cpa cpas tax accounting accountancy accountant
	assurance advisory business commerce agent agents private public limited exempted unlimited institutional strategic alternative alternatives
	advisor adviser manager managers planner planners national association`)

// placeWords are words of places of several words, which follow the names of firms.
var placeWords = text.SetOf(`new york jersey hampshire mexico zealand hong kong san francisco diego los angeles las vegas grand cayman islands island united kingdom states arab
	emirates america americas north south east west central africa korea dakota carolina virginia british virgin abu dhabi tel aviv sao paulo isle of man puerto rico costa rica
	latin asia pacific middle europe far st saint louis kitts lucia salt lake city santa monica fe palm beach fort worth lauderdale bermuda guernsey luxembourg ireland republic us usa uk eu emea apac`)

// besidePerson reports whether a name that has the signs of a firm may have a person's name beside the firm's: "… c/o Acme LLC",
// "… (Acme Securities LLC)", "… of Acme LLC". words are those of the name, normalized.
func besidePerson(name string, words []string) bool {
	if len(words) == 0 {
		return false
	}
	hinted := slices.ContainsFunc(words, func(w string) bool { return hints[w] })
	if hinted {
		if parts := behalf.Split(name, -1); len(parts) > 1 && slices.ContainsFunc(parts, func(part string) bool {
			words := text.Words(part)
			return len(words) > 0 && maybePerson(words)
		}) {
			return true
		}
	}
	if len(words) > 2 && titles[words[0]] && maybePerson(words[1:3]) || ofTrade(words) {
		return true
	}
	for i := 1; i < len(words)-2; i++ {
		if catalogapi.LegalFormOf(words[i]) == catalogapi.FormAnywhere && maybePerson(slices.DeleteFunc(slices.Clone(words[i+1:]), func(w string) bool { return w == "and" })) {
			return true // "Acme LLC First Last"
		}
	}
	firm, person, surnames, onlyCommas := false, false, 0, !strings.ContainsAny(name, "(/;:|")
	for _, part := range separator.Split(name, -1) {
		pieces := []string{part}
		if hinted {
			pieces = works.Split(part, 2)
		}
		for i, piece := range pieces {
			words := text.Words(piece)
			switch {
			case len(words) == 0, onlyCommas && partners(words): // neither a person nor a firm beside one
			case i < len(pieces)-1 && ofTrade(words):
				return true
			case !maybePerson(words):
				firm = firm || slices.ContainsFunc(words, func(w string) bool { return !placeWords[w] && catalogapi.LegalFormOf(w) == catalogapi.NoForm })
			case i > 0:
			case len(words) > 1:
				person = true
			case !strings.ContainsAny(name, "(/"):
				surnames++ // or a given name: "Last, First, Acme LLC"
			}
		}
	}
	return firm && (person || surnames > 1)
}

// titles are forms of address.
var titles = text.SetOf("mr mrs ms miss dr prof sir madam")

// callings are what one person is, at the end of a name.
var callings = text.SetOf("advisor adviser planner custodian gp auditor accountant administrator broker agent trustee representative cpa")

// fields are words before a calling.
var fields = text.SetOf("financial investment wealth independent registered tax")

// ofTrade reports whether words are a name with the person's calling: "First Last Financial Advisor".
func ofTrade(words []string) bool {
	at := len(words)
	for at > 0 && (callings[words[at-1]] || at < len(words) && fields[words[at-1]]) {
		at--
	}
	return at > 1 && at < len(words) && maybePerson(words[:at])
}

// partners reports whether words are the last of several partners' names: "Birch, Rowan, Alder & Quay LLC" is one firm.
func partners(words []string) bool {
	own := catalogapi.WithoutFormsAtEnd(words)
	return len(own) == 3 && own[1] == "and" && maybePerson(own[:1]) && maybePerson(own[2:])
}

// maybePerson reports whether words may be a person's name. Words with a sign of a firm, a digit or a trade are none, nor are places.
func maybePerson(words []string) bool {
	places := 0
	for _, word := range words {
		if catalogapi.LegalFormOf(word) != catalogapi.NoForm || trades[word] || strings.ContainsAny(word, "0123456789") {
			return false
		}
		if placeWords[word] {
			places++
		}
	}
	return places < len(words) && len(words) <= 5 && catalogapi.SignsOf(words) == catalogapi.NameSigns{} && catalogapi.SignsOf(append([]string{""}, words...)) == catalogapi.NameSigns{}
}
