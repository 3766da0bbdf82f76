package derive

import (
	"regexp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// NamesFirm reports whether a name is that of a firm. It is false where it may be a person's, as for a sole proprietor, or that of a trust
// or family vehicle, which are called after persons.
func NamesFirm(name string) bool {
	words := text.Words(name)
	signs := catalogapi.SignsOf(words)
	firm := signs.Firm || !signs.Vehicle && (signs.Usual || dotted.MatchString(name))
	return wellKnown[strings.Join(catalogapi.WithoutFormsAtEnd(words), " ")] || firm && !besidePerson(name, words)
}

// dotted is a legal form at the end that is no surname as it is written: "Kestrel N.A.", "Kestrel S.A.", "Kestrel AG", "Kestrel Co.". Without full stops some are.
var dotted = regexp.MustCompile(`(?i)[a-z]{2,}[,\s]+(?:N\.\s?A\.?|S\.\s?A\.?|A\.\s?G\.?|N\.\s?V\.?|B\.\s?V\.?|national association)(?:[,\s]+[a-z ]*branch)?$|[A-Za-z]{2,} (?:AG|SE|Co\.)$`)

// wellKnown are firms that many funds name without a sign of a firm, normalized and without legal forms.
var wellKnown = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{
		"arthur bell", "baker tilly", "bdo", "bdo usa", "cohnreznick", "cohn reznick", "crowe", "deloitte", "deloitte and touche", "eisneramper", "ernst and young",
		"ey", "grant thornton", "kpmg", "marcum", "mazars", "moss adams", "plante and moran", "plante moran", "pricewaterhousecoopers", "pwc", "richey may", "rsm", "rsm us",
		"spicer jeffries", "withumsmith brown", "withumsmith and brown",
		"alter domus", "barclays", "bnp paribas", "bny mellon", "brown brothers harriman", "charles schwab", "citi", "citibank", "citco", "citigroup", "credit suisse",
		"deutsche bank", "edward jones", "goldman sachs", "hsbc", "jp morgan", "jpmorgan", "jp morgan chase", "jpmorgan chase", "julius baer", "merrill lynch", "merrill lynch pierce fenner and smith", "morgan stanley",
		"lord abbett", "nav consulting", "northern trust", "raymond james", "robert w baird", "societe generale", "ss and c",
		"state street", "t rowe price", "stifel nicolaus", "ubs", "wells fargo", "william blair",
	} {
		all[name] = true
	}
	return all
}()

// NamesVehicle reports whether a name is that of a trust, an estate, a retirement account or a family vehicle, with a legal form or
// without. A trust company is none.
func NamesVehicle(name string) bool { return catalogapi.SignsOf(text.Words(name)).Vehicle }

// ShowsFirm reports whether a name may be shown where persons must not be named: it is a firm's, no vehicle's, and has neither the names of one of
// the persons nor what may be those of another.
func ShowsFirm(name string, persons []string) bool {
	if !NamesFirm(name) || NamesVehicle(name) || mayName(name) {
		return false
	}
	for _, person := range persons {
		if NamesPerson(name, person) {
			return false
		}
	}
	return true
}

// OwnsAsPerson reports whether a row of Schedule A or B is of a natural person. Some filers mark people as entities, and write them as people are
// written: "LAST, FIRST, MIDDLE".
//
// Spec: not shown; where the schedules leave it open, the row is a person's.
func OwnsAsPerson(name string, entityType *string) bool {
	return catalogapi.MarksPerson(entityType) || strings.Contains(name, ",") && !catalogapi.IsFirm(text.Words(name))
}

// NamesPerson reports whether a text has the last name of a person as filed ("LAST, FIRST, MIDDLE"), or one of several, and a given name or an
// initial before the last name, wherever they stand.
func NamesPerson(s, filed string) bool {
	last, rest, comma := strings.Cut(filed, ",")
	given := text.Words(rest)
	if !comma {
		words := text.Words(filed)
		if len(words) < 2 {
			return false
		}
		given, last = words[:len(words)-1], words[len(words)-1]
	}
	words := text.Words(s)
	letters, surnames := strings.Join(words, ""), text.Words(last)
	if len(surnames) > 1 {
		surnames = append(surnames, strings.Join(surnames, ""))
	}
	for _, surname := range surnames {
		if len(surname) < 2 || !strings.Contains(letters, surname) {
			continue
		}
		for i, name := range given {
			anywhere := len(name) > 2 || len(name) == 2 && i == 0 // a short middle name is a part of many words
			switch {
			case anywhere && strings.Contains(letters, name), len(name) > 1 && slices.Contains(words, name), strings.Contains(letters, name[:1]+surname):
				return true
			}
		}
		if i := slices.Index(words, surname); i > 0 && len(given) > 0 && initials(words[:i], given[0][:1]) {
			return true
		}
	}
	return false
}

// initials reports whether the last words are initials that begin with a letter, such as "R J" or "RJ".
func initials(words []string, letter string) bool {
	start := len(words)
	for start > 0 && len(words[start-1]) == 1 {
		start--
	}
	last := words[len(words)-1]
	return start < len(words) && words[start] == letter || len(last) == 2 && last[:1] == letter
}
