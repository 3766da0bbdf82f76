package httpapi

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Dollars is an amount of money in micro-dollars. In JSON it is an exact number of dollars: 25, 0.3. Callers may send at most
// two decimals.
type Dollars int64

// MarshalJSON writes the shortest number for the amount.
func (d Dollars) MarshalJSON() ([]byte, error) {
	text := new(big.Rat).SetFrac64(int64(d), 1e6).FloatString(6)
	return []byte(strings.TrimRight(strings.TrimRight(text, "0"), ".")), nil
}

var (
	typeOfDollars   = reflect.TypeFor[Dollars]()
	microsOfTheCent = big.NewRat(1e4, 1)
)

// mostDollars is the largest amount in an int64 of micro-dollars, to the cent.
const mostDollars = "9223372036854.77"

// outOfRange reports which end of the range a number is beyond.
func outOfRange(number string) string {
	if strings.HasPrefix(number, "-") {
		return "must be at least -" + mostDollars
	}
	return "must be at most " + mostDollars
}

// longestAmount is the maximum number of characters of an amount. The largest has sixteen; zeros may be appended.
const longestAmount = 40

// UnmarshalJSON reads a number of dollars by its digits, not as a floating-point number, which could round 10.0000000000000001
// to 10. The error is an UnmarshalTypeError, to which encoding/json adds the name of the field.
func (d *Dollars) UnmarshalJSON(text []byte) error {
	refuse := func(why string) error { return &json.UnmarshalTypeError{Value: why, Type: typeOfDollars} }
	const decimals = "must have at most two decimals"
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(text)), "e")
	n, err := strconv.Atoi(exponent)
	switch {
	case len(mantissa) <= longestAmount && exponent != "" && (err != nil || n > longestAmount) && !strings.HasPrefix(exponent, "-"):
		return refuse(outOfRange(mantissa))
	case len(mantissa) > longestAmount || exponent != "" && (err != nil || n < -longestAmount):
		return refuse("must be written with at most " + strconv.Itoa(longestAmount) + " digits")
	}
	amount, ok := new(big.Rat).SetString(string(text))
	if !ok {
		return refuse("must be a number")
	}
	cents := amount.Mul(amount, big.NewRat(100, 1))
	if !cents.IsInt() {
		return refuse(decimals)
	}
	micros := cents.Mul(cents, microsOfTheCent).Num()
	if !micros.IsInt64() {
		return refuse(outOfRange(mantissa))
	}
	*d = Dollars(micros.Int64())
	return nil
}

// Schema documents Dollars as a number.
func (Dollars) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Format: double}
}

// double makes generated clients use 64 bits for amounts: some use 32 for a number without a format.
const double = "double"
