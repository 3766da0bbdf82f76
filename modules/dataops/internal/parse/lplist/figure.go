package lplist

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

var (
	errAmount = errors.New("is not an amount")
	errNumber = errors.New("is not a number")
	errLarge  = errors.New("is larger than any amount can be")
)

// amountMax bounds amounts: far more than any fund has, and exact as a float.
const amountMax = 1 << 53

// absent are what lists write where there is no figure, in lower case.
var absent = []string{"", "-", "--", "---", "–", "—", "n/m", "nm", "n.m.", "n/a", "na", "n.a.", "#n/a", "nan", "null", "none", "$-", "$ -", "tbd"}

func isAbsent(cell string) bool { return slices.Contains(absent, strings.ToLower(cell)) }

// decimal is a number as it was written: its digits, the last scale of them after the decimal point. Amounts are never
// floats in between: 24.096353999999998 million is 24,096,354 dollars by its digits.
type decimal struct {
	negative bool
	digits   string // without leading zeros
	scale    int    // digits behind the point; negative where zeros follow
}

// parse reads 1,234.5, -1234.5, (1,234.5), ($1,234), -$5, 1.5e-05. Commas must part groups of three.
func parse(cell string) (d decimal, ok bool) {
	s := strings.TrimSpace(cell)
	s, d.negative = unsigned(s)
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(s), "e")
	if scientific {
		n, err := strconv.Atoi(exponent)
		if err != nil || n < -40 || n > 40 {
			return d, false
		}
		d.scale = -n
	}
	whole, part, pointed := strings.Cut(mantissa, ".")
	whole, ok = ungrouped(whole)
	if !ok || !digits(part) || whole+part == "" || pointed && part == "" && whole == "" || len(whole)+len(part) > 60 {
		return d, false
	}
	d.scale += len(part)
	d.digits = strings.TrimLeft(whole+part, "0")
	return d, true
}

// unsigned takes the sign, the parentheses of a negative and the dollar sign off a number.
func unsigned(s string) (rest string, negative bool) {
	for {
		switch {
		case len(s) > 1 && s[0] == '(' && s[len(s)-1] == ')' && !negative:
			s, negative = strings.TrimSpace(s[1:len(s)-1]), true
		case strings.HasPrefix(s, "$"):
			s = strings.TrimSpace(s[1:])
			if strings.HasPrefix(s, "$") {
				return "", negative
			}
		case (strings.HasPrefix(s, "-") || strings.HasPrefix(s, "\u2212")) && !negative:
			s, negative = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s, "-"), "\u2212")), true
		default:
			return s, negative
		}
	}
}

// ungrouped takes the commas out of a whole number.
func ungrouped(s string) (string, bool) {
	groups := strings.Split(s, ",")
	for i, g := range groups {
		if !digits(g) || len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3)) {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func digits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// dollars is the number in units of ten to that power as whole dollars, half a dollar rounded away from zero.
func (d decimal) dollars(power int) (int64, error) {
	point := len(d.digits) - d.scale + power
	switch {
	case point < 0 || d.digits == "":
		return 0, nil
	case point > 17:
		return 0, errLarge
	}
	padded := d.digits + strings.Repeat("0", max(0, point+1-len(d.digits)))
	n := int64(0)
	if point > 0 {
		var err error
		if n, err = strconv.ParseInt(padded[:point], 10, 64); err != nil {
			return 0, errAmount
		}
	}
	if padded[point] >= '5' {
		n++
	}
	if n > amountMax {
		return 0, errLarge
	}
	if d.negative {
		n = -n
	}
	return n, nil
}

// float is the number times ten to that power.
func (d decimal) float(power int) float64 {
	if d.digits == "" {
		return 0
	}
	f, err := strconv.ParseFloat(d.digits+"e"+strconv.Itoa(power-d.scale), 64)
	if err != nil {
		return math.Inf(1)
	}
	if d.negative {
		return -f
	}
	return f
}

// amount reads an amount in units of ten to that power; nil where there is none.
func amount(cell string, power int) (*int64, error) {
	if isAbsent(cell) {
		return nil, nil //nolint:nilnil // an amount that is not stated is no error
	}
	d, ok := parse(cell)
	if !ok {
		return nil, errAmount
	}
	n, err := d.dollars(power)
	if err != nil {
		return nil, err
	}
	return &n, nil
}

// rate reads a rate of return in percent: 13.5%, or a number, which is a percentage or a fraction of one.
func rate(cell string, percent bool) (*float64, error) {
	text, signed := strings.CutSuffix(cell, "%")
	if text = strings.TrimSpace(text); strings.HasSuffix(text, "%)") && strings.HasPrefix(text, "(") {
		text, signed = strings.TrimSuffix(text, "%)")+")", true
	}
	if signed && text == "" {
		return nil, errNumber
	}
	power := 2
	if signed || percent {
		power = 0
	}
	return number(text, power, rateMax)
}

// multiple reads a multiple: 1.35, 1.35x.
func multiple(cell string) (*float64, error) {
	text := strings.TrimSpace(strings.TrimRight(cell, "xX×"))
	if text == "" && cell != "" {
		return nil, errNumber
	}
	return number(text, 0, multipleMax)
}

// The bounds of rates, in percent, and multiples. What is beyond them was written in another unit.
const (
	rateMax     = 10_000
	multipleMax = 1_000
)

// number reads a number times ten to that power; nil where there is none.
func number(cell string, power int, most float64) (*float64, error) {
	if isAbsent(cell) {
		return nil, nil //nolint:nilnil // a figure that is not stated is no error
	}
	d, ok := parse(cell)
	if !ok {
		return nil, errNumber
	}
	f := d.float(power)
	if math.Abs(f) > most {
		return nil, errors.New("is beyond " + strconv.FormatFloat(most, 'f', -1, 64))
	}
	return &f, nil
}
