package lplist

import (
	"math/big"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// Guarantee: amounts are read by their digits, in every way that lists write them, and nothing else is taken for one.
func TestAmount(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]int64{
		"24.096353999999998": 24_096_354, "0.1251735": 125_174, "0.1251734": 125_173, "-1.007842": -1_007_842, "(1,234.5)": -1_234_500_000,
		"$1,000.0": 1_000_000_000, "($2.5)": -2_500_000, "$(2.5)": -2_500_000, "-$2.5": -2_500_000, "\u22122.5": -2_500_000, "1e-05": 10, "1.5E+3": 1_500_000_000,
		"0": 0, ".5": 500_000, "5.": 5_000_000, "0.0000004": 0, "0.0000005": 1, "-0.0000005": -1, "007": 7_000_000,
	} {
		got, err := amount(cell, 6)
		require.NoError(t, err, cell)
		require.NotNil(t, got, cell)
		require.Equal(t, want, *got, cell)
	}
	for _, cell := range []string{"", "N/M", "n/a", "--", "-", "—", "NaN", "TBD"} {
		got, err := amount(cell, 6)
		require.NoError(t, err, cell)
		require.Nil(t, got, cell)
	}
	for _, cell := range []string{
		"1,00", "1.000,5", "1,2345", ",100", "abc", "1.2.3", "--5", "((5))", "0x10", "1e99", "1_000", "1 000", "5%", "$$5", ".", "+", "()", "12M", "9999999999999", "£5", "infinity",
	} {
		got, err := amount(cell, 6)
		require.Error(t, err, cell)
		require.Nil(t, got, cell)
	}
}

// FuzzAmount holds what is read against exact fractions.
func FuzzAmount(f *testing.F) {
	for _, seed := range []string{"24.096353999999998", "(1,234.5)", "-$2.5", "1e-05", "N/M", "1,00", "", "($)", "9e40"} {
		f.Add(seed, uint8(6))
	}
	f.Fuzz(func(t *testing.T, cell string, power uint8) {
		power %= 10
		got, err := amount(cell, int(power))
		if err != nil || got == nil {
			return
		}
		text := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsSpace(r), strings.ContainsRune(",$)", r):
				return -1
			case r == '(', r == '\u2212': // parentheses, or the sign of mathematics
				return '-'
			}
			return r
		}, cell)
		exact, ok := new(big.Rat).SetString(text)
		require.True(t, ok, "%q is read as an amount, but is no number", cell)
		exact.Mul(exact, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil)))
		off := new(big.Rat).Sub(exact, new(big.Rat).SetInt64(*got))
		require.LessOrEqual(t, off.Abs(off).Cmp(big.NewRat(1, 2)), 0, cell)
	})
}

func TestRateAndMultiple(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]float64{"0.0590": 5.9, "-0.699": -69.9, "13.5%": 13.5, "(4.2%)": -4.2, "(4.2)%": -4.2, "1.7679": 176.79} {
		got, err := rate(cell, false)
		require.NoError(t, err, cell)
		require.Equal(t, want, *got, cell) //nolint:testifylint // by its digits, so exactly
	}
	got, err := rate("13.5", true)
	require.NoError(t, err)
	require.Equal(t, 13.5, *got) //nolint:testifylint // exactly
	for _, cell := range []string{"1.35x", "1.35", "1.35 X", "1.35×"} {
		got, err := multiple(cell)
		require.NoError(t, err, cell)
		require.Equal(t, 1.35, *got, cell) //nolint:testifylint // exactly
	}
	for _, cell := range []string{"200", "13.5%%", "x", "%", "1.2.3%"} {
		got, err := rate(cell, false)
		require.Error(t, err, cell)
		require.Nil(t, got, cell)
	}
	none, err := rate("N/M", false)
	require.NoError(t, err)
	require.Nil(t, none)
	_, err = multiple("1001x")
	require.ErrorContains(t, err, "beyond")
}

// TestHeadings: columns are found in many spellings, with the unit that they name.
func TestHeadings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]heading{
		"commitment_mm":              {column: colCommitted, power: 6, unitful: true},
		"Commitment ($M)":            {column: colCommitted, power: 6, unitful: true},
		"Capital Committed":          {column: colCommitted},
		"Commitment in millions":     {column: colCommitted, power: 6, unitful: true},
		"Total Commitment (US$ 000)": {column: colCommitted, power: 3, unitful: true},
		"Commitment (EUR m)":         {column: colCommitted, power: 6, unitful: true, odd: "eur"},
		"Commitment (€)":             {column: colCommitted, odd: "€"},
		"Cash In":                    {column: colContributed},
		"Paid-In Capital ($000s)":    {column: colContributed, power: 3, unitful: true},
		"Distributions (cumulative)": {column: colDistributed},
		"NAV ($ billions)":           {column: colNAV, power: 9, unitful: true},
		"Net IRR (%)":                {column: colIRR, percent: true},
		"net_irr":                    {column: colIRR},
		"Net Multiple (x)":           {column: colMultiple},
		"TVPI":                       {column: colMultiple},
		"Vintage Year":               {column: colVintage},
		"Pension Fund":               {column: colLP},
		"As-of Date":                 {column: colAsOf},
		"dpi":                        {column: -1},
		"Commitments made by others": {column: -1},
		"":                           {column: -1},
		"($M)":                       {column: -1},
	} {
		got := read(text)
		want.text = text
		require.Equal(t, want, got, text)
	}
}
