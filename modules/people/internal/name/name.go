// Package name normalizes the names of people. Filings write "LAST, FIRST, MIDDLE", notices and registers "First Middle Last",
// with suffixes, accents and credentials in all places.
package name

import "strings"

// Name is a person's name in its parts, as filed but for space, dots and credentials.
type Name struct {
	First, Middle, Last string
	Suffix              string // of generations: Jr., Sr., II, III, IV, V
}

// Parse reads a name from one field: "LAST, FIRST, MIDDLE" if it has commas, else "First Middle Last".
func Parse(filed string) Name {
	var fields [][]string // words, by comma
	var n Name
	for field := range strings.SplitSeq(filed, ",") {
		kept := n.suffixes(words(field))
		if len(kept) > 0 {
			fields = append(fields, kept)
		}
	}
	switch len(fields) {
	case 0:
		return n
	case 1:
		return n.direct(fields[0])
	}
	n.Last = strings.Join(fields[0], " ")
	n.First = fields[1][0]
	middle := fields[1][1:]
	for _, more := range fields[2:] {
		middle = append(middle, more...)
	}
	n.Middle = strings.Join(middle, " ")
	return n
}

// Of joins a name that is filed in parts.
func Of(first, middle, last string) Name {
	var n Name
	n.Last = strings.Join(n.suffixes(words(last)), " ")
	given := append(n.suffixes(words(first)), n.suffixes(words(middle))...)
	if len(given) > 0 {
		n.First, n.Middle = given[0], strings.Join(given[1:], " ")
	}
	return n
}

// direct parses "First Middle Last". Particles belong to the last name.
func (n Name) direct(all []string) Name {
	last := len(all) - 1
	for last > 1 && particles[strings.ToUpper(all[last-1])] {
		last--
	}
	n.Last = strings.Join(all[last:], " ")
	if last > 0 {
		n.First, n.Middle = all[0], strings.Join(all[1:last], " ")
	}
	return n
}

// suffixes removes suffixes and credentials from a field. A field's only word is kept, unless it is certainly one of them.
func (n *Name) suffixes(field []string) []string {
	for len(field) > 0 {
		word := strings.ToUpper(field[len(field)-1])
		suffix, generation := generations[word]
		_, doubtful := doubtful[word]
		switch {
		case len(field) == 1 && doubtful, !generation && !credentials[word]:
			return field
		case generation && n.Suffix == "":
			n.Suffix = suffix
		}
		field = field[:len(field)-1]
	}
	return field
}

// words splits a field. It drops dots and the placeholders that filings write for a missing middle name.
func words(field string) []string {
	clean := strings.Map(func(r rune) rune {
		switch r {
		case '.', '(', ')', '"', '“', '”', '*', ';':
			return ' '
		case '’', '`', '´':
			return '\''
		}
		return r
	}, dotless(field))
	var list []string
	for word := range strings.FieldsSeq(clean) {
		switch strings.ToUpper(word) {
		case "N/A", "NMN", "NONE", "-", "--", "NMI", "NULL":
		default:
			list = append(list, word)
		}
	}
	return list
}

// dotless closes up "Ph.D." and "J.P.": dots between single letters.
func dotless(s string) string {
	for _, c := range [...][2]string{{"Ph.D", "PHD"}, {"PH.D", "PHD"}, {"M.D", "MD"}, {"Esq", "ESQ"}} {
		s = strings.ReplaceAll(s, c[0], c[1])
	}
	return s
}

// Full is the name in the usual order and case: "First Middle Last Jr.".
func (n Name) Full() string {
	var b strings.Builder
	for _, part := range []string{cased(n.First), cased(n.Middle), cased(n.Last), n.Suffix} {
		if part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

// particles are words that begin a last name of several.
var particles = map[string]bool{
	"DE": true, "DER": true, "DEN": true, "DI": true, "DA": true, "DOS": true, "DAS": true, "DU": true, "DEL": true, "DELLA": true, "LA": true, "LE": true,
	"VAN": true, "VON": true, "ZU": true, "TER": true, "TEN": true, "BIN": true, "AL": true, "EL": true, "ST": true, "SAN": true, "MC": true, "MAC": true,
}

// generations are suffixes of people who share a name with a parent.
var generations = map[string]string{
	"JR": "Jr.", "JNR": "Jr.", "JUNIOR": "Jr.", "SR": "Sr.", "SNR": "Sr.", "II": "II", "2ND": "II", "III": "III", "3RD": "III", "IV": "IV", "V": "V",
}

// credentials say nothing of who it is.
var credentials = map[string]bool{
	"CFA": true, "CPA": true, "CFP": true, "ESQ": true, "ESQUIRE": true, "PHD": true, "MBA": true, "CAIA": true, "JD": true, "FRM": true, "CIMA": true,
	"CHFC": true, "CLU": true, "MD": true, "IACCP": true, "CRCP": true, "DR": true, "MR": true, "MRS": true, "MS": true,
}

// doubtful suffixes and credentials are names, or initials, when nothing else is there.
var doubtful = map[string]struct{}{"V": {}, "MD": {}, "JUNIOR": {}, "MS": {}, "DR": {}, "MR": {}, "MRS": {}, "CLU": {}}
