package dunning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The currencies without hundredths at Stripe. UGX and ISK have none, but Stripe counts them.
var (
	whole      = []string{"BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF"}
	thousandth = []string{"BHD", "JOD", "KWD", "OMR", "TND"}
)

// Amount writes an amount of Stripe's, which counts the smallest unit of a currency: "1,250.00 USD", "4,900 JPY".
func Amount(units int64, currency string) string {
	currency = strings.ToUpper(currency)
	decimals := 2
	switch {
	case slices.Contains(whole, currency):
		decimals = 0
	case slices.Contains(thousandth, currency):
		decimals = 3
	}
	sign, digits := "", fmt.Sprintf("%0*d", decimals+1, units)
	if units < 0 {
		sign, digits = "-", fmt.Sprintf("%0*s", decimals+1, strconv.FormatInt(units, 10)[1:])
	}
	integer, fraction := digits[:len(digits)-decimals], digits[len(digits)-decimals:]
	for i := len(integer) - 3; i > 0; i -= 3 {
		integer = integer[:i] + "," + integer[i:]
	}
	if decimals > 0 {
		integer += "." + fraction
	}
	return sign + integer + " " + currency
}
