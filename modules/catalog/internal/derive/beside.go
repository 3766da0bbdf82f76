package derive

import (
	"regexp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// added matches what is added to a name: in brackets, or behind a hyphen between blanks.
var added = regexp.MustCompile(`\([^()]*\)|\s-+\s[^()]*$`)

// numbering matches an item's number: "(1)".
var numbering = regexp.MustCompile(`^\((?:\d{1,2}|[a-z])\)$`)

// slashed matches slashes that are part of a name: in a legal form, or between its first two words, as in "Ashkettle/Rooke Advisors".
var slashed = regexp.MustCompile(`(?i)\b(?:a/s|s/a)\b|^[\pL\d&]{2,}/[\pL\d&]{2,}`)

// links are words that join a person's name to a firm's: "nominee", "formerly", "care".
var links = text.SetOf(`attn attention care dba aka fka nka obo fbo cfbo fao rep reps representative representatives contact represented representing using formerly previously
	spouse wife husband jtten jtwros jt tod pod atf decd deceased sep hsa 401k grat crut ilit poa now known ttee cust nominee its his her whose or ex with`)

// prepositions are such words behind a word of the name: "First Last at Acme LLC". Names of firms have them behind words of firms.
var prepositions = text.SetOf("as at by for from via through under per of")

// roles are what a person is. Behind a person's name and before a firm's, they join the two.
var roles = text.SetOf(`ceo cfo coo cio cco president chairman chair member members manager mgr owner principal partner officer director trader attorney broker brokers advisor adviser
	agent trustee custodian accountant auditor administrator cpa cfa caia cfp jr sr ii iii iv esq associate team employee sole managing registered`)

// trades are words of what firms do, besides those that are signs of a firm.
var trades = text.SetOf(`services service administration administrators administrator company companies corporate fiduciary consulting consultants research asset assets
	wealth equity credit markets market trading placement marketing distributors distribution department office offices team platform bank banking trustees trustee
	finra sipc nfa nyse sec member members formerly division branch series class portfolio the and real estate registrar agency cpa cpas tax accounting accountancy accountant
	assurance advisory business commerce agent agents private public limited exempted unlimited institutional strategic alternative alternatives
	retirement venture energy infrastructure income plan plans growth opportunity opportunities realty property properties technology technologies residential development funding
	parent holdco topco bidco midco opco intermediate acquisition acquisitions blocker buyer aggregator sponsor ultimate feeder
	life science sciences health healthcare finance lending loan loans hedge special specialty situations tactical systematic municipal pension fixed sustainable renewable
	digital software data resources oil gas industrial industries enterprise enterprises personal money investing investor investors partner general clo debt mortgage commercial
	residential community communities operations overseas opportunistic managed innovation innovations long short senior street avenue road valley point square mountain first
	second third one two three four old sports water merchant media food systems labs studio studios studies quantitative applied core smart total multi client clients portfolios invest trade cap wm cross border
	de la le el del di do da dos der den van von e y du des gestora gestao recursos investimentos administradora consultoria participacoes servicos
	advisor adviser manager managers planner planners national association investment planning counsel counseling strategy strategies network center institute`)

// placeWords are words of places, which follow the names of firms.
var placeWords = text.SetOf(`new york jersey hampshire mexico zealand hong kong san francisco diego los angeles las vegas grand cayman islands island united kingdom states arab
	emirates america americas north south east west central africa korea dakota carolina virginia british virgin abu dhabi tel aviv sao paulo isle of man puerto rico costa rica
	latin asia pacific middle europe far st saint louis kitts lucia salt lake city santa monica fe palm beach fort worth lauderdale bermuda guernsey luxembourg ireland republic us usa uk eu emea apac
	london paris zurich geneva frankfurt dublin singapore tokyo mauritius malta cyprus netherlands switzerland germany france italy spain japan china india australia canada bvi dubai
	beijing shanghai shenzhen hangzhou guangzhou taipei seoul mumbai bangkok jakarta manila kuala lumpur hanoi sydney melbourne toronto montreal vancouver suisse schweiz deutschland espana italia nederland belgie belgique polska brasil osterreich danmark sverige norge lux asean gcc mena
	delaware texas california florida illinois massachusetts boston chicago dallas houston jersey curacao gibraltar lichtenstein liechtenstein sweden norway denmark finland austria belgium`)

// besidePerson reports whether a name that has the signs of a firm may have a person's name beside the firm's: "… c/o Acme LLC",
// "Acme LLC as nominee for …". A program cannot recognize the names of persons. It therefore accepts only the order of a firm's name: words
// of its own, then words of firms, a legal form, and perhaps a place. words are those of the name, normalized.
func besidePerson(name string, words []string) bool {
	if len(words) == 0 {
		return false
	}
	if titles[words[0]] && len(words) > 1 && ownWord(words[1]) || !plain(name, "&,.-'()/") || ofTrade(words) {
		return true
	}
	if strings.ContainsAny(name, "/(-") { // few names have these, and the expressions are slow
		name = withoutAdditions(name)
		words = text.Words(name)
	}
	return !plain(name, "&,.-'") || !shaped(words) || strings.ContainsAny(name, "'’") && ofSomeone.MatchString(name) || listsPerson(name)
}

// withoutAdditions removes from a name what is no person's: slashes that are part of it, and places and initials that are added. Other
// additions become a strange character.
func withoutAdditions(name string) string {
	name = slashed.ReplaceAllStringFunc(name, func(part string) string { return strings.ReplaceAll(part, "/", "") })
	return added.ReplaceAllStringFunc(name, func(part string) string {
		own := slices.DeleteFunc(text.Words(part), func(word string) bool { return !ownWord(word) })
		if len(own) == 0 && !numbering.MatchString(part) || len(own) == 1 && len(own[0]) <= 4 && part == strings.ToUpper(part) {
			return " "
		}
		return "|"
	})
}

// ofSomeone matches a name that begins with a person's in the possessive: "First Last's firm Acme LLC".
var ofSomeone = regexp.MustCompile(`^\pL+[.]? \pL{2,}['’]s\s`)

// ownWord reports whether a word may be a person's, or a firm's own: it is no legal form, no word of firms or places, and more than an initial.
func ownWord(word string) bool {
	return len(word) > 1 && catalogapi.LegalFormOf(word) == catalogapi.NoForm && !trades[word] && !placeWords[word] && !small[word] && !strings.ContainsAny(word, "0123456789") &&
		catalogapi.SignsOf([]string{"", word}) == catalogapi.NameSigns{}
}

// small are words that are neither names nor signs.
var small = text.SetOf("and of the a an s d in i ii iii iv v vi vii viii ix x xi xii for by at with from as under per na fsb ssb liability liab pbc sam lta difc spc lc fz")

// shaped reports whether words have the order of a firm's name: no word that joins a person to a firm, and no words of its own behind its
// legal form, behind its last word of firms, or before the name of another firm.
func shaped(words []string) bool {
	ended, of := false, len(words) > 1 && words[1] == "of" && !ownWord(words[0]) // "Bank of Mossgate Rooke"
	for i, word := range words {
		switch own := ownWord(word); {
		case own && ended, links[word] && i > 0, prepositions[word] && i > 1 && i < len(words)-1 && ownWord(words[i-1]):
			return false
		case roles[word] && i > 1 && ownWord(words[i-1]) && slices.ContainsFunc(words[i+1:], ownWord):
			return false
		case capacities[word] && i > 1 && ownWord(words[i-1]) && ownWord(words[i-2]):
			return false
		case i > 1 && own && ownWord(words[i-1]) && wellKnownWords(words[i:]) > 0 && wellKnownWords(words) == 0:
			return false
		}
		ended = ended || i > 0 && catalogapi.LegalFormOf(word) >= catalogapi.FormOfFirm && (word != "co" || words[i-1] == "and") && !belongs(words[i+1:])
	}
	last := len(words)
	for last > 1 && (placeWords[words[last-1]] || strings.ContainsAny(words[last-1], "0123456789")) {
		last--
	}
	return of || !ownWord(words[last-1])
}

// belongs reports whether words behind a legal form go on with the firm: "Trust Company of Mossgate", "Kestrel LLC, a Mossgate company".
func belongs(words []string) bool {
	return len(words) > 1 && (words[0] == "of" || (words[0] == "a" || words[0] == "an") && !ownWord(words[len(words)-1]))
}

// listsPerson reports whether commas separate a person's name from a firm's: "First Last, Acme LLC", "Last, First, Acme LLC". A list of
// partners is one firm: "Birch, Rowan, Alder & Quay LLC".
func listsPerson(name string) bool {
	firm, person, surnames := false, false, 0
	for part := range strings.SplitSeq(name, ",") {
		words := text.Words(part)
		switch {
		case len(words) == 0, partners(words):
		case !maybePerson(words):
			firm = firm || slices.ContainsFunc(words, func(w string) bool { return !placeWords[w] && catalogapi.LegalFormOf(w) == catalogapi.NoForm })
		case len(words) > 1:
			person = true
		default:
			surnames++ // or a given name: "Last, First, Acme LLC"
		}
	}
	return firm && (person || surnames > 1)
}

// titles are forms of address.
var titles = text.SetOf("trustee trustees cotrustee custodian agent member executor mr mrs ms miss dr prof sir madam mme mlle monsieur herr herrn frau hon rev capt rabbi attn attention")

// callings are what one person is, at the end of a name.
var callings = text.SetOf("advisor adviser planner custodian gp auditor accountant administrator broker agent trustee representative cpa")

// capacities are what a person acts as, behind the name: "First Last Trustee LLC".
var capacities = text.SetOf("trustee trustees cotrustee custodian executor agent member retirement")

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
