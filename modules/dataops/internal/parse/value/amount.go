package value

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

var (
	errMoney    = errors.New("is not an amount in dollars")
	errCount    = errors.New("is not a whole number")
	errNegative = errors.New("is negative")
	errLarge    = errors.New("is larger than any amount can be")
	errPercent  = errors.New("is not a percentage between 0 and 100")
	errFlag     = errors.New("is neither Y nor N")
)

// amountMax bounds money and counts: a hundred times the world's wealth, and still exact as a float.
const amountMax = 1 << 53

// Money reads an amount in whole US dollars: 321687148, "           576,373,248.00", ".00", "$1,000", 1.5E+9.
// Cents are rounded to the nearest dollar, half up. Commas must part groups of three. Negative amounts are refused.
func Money(b []byte) (*int64, error) {
	b = trim(b)
	if len(b) == 0 {
		return nil, nil //nolint:nilnil // an empty cell is absent, which is no error
	}
	n := bytes.TrimLeft(bytes.TrimPrefix(b, []byte{'$'}), " ")
	v, cents, err := decimal(n, errMoney)
	if err != nil {
		return nil, err
	}
	if cents >= 0.5 {
		v++
	}
	return &v, nil
}

// Count reads a number of things: " 16", "1,850", "30.0". Parts of things are refused.
func Count(b []byte) (*int64, error) {
	b = trim(b)
	if len(b) == 0 {
		return nil, nil //nolint:nilnil // absent
	}
	v, part, err := decimal(b, errCount)
	if err != nil {
		return nil, err
	}
	if part != 0 {
		return nil, errCount
	}
	return &v, nil
}

// decimal reads an unsigned decimal number as its whole part and the rest.
func decimal(b []byte, refusal error) (whole int64, part float64, err error) {
	if len(b) > 0 && (b[0] == '-' || b[0] == '(') {
		return 0, 0, errNegative
	}
	if bytes.IndexByte(b, 'E') >= 0 || bytes.IndexByte(b, 'e') >= 0 {
		return scientific(b, refusal)
	}
	head, tail, pointed := bytes.Cut(b, []byte{'.'})
	if len(head) == 0 && len(tail) == 0 || pointed && !digits(tail) {
		return 0, 0, refusal
	}
	run, commas := 0, false // digits since the last comma
	for _, x := range head {
		switch {
		case x >= '0' && x <= '9':
			run++
			if whole = whole*10 + int64(x-'0'); whole > amountMax {
				return 0, 0, errLarge
			}
		case x == ',' && (run == 3 || !commas && run > 0 && run < 3):
			run, commas = 0, true
		default:
			return 0, 0, refusal
		}
	}
	if commas && run != 3 {
		return 0, 0, refusal
	}
	scale := 0.1
	for _, x := range tail[:min(len(tail), 15)] {
		part += float64(x-'0') * scale
		scale /= 10
	}
	return whole, part, nil
}

// scientific reads the form in which spreadsheets store large numbers (1.234E+10).
func scientific(b []byte, refusal error) (whole int64, part float64, err error) {
	if len(b) == 0 || b[0] != '.' && (b[0] < '0' || b[0] > '9') || bytes.ContainsAny(b, "xXpP_") {
		return 0, 0, refusal
	}
	f, err := strconv.ParseFloat(string(b), 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && f > amountMax:
		return 0, 0, errLarge
	case err != nil:
		return 0, 0, refusal
	}
	head, part := math.Modf(f)
	return int64(head), part, nil
}

// Percent reads a share between 0 and 100, with or without the sign.
func Percent(b []byte) (*float64, error) {
	b = trim(bytes.TrimSuffix(trim(b), []byte{'%'}))
	if len(b) == 0 {
		return nil, nil //nolint:nilnil // absent
	}
	if bytes.ContainsAny(b, "xXpP_nN") { // hexadecimal, infinities and no-numbers are Go's, not the form's
		return nil, errPercent
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || f < 0 || f > 100 {
		return nil, errPercent
	}
	return &f, nil
}

// Flag points to yes and no: there are many answers, and none is changed.
var yes, no = true, false

// Flag reads an answer: Y or N, in either case; empty is not answered. What it points to is shared: do not write to it.
func Flag(b []byte) (*bool, error) {
	b = trim(b)
	switch {
	case len(b) == 0:
		return nil, nil //nolint:nilnil // not answered
	case bytes.EqualFold(b, []byte("Y")), bytes.EqualFold(b, []byte("Yes")):
		return &yes, nil
	case bytes.EqualFold(b, []byte("N")), bytes.EqualFold(b, []byte("No")):
		return &no, nil
	}
	return nil, errFlag
}
