package derive

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// FundKey is a name in the form in which issuers of Form D and funds of Form ADV are compared. Two names are of one fund
// only when their names are equal and their forms do not contradict each other.
type FundKey struct {
	// Name is the normalized name without its legal form; empty when it is too general to find a fund by.
	Name string
	// Form is the legal form that ends the name, one spelling for all ("lp", "llc", "ltd"); empty when there is none.
	Form string
}

// formSpelling has a single spelling for each legal form that is written in several ways. The normalizer has already removed
// the full stops ("L.P." is "lp"), and catalogapi.WithShortForm has written those of several words as one.
var formSpelling = map[string]string{
	"lp": "lp", "l p": "lp", "lllp": "lp", "llp": "llp", "l l p": "llp", "llc": "llc", "l l c": "llc",
	"ltd": "ltd", "limited": "ltd", "co ltd": "ltd", "company limited": "ltd", "company ltd": "ltd", "limited company": "ltd",
	"inc": "inc", "incorporated": "inc", "corp": "inc", "corporation": "inc",
	"plc": "plc", "spc": "spc", "spc ltd": "spc", "spc limited": "spc", "icav": "icav",
	"scsp": "scsp", "sca": "sca", "scs": "scs", "sicav": "sicav", "sarl": "sarl", "gmbh": "gmbh", "sa": "sa", "ag": "ag", "bv": "bv",
}

// formWords is the most words that a spelling of a legal form has.
const formWords = 3

// fundWords are, with genericWords, what the names of unrelated funds share.
var fundWords = text.SetOf(`hedge market markets emerging frontier value income yield high low feeder master offshore onshore
	domestic foreign overseas series class portfolio small smaller mid middle large mega cap caps long short core plus select
	selected total return returns absolute relative balanced diversified multi manager managers strategy dynamic tactical
	special situations situation event driven macro quant quantitative fixed bond bonds debt loan loans lending direct
	senior mezzanine distressed convertible arbitrage neutral momentum early late later stage seed buyout secondary
	secondaries co coinvestment parallel main qp qualified purchaser purchasers institutional institution family office
	employee employees friends benefit plan plans separate account accounts vehicle spv blocker aggregator intermediate
	energy oil gas power healthcare health technology tech biotech life sciences science software internet consumer
	industrial industrials property properties land commercial residential multifamily housing industrial opportunity
	zone qoz impact sustainable esg green first second third one two three four five new old next world greater pan
	latin south east west central middle state states united kingdom canada canadian mexico brazil japan japanese
	korea australia israel africa african xi xii xiii xiv xv xvi xvii xviii xix xx a b c d e f g h j k l m n o p q r s t
	u w y z`)

// Bounds of what distinguishes one fund from all others. The letters of words that are neither general nor numbers
// are counted together: three are needed in a name of two words, two (a manager's initials) in a longer one. Seven words in
// the same order identify a fund, even if all are general.
const (
	keyWordsMin    = 2
	keyLettersMin  = 3
	keyInitialsMin = 2
	keyWordsEnough = 7
)

// NameKey returns the form of a fund's or an issuer's name that joins compare. Case, accents, punctuation, the spelling of a
// legal form and a note that the fund ends do not count. Series, classes and numerals stay, because they distinguish the funds of one manager.
//
// Spec: not shown; "exact normalized name". A name of one word, or only of words in the names of many funds
// ("Emerging Markets Equity Fund"), has no key: Form D names no adviser, so such a name identifies no fund.
func NameKey(name string) FundKey {
	name = cutEnding(text.Normalize(name))
	rest, form := cutForm(strings.Join(catalogapi.WithShortForm(strings.Fields(name)), " "))
	rest = cutEnding(rest)
	if !identifies(strings.Fields(rest)) {
		return FundKey{Form: form}
	}
	return FundKey{Name: rest, Form: form}
}

// endings are what advisers add to the names of funds that end.
var endings = []string{" in liquidation", " in voluntary liquidation", " in dissolution", " in wind down", " in winding up", " in receivership"}

// cutEnding takes the note that a fund ends from the end of a normalized name.
func cutEnding(name string) string {
	for i := 0; i < len(endings); i++ {
		if rest, ok := strings.CutSuffix(name, endings[i]); ok {
			name, i = rest, -1 // it may be there twice
		}
	}
	return name
}

// cutForm takes the legal form from the end of a normalized name, in its longest spelling. Something of the name must stay.
func cutForm(name string) (rest, form string) {
	rest = name
	at := len(name)
	for range formWords {
		if at = strings.LastIndexByte(name[:at], ' '); at < 0 {
			break
		}
		if one, ok := formSpelling[name[at+1:]]; ok {
			rest, form = name[:at], one
		}
	}
	return rest, form
}

// identifies reports whether words are distinctive enough for the name of one fund among all.
func identifies(words []string) bool {
	if len(words) < keyWordsMin {
		return false
	}
	letters := 0
	for _, w := range words {
		if !genericWords[w] && !fundWords[w] && strings.Trim(w, "0123456789") != "" {
			letters += len(w)
		}
	}
	if len(words) == keyWordsMin {
		return letters >= keyLettersMin
	}
	return letters >= keyInitialsMin || len(words) >= keyWordsEnough
}
