package market

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// statistic is what a measure computes of a quantity.
type statistic string

// The statistics, in the order of responses. The first is always shown: it says how much the others cover.
const (
	known  statistic = "known"
	sum    statistic = "sum"
	avg    statistic = "avg"
	median statistic = "median"
	p25    statistic = "p25"
	p75    statistic = "p75"
	least  statistic = "min"
	most   statistic = "max"
)

var statistics = []statistic{known, sum, avg, median, p25, p75, least, most}

// measure is a quantity with the statistics to show.
type measure struct {
	of    index.Quantity
	shown []statistic // in their order, without known
}

// parseMeasures reads a list of measures; those of a quantity become one, in the order of responses. Rows of funds have only the
// quantity of funds: a manager would count once for each fund.
func parseMeasures(list string, ofFunds bool) (all []measure, fault string) {
	asked := map[index.Quantity][]statistic{}
	for part := range strings.SplitSeq(list, ",") {
		name, what, dotted := strings.Cut(strings.TrimSpace(part), ".")
		q, s := index.Quantity(name), statistic(what)
		switch {
		case !dotted || !slices.Contains(index.Quantities, q):
			return nil, fmt.Sprintf("%q is not a measure; send a quantity (%s), a dot and a statistic (%s)%s", apperr.Short(strings.TrimSpace(part)),
				names(index.Quantities), names(statistics), httpapi.DidYouMean(apperr.Short(name), words(index.Quantities)))
		case !slices.Contains(statistics, s):
			return nil, fmt.Sprintf("%q is not a statistic; the statistics are %s%s", apperr.Short(what), names(statistics), httpapi.DidYouMean(apperr.Short(what), words(statistics)))
		case ofFunds && q != index.QuantityFundGAV:
			return nil, fmt.Sprintf("%s is of managers, and vintage groups funds; send measures of %s", name, index.QuantityFundGAV)
		}
		asked[q] = append(asked[q], s)
	}
	for _, q := range index.Quantities {
		if wanted, ok := asked[q]; ok {
			all = append(all, measure{q, slices.DeleteFunc(slices.Clone(statistics), func(s statistic) bool {
				return s == known || !slices.Contains(wanted, s)
			})})
		}
	}
	return all, ""
}

// percent reports whether values are hundredths of a percent.
func (m *measure) percent() bool {
	return m.of == index.QuantityGrowth1 || m.of == index.QuantityGrowth3
}

// append appends the figures of a row.
func (m *measure) append(dst []byte, f *index.Figures) []byte {
	dst = strconv.AppendInt(append(dst, `{"known":`...), int64(f.Known), 10)
	for _, s := range m.shown {
		dst = append(append(append(dst, `,"`...), s...), `":`...)
		switch {
		case f.Known == 0:
			dst = append(dst, "null"...)
		case m.percent():
			const hundredths = 100
			dst = strconv.AppendFloat(dst, float64(m.value(s, f))/hundredths, 'f', -1, 64)
		default:
			dst = strconv.AppendInt(dst, m.value(s, f), 10)
		}
	}
	return append(dst, '}')
}

func (m *measure) value(s statistic, f *index.Figures) int64 {
	switch s {
	case avg:
		if m.percent() {
			return rounded(f.Sum, int64(f.Known))
		}
		return f.Sum / int64(f.Known)
	case median:
		return f.Median
	case p25:
		return f.P25
	case p75:
		return f.P75
	case least:
		return f.Min
	case most:
		return f.Max
	case sum, known:
	}
	return f.Sum
}

// rounded is a quotient to the nearest whole number, halves away from zero: that of percentages. Amounts are rounded down, as all
// averages of amounts are.
func rounded(sum, of int64) int64 {
	q, rest := sum/of, sum%of
	switch {
	case rest >= of-rest:
		return q + 1
	case -rest >= of+rest:
		return q - 1
	}
	return q
}
