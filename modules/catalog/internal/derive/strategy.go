package derive

import (
	"strings"

	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
)

// Fund is what the strategy of a fund is derived from: Schedule D 7.B.(1) items 10 (type and its "other" text), 8 (fund
// of funds) and 1.(a) (name). A nil FundOfFunds means not answered.
type Fund struct {
	Type        string
	TypeOther   string
	Name        string
	FundOfFunds *bool
}

// wordRule assigns a strategy to names that contain one of its words or phrases. Words are whole words in normalized form.
type wordRule struct {
	strategy string
	words    []string
}

// refinement splits the type "private equity fund", in the order of precedence: what a fund buys (other funds, stakes
// in them, property, infrastructure, debt) matters more than how mature its companies are.
//
// Spec: not shown; the contract has one example (a private equity fund called "… Growth Fund II" is growth), the
// words and their order are ours.
var refinement = []wordRule{
	{vocab.FundOfFunds, []string{"fund of funds", "funds of funds", "fof", "multi manager", "multimanager"}},
	{vocab.Secondaries, []string{"secondary", "secondaries"}},
	{vocab.RealEstate, []string{
		"real estate", "realty", "property", "properties", "multifamily", "reit", "housing", "apartment", "apartments",
	}},
	{vocab.Infrastructure, []string{"infrastructure", "infra"}},
	{vocab.Credit, []string{
		"credit", "debt", "lending", "loan", "loans", "mezzanine", "distressed", "unitranche", "private debt",
	}},
	{vocab.Growth, []string{"growth"}},
	{vocab.Venture, []string{"venture", "ventures", "vc", "seed", "early stage", "preseed"}},
	{vocab.Buyout, []string{"buyout", "buyouts", "buy out", "lbo"}},
}

// otherWords come into play for "other private fund" and for a type that is not answered, where the form says nothing
// at all: the narrow types have their words too there, before the refinement of private equity, whose type comes last.
var otherWords = concat(
	[]wordRule{
		{vocab.Securitized, []string{
			"clo", "clos", "cdo", "securitized", "securitised", "securitization", "securitisation", "asset backed",
		}},
		{vocab.Liquidity, []string{"liquidity", "money market", "cash management"}},
		{vocab.Hedge, []string{
			"hedge", "long short", "macro", "arbitrage", "market neutral", "absolute return", "quantitative", "quant",
		}},
	},
	refinement,
	[]wordRule{{vocab.Buyout, []string{"private equity", "pe"}}},
)

var (
	refine = compile(refinement)
	guess  = compile(otherWords)
)

// Strategy returns the strategy of a fund: from its Form ADV fund type, refined by whole words of its name where the
// type is too broad. Hedge, venture capital, real estate, liquidity and securitized asset funds are what their type
// says. A private equity fund is refined by its name, then by its being a fund of funds, and is otherwise a buyout
// fund. Any other fund is classified by the text beside its type, then by its name, then by its being a fund of funds.
//
// Spec: not shown; a fund of funds by the form (10% in other funds are enough for a yes) is one here only where
// neither its type nor its name says anything narrower.
func Strategy(f Fund) string {
	switch kind := strings.ToLower(f.Type); {
	case strings.Contains(kind, "hedge"):
		return vocab.Hedge
	case strings.Contains(kind, "venture"):
		return vocab.Venture
	case strings.Contains(kind, "real estate"):
		return vocab.RealEstate
	case strings.Contains(kind, "liquidity"):
		return vocab.Liquidity
	case strings.Contains(kind, "securitized"), strings.Contains(kind, "securitised"):
		return vocab.Securitized
	case strings.Contains(kind, "private equity"):
		if s := refine.find(f.Name); s != "" {
			return s
		}
		if f.FundOfFunds != nil && *f.FundOfFunds {
			return vocab.FundOfFunds
		}
		return vocab.Buyout
	}
	if s := guess.find(f.TypeOther); s != "" {
		return s
	}
	if s := guess.find(f.Name); s != "" {
		return s
	}
	if f.FundOfFunds != nil && *f.FundOfFunds {
		return vocab.FundOfFunds
	}
	return vocab.Other
}

// winding are the words in names of funds that are being wound up.
var winding = compile([]wordRule{{"liquidating", []string{
	"liquidating", "in liquidation", "liquidation", "wind down", "winddown", "winding down", "winding up", "wound up",
}}})

// SaysLiquidating reports whether a fund's name states that it is being wound up.
func SaysLiquidating(name string) bool { return winding.find(name) != "" }

// matcher finds the rule of the highest precedence whose word or phrase occurs in a text.
type matcher struct {
	rules   []wordRule
	longest map[string]int // first word → words in the longest phrase that begins with it
	rank    map[string]int // phrase → index of its rule
}

func compile(rules []wordRule) matcher {
	m := matcher{rules: rules, longest: map[string]int{}, rank: map[string]int{}}
	for i, rule := range rules {
		for _, phrase := range rule.words {
			first, _, _ := strings.Cut(phrase, " ")
			m.longest[first] = max(m.longest[first], strings.Count(phrase, " ")+1)
			if _, taken := m.rank[phrase]; !taken {
				m.rank[phrase] = i
			}
		}
	}
	return m
}

// find returns the strategy of the best rule, or nothing. Phrases are looked up as slices of the normalized text, so
// that no word is copied.
func (m matcher) find(s string) string {
	if s == "" {
		return ""
	}
	norm := text.Normalize(s)
	best := len(m.rules)
	for start := 0; start < len(norm); {
		first, _, more := strings.Cut(norm[start:], " ")
		end := start
		for range m.longest[first] {
			next := strings.IndexByte(norm[end:], ' ')
			stop := len(norm)
			if next >= 0 {
				stop = end + next
			}
			if i, ok := m.rank[norm[start:stop]]; ok {
				best = min(best, i)
			}
			if next < 0 {
				break
			}
			end = stop + 1
		}
		if !more {
			break
		}
		start += len(first) + 1
	}
	if best == len(m.rules) {
		return ""
	}
	return m.rules[best].strategy
}

func concat(groups ...[]wordRule) []wordRule {
	var all []wordRule
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}
