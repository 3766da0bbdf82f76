package disclosure

import (
	"maps"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/vocab"
)

// terms are the words of resolutions, of states of a matter and of sanctions. A text that consists of these words has no names.
var terms = setOf(`a ab acceptance acquitted action adjudication administrative agreement amended amount and any appeal appealed assessed assessment awc bar barred
	based bond by case caution cease censure censured charge charges civil closed complaint comply conditional conditions consent contendere convicted
	conviction cost costs count counts court criminal damages days decision declaratory default deferred denial denied desist disciplinary discontinued
	disgorgement dismissal dismissed disposition diversion dropped entered expelled expenses explanation expulsion expunged fee fees felony final fine
	fined fines for found from guilty hearing ies imposed imprisonment in initio injunction injunctive interest interim intervention investigation is
	issued judgment jury letter license limitation limitations limited matter minor misdemeanor monetary money month months n narrative no
	nolle nolo none not nullified nunc of offer on or order ordered other panel part payment penalties penalty pending permanent plan plea plead pleaded
	pled prejudice preliminary pretrial private pro probation proceeding prohibition prosecution prosequi public reached reduced refund registration
	relief remanded removal rendered reprimand requalification requires rescission resolution resolved respondent restitution restraining restriction
	restrictions reversed revocation revoked rule s sanction sanctions satisfied see sentence sentenced served settled settlement stay stayed stipulated
	stipulation summary suspended suspension temporary terminated termination than the time to trial tunc undertaking undertakings upheld vacated
	verdict violation violations voluntarily voluntary waived waiver warning was were with withdrawn without writ year years`)

// authorities are the words of names of authorities, courts and public bodies; links join them.
var (
	authorities = setOf(`administration administrative agency assembly attorney authority autorite board bureau cftc commission commissioner commodities
		commodity commonwealth comptroller conduct consumer corporation corporations council county court courts currency department dept district division
		doj dol enforcement epa exchange exchanges fca fcc fdic federal ferc finance finances financial finra fsa futures general government industry
		institutions insurance investigations irs labor markets mercantile ministry monetary nasd national nfa nyse occ office ombudsman options pbgc
		prosecutor province provincial prudential public regulation regulator regulators regulatory republic reserve revenue sec secretary securities
		security service services sfc state states stock superintendent superior supervision supervisory supreme surveillance treasury tribunal united
		us usa`)
	links = setOf(`a and at banking banks bank business central circuit city commerce companies company compliance dealers dealer for group in inc investment
		investments investor investors law llc management market of on or organization org other association protection regulated self swiss the trade trading
		u s`)
	// places are the words in names and codes of states and countries.
	places = setOf(strings.ToLower(strings.Join(slices.Concat(plainWords(vocab.StateNames()), slices.Collect(maps.Keys(catalogapi.USStates)), plainWords(vocab.SortedCountryNames())), " ")))
)

func plainWords(names []string) []string { return catalogapi.PlainWords(strings.Join(names, " ")) }

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// showsTerms reports whether a text consists of legal terms and numbers alone.
func showsTerms(text string) bool {
	return !slices.ContainsFunc(catalogapi.PlainWords(text), func(word string) bool { return !terms[word] && strings.Trim(word, "0123456789") != "" })
}

// showsInitiator reports whether the text that names who initiated a matter may be shown: it is an authority, a state, a country or one firm.
//
// Spec: not shown; Form ADV asks for the name of a regulator, but the plaintiff of a civil action can be a person, and names of officials and
// of parties stand beside those of authorities. So an authority is named by words of authorities and places alone.
func showsInitiator(initiator string, persons []string) bool {
	if slices.ContainsFunc(persons, func(person string) bool { return derive.NamesPerson(initiator, person) }) {
		return false
	}
	if _, ok := vocab.StateCode(initiator); ok {
		return true
	}
	if _, ok := vocab.CountryCode(initiator); ok {
		return true
	}
	authority, others := false, false
	words := catalogapi.PlainWords(initiator)
	for _, word := range words {
		is := authorities[word] || catalogapi.IsShortSelfRegulator(word)
		authority, others = authority || is, others || !is && !links[word] && !places[word]
	}
	if authority && !others {
		return true
	}
	several := strings.ContainsAny(initiator, ";/") || slices.ContainsFunc(words, func(word string) bool { return parties[word] })
	return !several && derive.ShowsFirm(initiator, persons)
}

// parties are words between the parties of a case.
var parties = setOf("and al behalf et or v versus vs")

// showsAffiliate returns the name under which an affiliate is shown: its own if it is a firm's, or else that of the manager with its number.
func showsAffiliate(a *index.Implicated, persons []string, manager func(crd string) (string, bool)) (name string, ok bool) {
	if a.Firm && derive.ShowsFirm(a.Name, persons) {
		return a.Name, true
	}
	return manager(a.CRD)
}
