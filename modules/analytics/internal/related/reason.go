package related

import (
	"strconv"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// unitedStates is the country's name as filings spell it.
const unitedStates = "United States"

// appendReason appends why an adviser is similar to the source in one factor, as a sentence with the numbers: its own first,
// the source's second.
func appendReason(dst []byte, f catalogapi.Factor, gp, source *catalogapi.RelatedGP) []byte {
	switch f {
	case catalogapi.FactorStrategy:
		return append(append(dst, "Same primary strategy: "...), gp.Strategy...)
	case catalogapi.FactorAUMBand:
		dst = appendDollars(append(dst, "Assets within 50 percent: "...), gp.AUM)
		return appendDollars(append(dst, " against "...), source.AUM)
	case catalogapi.FactorGeography:
		return appendPlace(dst, gp, source)
	case catalogapi.FactorFundCount:
		dst = appendCount(append(dst, "Fund count within 30 percent: "...), gp.FundCount)
		return appendCount(append(dst, " against "...), source.FundCount)
	}
	return dst
}

// appendPlace appends the place that two advisers share: the smaller of state and country. If neither names a country, they
// share that of their states, because only US states occur without a country.
func appendPlace(dst []byte, gp, source *catalogapi.RelatedGP) []byte {
	state := strings.TrimSpace(source.State)
	if state != "" && strings.EqualFold(state, strings.TrimSpace(gp.State)) {
		return append(append(dst, "Same state: "...), strings.ToUpper(state)...)
	}
	country := source.Country
	if country == "" {
		country = gp.Country
	}
	if country == "" {
		country = unitedStates
	}
	return append(append(dst, "Same country: "...), country...)
}

// appendDollars formats an amount: $950, $120M, $2.5B; one decimal at most, rounded.
func appendDollars(dst []byte, v *int64) []byte {
	if v == nil {
		return append(dst, "unknown"...)
	}
	n := uint64(*v)
	if *v < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = append(dst, '$')
	unit := uint64(1)
	for _, letter := range " KMBT" {
		// 999,950 is 1M, not 999.9K: the next unit begins where rounding reaches it.
		if unit < 1e12 && n >= unit*1000-unit/20 {
			unit *= 1000
			continue
		}
		tenths := n / unit * 10
		tenths += (n%unit*10 + unit/2) / unit
		dst = strconv.AppendUint(dst, tenths/10, 10)
		if tenths%10 != 0 {
			dst = append(dst, '.', byte('0'+tenths%10))
		}
		if letter != ' ' {
			dst = append(dst, byte(letter))
		}
		return dst
	}
	return dst
}

func appendCount(dst []byte, v *int64) []byte {
	if v == nil {
		return append(dst, "unknown"...)
	}
	return strconv.AppendInt(dst, *v, 10)
}
