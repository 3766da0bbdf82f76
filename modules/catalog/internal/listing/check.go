package listing

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// Bounds of text filters, in characters after trimming.
const (
	MinQuery = 2
	MaxQuery = 200
	MaxWords = 100
)

// Check turns the filters of one request into what the index is asked, notes them as applied, and collects what is
// wrong with them. What a schema can say (types, enumerations, bounds) has been checked before.
type Check struct {
	Applied Applied
	// Filed is the catalogue, for places that have no code but are filed; nil takes every name for one that may be.
	Filed  *index.Snapshot
	faults []apperr.FieldError
}

// Err is every fault found, as one invalid-request error, or nil.
func (c *Check) Err() error {
	if len(c.faults) == 0 {
		return nil
	}
	return apperr.Invalid(c.faults...)
}

// Fault notes that a parameter is wrong.
func (c *Check) Fault(name, format string, args ...any) {
	c.faults = append(c.faults, apperr.FieldError{Field: name, Message: fmt.Sprintf(format, args...)})
}

// Query checks a search text: 2 to 200 characters after trimming, with a letter or a digit among them.
func (c *Check) Query(name string, o httpapi.Opt[string]) string {
	return c.words(name, o, MinQuery, MaxQuery)
}

// Words checks a filter of free text: up to 100 characters after trimming, with a letter or a digit among them.
func (c *Check) Words(name string, o httpapi.Opt[string]) string {
	return c.words(name, o, 1, MaxWords)
}

func (c *Check) words(name string, o httpapi.Opt[string], least, most int) string {
	if !o.Set {
		return ""
	}
	s := strings.TrimSpace(o.Value)
	switch n := utf8.RuneCountInString(s); {
	case n < least || n > most:
		c.Fault(name, "must have %d to %d characters", least, most)
	case text.Normalise(s) == "":
		c.Fault(name, "must contain a letter or a digit")
	default:
		c.Applied.add(name, s)
	}
	return s
}

// Choice takes a filter whose values the schema enumerates.
func (c *Check) Choice(name string, o httpapi.Opt[string]) string {
	if o.Set {
		c.Applied.add(name, o.Value)
	}
	return o.Value
}

// Tri takes a filter that is yes, no or absent.
func (c *Check) Tri(name string, o httpapi.Opt[bool]) index.Tri {
	if !o.Set {
		return index.Any
	}
	c.Applied.add(name, o.Value)
	if o.Value {
		return index.Yes
	}
	return index.No
}

// Former takes the wish for former managers in place of the current ones. Unless it is true it is no filter.
func (c *Check) Former(o httpapi.Opt[bool]) bool {
	if o.Value {
		c.Applied.add("former", true)
	}
	return o.Value
}

// Order is the sort key and the direction of a search. Without a key a search by text sorts by relevance, which has one direction.
func Order(key, direction httpapi.Opt[string], text string) (by index.Order, desc bool) {
	desc = direction.Value == "desc"
	switch key.Value {
	case "aum":
		return index.ByAUM, desc
	case "fund_count":
		return index.ByFundCount, desc
	case "employees":
		return index.ByEmployees, desc
	case "gav":
		return index.ByGAV, desc
	case "vintage_year":
		return index.ByVintage, desc
	case "":
		if text != "" {
			return index.ByRelevance, false
		}
	}
	return index.ByName, desc
}

// Number takes a filter that is one number; 0 means absent.
func (c *Check) Number(name string, o httpapi.Opt[int64]) int64 {
	if o.Set {
		c.Applied.add(name, o.Value)
	}
	return o.Value
}

// Range takes a pair of inclusive bounds and refuses one that nothing could satisfy.
func (c *Check) Range(minName string, low httpapi.Opt[int64], maxName string, high httpapi.Opt[int64]) index.Range {
	if low.Set {
		c.Applied.add(minName, low.Value)
	}
	if high.Set {
		c.Applied.add(maxName, high.Value)
	}
	if low.Set && high.Set && low.Value > high.Value {
		c.Fault(minName, "must not be greater than %s (%d > %d)", maxName, low.Value, high.Value)
	}
	return index.Range{Min: low.Ptr(), Max: high.Ptr()}
}

// Days takes a pair of days, both inclusive, and refuses one that nothing could satisfy.
//
// Spec: not shown; "after" and "before" include the day itself, as the other pairs include their bounds.
func (c *Check) Days(fromName string, from httpapi.Opt[httpapi.Date], toName string, to httpapi.Opt[httpapi.Date]) index.Range {
	if from.Set {
		c.Applied.add(fromName, from.Value.String())
	}
	if to.Set {
		c.Applied.add(toName, to.Value.String())
	}
	if from.Set && to.Set && from.Value.After(to.Value.Time) {
		c.Fault(fromName, "must not be later than %s (%s > %s)", toName, from.Value, to.Value)
	}
	return index.Days(from.Value.Time, to.Value.Time)
}

// Strategies expands strategies and their aliases, of which several may be given with commas between them.
//
// Spec: not shown; a list is accepted because filters_applied shows PE as the three strategies that it stands for, and
// what it shows can be sent back.
func (c *Check) Strategies(name string, o httpapi.Opt[string]) []string {
	if !o.Set {
		return nil
	}
	var all []string
	for part := range strings.SplitSeq(o.Value, ",") {
		some, ok := vocab.ExpandStrategy(part)
		if !ok {
			c.Fault(name, "%q is not a strategy; the strategies are %s, and the aliases %s%s",
				short(part), strings.Join(vocab.Strategies(), ", "), strings.Join(vocab.StrategyAliases(), ", "),
				httpapi.DidYouMean(short(part), vocab.Strategies()))
			return nil
		}
		for _, s := range some {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	c.Applied.add(name, strings.Join(all, ","))
	return all
}

// State takes a US state by its code or name.
func (c *Check) State(name string, o httpapi.Opt[string]) string {
	if !o.Set {
		return ""
	}
	code, ok := vocab.StateCode(o.Value)
	if !ok {
		c.Fault(name, "%q is not a US state; send a code such as NY%s", short(o.Value), httpapi.DidYouMean(short(o.Value), vocab.StateNames()))
		return ""
	}
	c.Applied.add(name, code)
	return code
}

// Country takes a country by its ISO 3166 alpha-2 code (UK and GB mean the same) or one of its names, as its code. A name without
// a code is taken as it is where it is filed: the list of locations shows it.
func (c *Check) Country(name string, o httpapi.Opt[string]) string {
	if o.Set {
		if _, known := vocab.CountryCode(o.Value); !known && utf8.RuneCountInString(strings.TrimSpace(o.Value)) > 2 && c.Filed.FilesCountry(o.Value) {
			return c.Words(name, o)
		}
	}
	return c.CountryCode(name, o)
}

// OrgState takes the state or place under whose law an adviser is organised: a US state by code or name, a country by its
// name, or a place as filed.
func (c *Check) OrgState(name string, o httpapi.Opt[string]) string {
	if o.Set {
		_, isState := vocab.StateCode(o.Value)
		_, isCountry := vocab.CountryCode(o.Value)
		if text.Normalise(o.Value) != "" && !isState && !isCountry && !c.Filed.FilesOrgState(o.Value) {
			c.Fault(name, "%q is not a place where advisers are organized; send a US state by code or name, or a place as filed%s",
				short(o.Value), httpapi.DidYouMean(short(o.Value), places()))
			return ""
		}
	}
	return c.Words(name, o)
}

// places are the names of the US states and of the countries.
var places = sync.OnceValue(func() []string { return slices.Concat(vocab.StateNames(), vocab.SortedCountryNames()) })

// CountryCode takes a country that has an ISO 3166 alpha-2 code by that (UK and GB mean the same) or one of its names.
func (c *Check) CountryCode(name string, o httpapi.Opt[string]) string {
	if !o.Set {
		return ""
	}
	code, ok := vocab.CountryCode(o.Value)
	if !ok {
		c.Fault(name, "%q is not a country; send its ISO 3166 alpha-2 code, such as US, or its name%s",
			short(o.Value), httpapi.DidYouMean(short(o.Value), vocab.SortedCountryNames()))
		return ""
	}
	c.Applied.add(name, code)
	return code
}

// Place takes the place under whose law a fund is organised: a country by code or name, or a US state by code or name.
// Two letters are a country where there is one ("DE" is Germany, "NY" the state); a name that is both (Georgia) means
// both; a name that is neither must be a place as filed.
func (c *Check) Place(name string, o httpapi.Opt[string]) string {
	if !o.Set {
		return ""
	}
	place := strings.TrimSpace(o.Value)
	country, isCountry := vocab.CountryCode(place)
	state, isState := vocab.StateCode(place)
	switch {
	case len(place) == 2 && isCountry, isCountry && !isState:
		place = country
	case len(place) == 2 && isState:
		place = state
	case isState && !isCountry:
		place, _ = vocab.StateName(state)
	case !isCountry && (len(place) <= 2 || utf8.RuneCountInString(place) > MaxWords || text.Normalise(place) == "" || !c.Filed.FilesJurisdiction(place)):
		c.Fault(name, "%q is not a place; send a country's ISO 3166 alpha-2 code or name, or a US state%s",
			short(place), httpapi.DidYouMean(short(place), places()))
		return ""
	}
	c.Applied.add(name, place)
	return place
}

// Band takes one of the AUM bands, in whole dollars: the lower bound is part of it, the upper is not.
func (c *Check) Band(name string, o httpapi.Opt[string]) index.Range {
	if !o.Set {
		return index.Range{}
	}
	c.Applied.add(name, o.Value)
	const million = 1_000_000
	from := func(v int64) *int64 { return &v }
	below := func(v int64) *int64 { return from(v - 1) }
	switch o.Value {
	case "<100M":
		return index.Range{Max: below(100 * million)}
	case "100M-500M":
		return index.Range{Min: from(100 * million), Max: below(500 * million)}
	case "500M-1B":
		return index.Range{Min: from(500 * million), Max: below(1000 * million)}
	case "1B-10B":
		return index.Range{Min: from(1000 * million), Max: below(10_000 * million)}
	case ">10B":
		return index.Range{Min: from(10_000 * million)}
	}
	c.Fault(name, "is not a known band") // the schema lists the same five
	return index.Range{}
}

// short cuts a caller's text to what may be repeated in an answer.
func short(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most]) + "…"
	}
	return s
}
