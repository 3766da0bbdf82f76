package derive

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// addressed matches what stands before an addressee in a line of an address.
var addressed = regexp.MustCompile(`(?i)(?:^|[^\pL\d])(?:(?:c\s*[/\\|\x{2044}\x{2215}\x{FF0F}](?:\s*[o0-](?:[^\pL\d]|$)|[o0-])|c\.\s?o\.|a/c|to\s*:|\x{2105}|%)[^\pL\d]*|` +
	`(?:c-o|(?:in\s+)?care[\s/]+of|att?n|att|atten|attention|fao|f\.a\.o\.?|f/a/o|fbo|f\.b\.o\.?|f/b/o|z\.?\s*hd|contact|addressee|recipient|(?:mail|deliver|send|forward)\s+to)(?:[^\pL\d]+|$))`)

// ShownStreet returns the two lines of a street as they may be shown where persons must not be named: without an addressee who may be a person.
// Null: nothing is left.
func ShownStreet(first, second *string) (one, two *string) {
	s := marked(catalogapi.TextOf(first))
	if at := addressed.FindStringIndex(s); at != nil && at[1] == len(s) && second != nil { // the addressee is in the second line
		shown, rest := addressee(*second)
		return catalogapi.Text(strings.TrimRight(s[:at[0]], " ,;-(")), catalogapi.Text(shown + rest)
	}
	return ShownLine(first), ShownLine(second)
}

// ShownLine returns one line of a street as it may be shown: see ShownStreet.
func ShownLine(line *string) *string {
	shown := shownLine(line, ownOrGiven)
	if shown == nil || *shown == catalogapi.TextOf(line) && addressed.MatchString(*shown) { // a firm is the addressee
		return shown
	}
	return catalogapi.Text(withoutNames(*shown))
}

// between matches what separates the parts of a line.
var between = regexp.MustCompile(`\s*[,;|:•·]\s*|\s+[-–—/\\]\s+`)

// withoutNames leaves out the parts of a line without a number that consist of the name of a person, with a title or role: "First Last, Managing Member",
// "Law Office of First Last", "Last, First".
func withoutNames(s string) string {
	if parts := strings.Split(s, ","); len(parts) == 2 {
		last, first := text.Words(parts[0]), text.Words(parts[1])
		if len(last) == 1 && len(first) > 0 && !given[last[0]] && given[first[0]] && isPerson(slices.Concat(first, last)) {
			return ""
		}
	}
	var kept strings.Builder
	at, person := 0, false
	for _, sep := range append(between.FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		part := withoutNameBeside(s[at:sep[0]])
		words, wasPerson := text.Words(part), person
		person = !strings.ContainsAny(part, digits) && isPerson(words)
		if !person && (!wasPerson || !allIn(words, roles)) {
			kept.WriteString(part + s[sep[0]:sep[1]])
		}
		at = sep[1]
	}
	if kept.Len() == len(s) {
		return strings.TrimSpace(s)
	}
	left := strings.Trim(kept.String(), separators)
	if allIn(text.Words(left), besideNames) { // "Re: First Last"
		return ""
	}
	return left
}

const separators = " ,;|:•·/\\-–—"

// beside matches a street with its number, a suite or a box, and what stands around it: "First Last 12 Example Street", "Suite 4 First Last". English streets
// alone: elsewhere the name of a street stands behind its word or before its number.
var beside = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(\D*)(\d+\S*\s.*\pL\s+(?:road|rd|street|st|avenue|ave|boulevard|blvd|lane|ln|drive|dr|wharf|terrace|parkway|pkwy|highway|hwy)\.?)(\s\D*|)$`),
	regexp.MustCompile(`(?i)^(.*\s|)((?:suite|ste|floor|unit|apt|room|rm|no|#|p\.?\s*o\.?\s*box)\.?\s*#?\d+\w?|\d+(?:st|nd|rd|th)\s+(?:floor|fl)\.?)(\s\D*|)$`),
}

// withoutNameBeside leaves out the name of a person that only a blank divides from a street, a suite or a box.
func withoutNameBeside(s string) string {
	for _, re := range beside {
		in := re.FindStringSubmatch(s)
		if in == nil {
			continue
		}
		for _, part := range []*string{&in[1], &in[3]} {
			if !strings.ContainsAny(*part, digits) && isPerson(text.Words(*part)) {
				*part = ""
			}
		}
		s = in[1] + in[2] + in[3]
	}
	return s
}

// besideNames are words that stand beside the name of a person who has an office.
var besideNames = text.SetOf("law office offices of estate home residence re the attn and de del della di da dos van der den von zu la le bin al el mc")

// isPerson reports whether words are the first and last name of a person, with a title or role, and no place: "Peter Cooper Road".
func isPerson(words []string) bool {
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return roles[word] || besideNames[word] || utf8.RuneCountInString(word) == 1 })
	return len(words) < 5 && mayNameOne(words) && namesOne(words) && !slices.ContainsFunc(words, func(word string) bool { return streets[word] || places[word] })
}

func allIn(words []string, set map[string]bool) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !set[word] })
}

// places are words of places and streets that are called after persons, besides streets, in the languages of most addresses.
var places = text.SetOf("town city village center centre park parkside heights hills beach grove garden gardens mall arcade chambers terrace wharf row hall mews close walk yard gate bridge circle " +
	"parkway pkwy crescent island isle bay harbour harbor saint st san santa county district territories farm lodge manor cottage court station trail run ridge landing point palace hotel resort " +
	"campus school college university museum library hospital airport port pier mill mills works house studio studios galleria gallery hub accelerator annex wing bloc block marina zone sector section lobby " +
	"rue quai chemin impasse allee cours passage route av avenida ave rua ruta via viale vico corso piazza piazzale largo praca praça travessa alameda paseo calle carrera cra plaza camino colonia " +
	"col vila villa ed edificio edifício torre strasse straße str gasse weg platz ring ufer damm utca ut utja ulica ul ulitsa gatan gata vagen väg straat laan kade gracht plein weg jalan jl soi " +
	"dori chome cho ku gu ro daero jie lu")

// ShownCity is ShownLine for a city: what stands before an addressee is a place, so only a common given name makes it a person.
func ShownCity(line *string) *string {
	return shownLine(line, func(word string) bool { return given[word] })
}

var (
	// bracketed matches what is in parentheses, with what stands before them since the last comma or number.
	bracketed = regexp.MustCompile(`([^,;()\d]*)\(([^()\d]*)\)`)
	// entitled matches what may be an addressee or a place: "Ms. First Last", "Jackson MS", "CO First Last", "Co Dublin", "Dr. First Last",
	// "Dr Annie Besant Road".
	entitled = regexp.MustCompile(`(?i)((?:^|[^\pL\d])(?:mrs?|ms|miss|messrs)|^\s*co|(?:^|,)\s*dr)(?:\.\s*|\s+)(\pL[^,;()\d]*)(\d*\s*)`)
)

// marked makes addressees without a sign recognizable: it removes "(First Last)" and "First Last (CCO)", and writes "c/o" in place of a title, and
// of "CO" before a name.
func marked(s string) string {
	s = bracketed.ReplaceAllStringFunc(s, func(part string) string {
		in := bracketed.FindStringSubmatch(part)
		before, role := text.Words(in[1]), text.Words(in[2])
		switch {
		case namesOne(role):
			return strings.TrimRight(in[1], " ")
		case len(role) > 0 && !slices.ContainsFunc(role, func(word string) bool { return !roles[word] }) && !ShowsFirm(strings.TrimSpace(in[1]), nil) && ownOrGivenOf(before) > 1:
			return ""
		}
		return part
	})
	return entitled.ReplaceAllStringFunc(s, func(part string) string {
		in := entitled.FindStringSubmatch(part)
		words, behind := text.Words(in[2]), in[2]+in[3]
		switch title := strings.ToLower(strings.TrimLeft(in[1], " ,;-(")); title {
		case "co", "dr":
			street := in[3] != "" && !strings.HasSuffix(in[3], " ") || slices.ContainsFunc(words, func(word string) bool { return streets[word] }) // "Dr. Luis Bonavita 1294"
			if street || !namesOne(words) {
				return part
			}
		default:
			if n := ownOrGivenOf(words); n == 0 || title == "ms" && n == 1 {
				return part
			}
		}
		return " c/o " + behind
	})
}

// streets are words of streets that are called after persons.
var streets = text.SetOf("road rd street st str avenue ave marg boulevard blvd lane ln drive dr way plaza square sq place pl highway hwy quay court ct nagar chowk path salai building bldg tower house floor suite")

// namesOne reports whether words may be the first and last name of one person: at least two of them are given names or in no list of firms' words, and one of
// those is a common given name.
func namesOne(words []string) bool {
	return ownOrGivenOf(words) > 1 && slices.ContainsFunc(words, func(word string) bool { return given[strings.Trim(word, digits)] }) && !ShowsFirm(strings.Join(words, " "), nil)
}

func ownOrGivenOf(words []string) (n int) {
	for _, word := range words {
		if ownOrGiven(word) {
			n++
		}
	}
	return n
}

// shownLine leaves out the parts before an addressee that have a word which counts as a person's.
func shownLine(line *string, counts func(word string) bool) *string {
	s := marked(catalogapi.TextOf(line))
	at := addressed.FindStringIndex(s)
	switch {
	case at == nil && s == catalogapi.TextOf(line):
		return line
	case at == nil:
		return catalogapi.Text(strings.Trim(s, " ,;-"))
	}
	before := strings.TrimRight(s[:at[0]], " ,;-(")
	marker := s[len(before):at[1]]
	before = withoutPersons(before, counts)
	shown, rest := addressee(s[at[1]:])
	switch {
	case shown != "" && before != "":
		rest = before + marker + shown + rest
	case shown != "":
		rest = strings.TrimLeft(marker, " ,;-(") + shown + rest
	case before != "":
		rest = strings.TrimSuffix(before+", "+rest, ", ")
	}
	return catalogapi.Text(rest)
}

// withoutPersons leaves out the parts between commas that are no firm's name, have no number, and have a word that counts as a person's.
func withoutPersons(s string, counts func(word string) bool) string {
	parts := slices.DeleteFunc(strings.Split(s, ","), func(part string) bool {
		return !strings.ContainsAny(part, "0123456789") && !ShowsFirm(strings.TrimSpace(part), nil) && slices.ContainsFunc(text.Words(part), counts)
	})
	return strings.TrimSpace(strings.Join(parts, ","))
}

// addressee divides what stands behind "c/o": what may be shown of the addressee, and the address from the first digit on. A part of the
// addressee is shown if it is a firm's name, or has no words of its own and no part before it may be a person's.
func addressee(s string) (shown, rest string) {
	shown, rest = firstAddressee(s)
	for _, part := range []*string{&shown, &rest} { // another addressee
		if addressed.MatchString(*part) {
			*part = catalogapi.TextOf(ShownLine(part))
		}
	}
	return shown, rest
}

// numbered matches a number that is written as one word with what follows.
var numbered = regexp.MustCompile(`^\d+(\pL[^,;()\d]*)(.*)$`)

// mayNameOne reports whether all of the words may be the name of one person. Words after an ordinal number's digits, as in "4th Floor", are not.
func mayNameOne(words []string) bool {
	return len(words) > 1 && ownOrGivenOf(words) == len(words) && !slices.Contains([]string{"st", "nd", "rd", "th"}, words[0])
}

// unit matches a word that belongs to the number behind it.
var unit = regexp.MustCompile(`(?i)\b(?:suite|ste|floor|level|unit|apt|room|rm|(?:p\.?\s*o\.?\s*)?box|building|bldg|no)\.?\s*#?$`)

func firstAddressee(s string) (shown, rest string) {
	end := strings.IndexAny(s, "0123456789")
	if end < 0 {
		end = len(s)
	} else if at := unit.FindStringIndex(s[:end]); at != nil {
		end = at[0]
	}
	var kept []string
	between := ""
	for part := range strings.SplitSeq(s[:end], ",") {
		if !ShowsFirm(strings.TrimSpace(part), nil) && slices.ContainsFunc(text.Words(part), ownOrGiven) {
			between = ", "
			break
		}
		kept = append(kept, part)
	}
	shown, rest = strings.Join(kept, ","), withoutPersons(s[end:], func(word string) bool { return given[word] })
	switch {
	case end == 0: // "c/o 28/F, Mossgate Tower", "c/o 2First Last"
		if in := numbered.FindStringSubmatch(rest); in != nil && !ShowsFirm(in[1], nil) && mayNameOne(text.Words(in[1])) {
			return "", strings.TrimLeft(in[2], " ,")
		}
		return rest, ""
	case shown != "" && rest != "":
		shown += between
	}
	return shown, rest
}
