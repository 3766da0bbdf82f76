package console

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// NotStated is shown instead of a value that no filing states. Unknown is not zero.
const NotStated = "not stated"

// Money writes an amount in dollars with three digits: "$12.4 bn". v is a json.Number, an int64, a float64 or nil.
func Money(v any) string {
	f, ok := number(v)
	if !ok {
		return NotStated
	}
	sign := ""
	if f < 0 {
		sign, f = "−", -f
	}
	for _, u := range []struct {
		from float64
		name string
	}{{1e12, " tn"}, {1e9, " bn"}, {1e6, " m"}, {1e3, " k"}} {
		if f >= u.from*0.9995 {
			return sign + "$" + digits(f/u.from) + u.name
		}
	}
	return sign + "$" + strconv.FormatFloat(f, 'f', 0, 64)
}

// digits writes a number from 1 to 999 with three digits at most: 1.24, 12.4, 124.
func digits(f float64) string {
	decimals := 2
	switch {
	case f >= 99.95:
		decimals = 0
	case f >= 9.995:
		decimals = 1
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}

// Dollars writes an amount in full: "$12,400,000,000".
func Dollars(v any) string {
	if text := Count(v); text != NotStated {
		if amount, negative := strings.CutPrefix(text, "−"); negative {
			return "−$" + amount
		}
		return "$" + text
	}
	return NotStated
}

// Count writes a whole number with separators: "1,284".
func Count(v any) string {
	f, ok := number(v)
	if !ok {
		return NotStated
	}
	text := strconv.FormatInt(int64(math.Abs(f)), 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if f < 0 {
		return "−" + text
	}
	return text
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	case int64:
		return float64(n), true
	case int:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// Many writes a count with its noun: "1 request", "2 requests".
func Many(v any, noun string) string {
	if Whole(v) != 1 {
		noun += "s"
	}
	return Count(v) + " " + noun
}

// Whole is a number of an Answer; 0 if there is none.
func Whole(v any) int64 {
	f, _ := number(v)
	return int64(f)
}

// Float is a number of an Answer; 0 if there is none.
func Float(v any) float64 {
	f, _ := number(v)
	return f
}

// Age writes a number of seconds in its largest unit: "3 d".
func Age(v any) string {
	f, ok := number(v)
	if !ok {
		return NotStated
	}
	for _, u := range []struct {
		seconds float64
		name    string
	}{{24 * 3600, " d"}, {3600, " h"}, {60, " min"}} {
		if f >= u.seconds {
			return strconv.FormatInt(int64(f/u.seconds), 10) + u.name
		}
	}
	if f < 1 {
		return "under 1 s"
	}
	return strconv.FormatInt(int64(f), 10) + " s"
}

// Ticked is the value of a checkbox for true or false of an Answer.
func Ticked(v any) string {
	if v == true {
		return "yes"
	}
	return ""
}

// Day writes a date of the API, "2026-03-26" or a time, as "26 Mar 2026".
func Day(v any) string {
	text, _ := v.(string)
	if len(text) < len(time.DateOnly) {
		return NotStated
	}
	on, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	if err != nil {
		return NotStated
	}
	return on.Format("2 Jan 2006")
}

// Moment writes a time of the API to the minute: "26 Mar 2026, 09:30 UTC".
func Moment(v any) string {
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return NotStated
	}
	return at.UTC().Format("2 Jan 2006, 15:04 UTC")
}

// USD writes an amount of a bill, which has two to six decimals: "$0.25", "$0.0125".
func USD(v any) string {
	f, ok := number(v)
	if !ok {
		return NotStated
	}
	sign := ""
	if f < 0 {
		sign, f = "−", -f
	}
	whole, decimals, _ := strings.Cut(strconv.FormatFloat(f, 'f', 6, 64), ".")
	decimals = strings.TrimRight(decimals, "0")
	return sign + "$" + whole + "." + decimals + "00"[min(len(decimals), 2):]
}

// Or writes null as a word: "never".
func Or(write func(v any) string, none string) func(v any) string {
	return func(v any) string {
		if v == nil || v == "" {
			return none
		}
		return write(v)
	}
}

// Said writes the value of any field: an amount in dollars where the name of the field says so.
func Said(field string, v any) string {
	switch v.(type) {
	case bool:
		return Word(v)
	case json.Number:
		for _, money := range []string{"aum", "gav", "asset", "amount"} {
			if strings.Contains(field, money) {
				return Dollars(v)
			}
		}
	case []any, map[string]any:
		return "several"
	}
	return Plain(v)
}

// words are the values of the API that need other words on a page.
var words = map[string]string{
	"pe_vc": "Private equity and venture", "3c1": "Section 3(c)(1)", "3c7": "Section 3(c)(7)", "us": "US", "true": "Yes", "false": "No",
	"registered": "Registered with the SEC", "exempt_reporting": "Exempt reporting adviser",
	"total_aum": "Assets, Form ADV 5.F(2)(c)", "raum_discretionary": "Discretionary assets, 5.F(2)(a)", "raum_non_discretionary": "Non-discretionary assets, 5.F(2)(b)",
	"total_gav": "Gross assets of the funds", "net_gav": "Gross assets of the funds without feeders", "gross_asset_value": "Gross assets",
	"org_form": "Legal form", "org_state": "Organized in (state)", "org_country": "Organized in (country)", "sec_number": "SEC number", "street1": "Street", "street2": "Street, second line",
	"adv_archive": "Form ADV archive", "form_d": "Form D data set", "iapd_firm_feed": "IAPD firm feed", "advw": "Form ADV-W",
}

// Word writes a value of a closed vocabulary for people: "real_estate" is "Real estate", true is "Yes".
func Word(v any) string {
	text, ok := v.(string)
	if b, is := v.(bool); is {
		text, ok = strconv.FormatBool(b), true
	}
	if !ok || text == "" {
		return NotStated
	}
	if word, known := words[text]; known {
		return word
	}
	text = strings.NewReplacer("_", " ", "-", " ").Replace(text)
	return strings.ToUpper(text[:1]) + text[1:]
}

// Plain writes a text or number as it is.
func Plain(v any) string {
	switch text := v.(type) {
	case string:
		if text != "" {
			return text
		}
	case json.Number:
		return text.String()
	}
	return NotStated
}
