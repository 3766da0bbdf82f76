package listing

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// The most values of one filter, and of a list of keys.
const (
	MaxValues = 50
	MaxKeys   = 200
)

// longest is how many parts between separators the longest value has: two commas are in names of places.
const longest = 4

// The separators of values. A comma is part of many names of cities and firms.
const (
	comma     = ","
	semicolon = ";"
)

// value reads one value of a list: its form in filters_applied, or what is wrong with it.
type value func(part string) (read, fault string)

// list takes a filter of one or more values, each once. A value may contain a comma ("Korea, Republic of"): the
// longest text that is a value counts.
//
// Spec: not shown; the contract's filters take one value, and several are any of them.
func (c *Check) list(name string, o httpapi.Opt[string], separator string, most int, read value) []string {
	if !o.Set {
		return nil
	}
	parts, joined := strings.Split(o.Value, separator), longest
	if separator == semicolon {
		joined = 1
	}
	var all []string
	for i := 0; i < len(parts); {
		to, one, fault := i+1, "", ""
		for end := min(i+joined, len(parts)); end > i; end-- {
			if one, fault = read(strings.Join(parts[i:end], separator)); fault == "" {
				to = end
				break
			}
		}
		switch {
		case fault != "" && strings.TrimSpace(parts[i]) == "" && len(parts) > 1:
			c.Fault(name, "has an empty value; send the values with one %q between two of them", separator)
			return nil
		case fault != "":
			c.Fault(name, "%s", fault)
			return nil
		case !slices.Contains(all, one):
			all = append(all, one)
		}
		if i = to; len(all) > most {
			c.Fault(name, "must not have more than %d values", most)
			return nil
		}
	}
	c.Applied.add(name, strings.Join(all, separator))
	return all
}

// Asked takes a filter and the one that excludes, both of the same kind of values, and refuses what nothing could satisfy.
func (c *Check) Asked(read func(name string, o httpapi.Opt[string]) []string, name string, some httpapi.Opt[string], not string, none httpapi.Opt[string]) index.Asked {
	return c.Opposed(name, not, index.Asked{Any: read(name, some), None: read(not, none)})
}

// Opposed refuses values that are asked for and excluded.
func (c *Check) Opposed(name, not string, a index.Asked) index.Asked {
	for _, v := range a.Any {
		if slices.ContainsFunc(a.None, func(n string) bool {
			return n == v || text.Normalize(n) == text.Normalize(v) && text.Normalize(v) != ""
		}) {
			c.Fault(name, "asks for what %s excludes: %s", not, apperr.Short(v))
			break
		}
	}
	return a
}

// Any takes a filter of values; a record must have one of them.
func Any(values []string) index.Asked { return index.Asked{Any: values} }

// Choices takes a filter of words of a closed vocabulary.
func (c *Check) Choices(words ...string) func(name string, o httpapi.Opt[string]) []string {
	return func(name string, o httpapi.Opt[string]) []string {
		return c.list(name, o, comma, MaxValues, func(part string) (string, string) {
			if part = strings.TrimSpace(part); slices.Contains(words, part) {
				return part, ""
			}
			return "", "must be one of " + strings.Join(words, ", ") + httpapi.DidYouMean(apperr.Short(part), words)
		})
	}
}

// WordLists takes a filter of free texts with semicolons between them: each up to 100 characters, with a letter or a digit
// among them.
func (c *Check) WordLists(name string, o httpapi.Opt[string]) []string {
	return c.list(name, o, semicolon, MaxValues, func(part string) (string, string) {
		part = strings.TrimSpace(part)
		return part, wordsFault(part, 1, MaxWords)
	})
}

// States takes US states by code or name.
func (c *Check) States(name string, o httpapi.Opt[string]) []string {
	return c.list(name, o, comma, MaxValues, func(part string) (string, string) {
		if code, ok := vocab.StateCode(part); ok {
			return code, ""
		}
		return "", quoted(part) + " is not a US state; send a code such as NY" + httpapi.DidYouMean(apperr.Short(part), vocab.StateNames())
	})
}

// Countries takes countries by their ISO 3166 alpha-2 codes (UK and GB mean the same) or by their names, as their codes. A
// name without a code is taken as it is where it is filed: the list of locations shows it.
func (c *Check) Countries(name string, o httpapi.Opt[string]) []string {
	return c.list(name, o, comma, MaxValues, func(part string) (string, string) {
		if code, known := vocab.CountryCode(part); known {
			return code, ""
		}
		place := strings.TrimSpace(part)
		if utf8.RuneCountInString(place) > 2 && c.Filed.FilesCountry(place) {
			return place, wordsFault(place, 1, MaxWords)
		}
		return "", noCountry(part)
	})
}

// CountryCodes takes countries that have an ISO 3166 alpha-2 code by that (UK and GB mean the same) or by one of their names.
func (c *Check) CountryCodes(name string, o httpapi.Opt[string]) []string {
	return c.list(name, o, comma, MaxValues, func(part string) (string, string) {
		if code, ok := vocab.CountryCode(part); ok {
			return code, ""
		}
		return "", noCountry(part)
	})
}

func noCountry(part string) string {
	return quoted(part) + " is not a country; send its ISO 3166 alpha-2 code, such as US, or its name" +
		httpapi.DidYouMean(apperr.Short(part), vocab.SortedCountryNames())
}

// OrgStates takes states or places under whose law an adviser is organized: US states by code or name, countries by name, or
// places as filed.
func (c *Check) OrgStates(name string, o httpapi.Opt[string]) []string {
	return c.list(name, o, comma, MaxValues, func(part string) (string, string) {
		place := strings.TrimSpace(part)
		_, isState := vocab.StateCode(place)
		_, isCountry := vocab.CountryCode(place)
		if text.Normalize(place) != "" && !isState && !isCountry && !c.Filed.FilesOrgState(place) {
			return "", quoted(part) + " is not a place where advisers are organized; send a US state by code or name, or a place as filed" +
				httpapi.DidYouMean(apperr.Short(part), places())
		}
		return place, wordsFault(place, 1, MaxWords)
	})
}

// Places takes places under whose law a fund is organized: see place.
func (c *Check) Places(name string, o httpapi.Opt[string]) []string {
	return c.list(name, o, comma, MaxValues, c.place)
}

// place takes a country by code or name, or a US state by code or name. Two letters are a country where there is one ("DE"
// is Germany, "NY" the state); a name that is both (Georgia) means both; a name that is neither must be a place as filed.
func (c *Check) place(part string) (read, fault string) {
	place := strings.TrimSpace(part)
	country, isCountry := vocab.CountryCode(place)
	state, isState := vocab.StateCode(place)
	switch {
	case len(place) == 2 && isCountry, isCountry && !isState:
		place = country
	case len(place) == 2 && isState:
		place = state
	case isState && !isCountry:
		place, _ = vocab.StateName(state)
	case !isCountry && (len(place) <= 2 || utf8.RuneCountInString(place) > MaxWords || text.Normalize(place) == "" || !c.Filed.FilesJurisdiction(place)):
		return "", quoted(part) + " is not a place; send a country's ISO 3166 alpha-2 code or name, or a US state" +
			httpapi.DidYouMean(apperr.Short(place), places())
	}
	return place, ""
}

// Strategies takes strategies and their aliases, and those to exclude. An alias can be excluded in part: PE without growth.
//
// Spec: not shown; a list is accepted because filters_applied shows PE as the three strategies that it means, and its
// values can be sent as parameters.
func (c *Check) Strategies(name string, some httpapi.Opt[string], not string, none httpapi.Opt[string]) index.Asked {
	var a index.Asked
	asked, excluded := c.strategies(name, some), c.strategies(not, none)
	a.Any, a.None = once(asked), once(excluded)
	for _, each := range asked {
		if !slices.ContainsFunc(each, func(s string) bool { return !slices.Contains(a.None, s) }) {
			c.Fault(name, "asks for what %s excludes: %s", not, strings.Join(each, ", "))
			break
		}
	}
	return a
}

// strategies returns the strategies that each value means.
func (c *Check) strategies(name string, o httpapi.Opt[string]) (each [][]string) {
	if !o.Set {
		return nil
	}
	parts := strings.Split(o.Value, comma)
	if len(parts) > MaxValues {
		c.Fault(name, "must not have more than %d values", MaxValues)
		return nil
	}
	for _, part := range parts {
		some, ok := vocab.ExpandStrategy(part)
		if !ok {
			c.Fault(name, "%s is not a strategy; the strategies are %s, and the aliases %s%s", quoted(part),
				strings.Join(vocab.Strategies(), ", "), strings.Join(vocab.StrategyAliases(), ", "), httpapi.DidYouMean(apperr.Short(part), vocab.Strategies()))
			return nil
		}
		each = append(each, some)
	}
	c.Applied.add(name, strings.Join(once(each), comma))
	return each
}

// once lists what is in any of lists, each once.
func once(lists [][]string) (all []string) {
	for _, s := range slices.Concat(lists...) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// CRDs takes a list of CRD numbers.
func (c *Check) CRDs(most int) func(name string, o httpapi.Opt[string]) []string {
	return c.keys(most, catalogapi.IsCRD, "a CRD number: 1 to 10 digits without leading zeros")
}

// FundIDs takes a list of IDs of funds, as filed.
func (c *Check) FundIDs(name string, o httpapi.Opt[string]) []string {
	return c.keys(MaxKeys, catalogapi.IsFundID, "an ID of a fund: 805- and ten digits")(name, o)
}

func (c *Check) keys(most int, is func(string) bool, what string) func(name string, o httpapi.Opt[string]) []string {
	return func(name string, o httpapi.Opt[string]) []string {
		return c.list(name, o, comma, most, func(part string) (string, string) {
			if part = strings.TrimSpace(part); is(part) {
				return part, ""
			}
			return "", quoted(part) + " is not " + what
		})
	}
}

// quoted repeats a caller's text, cut to a bearable length.
func quoted(part string) string { return strconv.Quote(apperr.Short(part)) }
