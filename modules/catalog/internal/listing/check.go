package listing

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Bounds of text filters, in characters after trimming.
const (
	MinQuery = 2
	MaxQuery = 200
	MaxWords = 100 // of one value
)

// Check turns the filters of one request into what the index is asked, notes them as applied, and collects what is
// wrong with them. What a schema can say (types, enumerations, bounds) has been checked before.
type Check struct {
	Applied Applied
	// Filed is the catalog, for places that have no code but are filed; nil takes every name for one that may be.
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
	if !o.Set {
		return ""
	}
	s := strings.TrimSpace(o.Value)
	if fault := wordsFault(s, MinQuery, MaxQuery); fault != "" {
		c.Fault(name, "%s", fault)
	} else {
		c.Applied.add(name, s)
	}
	return s
}

// wordsFault is what is wrong with a text, or nothing.
func wordsFault(s string, least, most int) string {
	switch n := utf8.RuneCountInString(s); {
	case n < least || n > most:
		return fmt.Sprintf("must have %d to %d characters", least, most)
	case text.Normalize(s) == "":
		return "must contain a letter or a digit"
	}
	return ""
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

// Raising takes the wish for funds with an offering that is open today: announced or raising.
//
// Spec: not shown; false is refused, for which funds raise no money is not filed.
func (c *Check) Raising(o httpapi.Opt[bool], clk clock.Clock) index.Range {
	switch {
	case !o.Set:
		return index.Range{}
	case !o.Value:
		c.Fault("raising_now", "can only be true; leave it out for all others")
		return index.Range{}
	}
	c.Applied.add("raising_now", true)
	return index.Days(fold.OfferedSince(clock.Today(clk)), time.Time{})
}

// orders are the sort keys by their names.
var orders = map[string]index.Order{
	"name": index.ByName, "aum": index.ByAUM, "fund_count": index.ByFundCount, "employees": index.ByEmployees,
	"registered_on": index.ByRegistered, "founded_year": index.ByFounded, "latest_filing_date": index.ByLatestFiled,
	"aum_growth_1y": index.ByGrowth1, "aum_growth_2y": index.ByGrowth2, "aum_growth_3y": index.ByGrowth3, "aum_growth_5y": index.ByGrowth5,
	"total_gav": index.ByTotalGAV, "investors": index.ByInvestors,
	"gav": index.ByGAV, "vintage_year": index.ByVintage, "first_filing_date": index.ByFirstFiled, "closed": index.ByClosed,
}

// Order is the sort key and the direction of a search. Without a key a search by text sorts by relevance, which has one
// direction. "as_sent" is the order of a list of keys, which must be sent.
func (c *Check) Order(key, direction httpapi.Opt[string], text, list string, keys []string) (by index.Order, desc bool) {
	desc = direction.Value == "desc"
	switch {
	case key.Value == "as_sent" && len(keys) == 0:
		c.Fault("sort", "as_sent needs %s", list)
	case key.Value == "as_sent":
		return index.BySent, false
	case key.Value == "" && text != "":
		return index.ByRelevance, false
	}
	return orders[key.Value], desc // by name without a key
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

// Percents takes a pair of inclusive bounds in percent, as a range of hundredths of a percent.
func (c *Check) Percents(minName string, low httpapi.Opt[float64], maxName string, high httpapi.Opt[float64]) (r index.Range) {
	const hundredth, exact = 100, 1e-6 // 9.54 * 100 is a little less than 954
	if low.Set {
		c.Applied.add(minName, low.Value)
		r.Min = new(int64(math.Ceil(low.Value*hundredth - exact)))
	}
	if high.Set {
		c.Applied.add(maxName, high.Value)
		r.Max = new(int64(math.Floor(high.Value*hundredth + exact)))
	}
	if low.Set && high.Set && low.Value > high.Value {
		c.Fault(minName, "must not be greater than %s (%v > %v)", maxName, low.Value, high.Value)
	}
	return r
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

// places are the names of the US states and of the countries.
var places = sync.OnceValue(func() []string { return slices.Concat(vocab.StateNames(), vocab.SortedCountryNames()) })
