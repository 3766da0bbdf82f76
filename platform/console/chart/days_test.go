package chart_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console/chart"
)

// Guarantee: each day has a bar as high as its value within the frame, with its part below. Labels are escaped and do not overlap. Without values
// there is no plot.
func TestDays(t *testing.T) {
	t.Parallel()
	d := chart.Days{Title: "Requests & more", Part: "failed", Label: label}
	for i := range int64(30) {
		d.Days = append(d.Days, chart.Day{Label: strconv.FormatInt(i+1, 10) + " Mar", Value: i, Part: i / 3})
	}
	for _, width := range []int{350, 600} {
		svg := string(d.Draw(width, 220))
		require.Contains(t, svg, `aria-label="Requests &amp; more by day: &lt;435&gt; in all, &lt;135&gt; failed; the most are &lt;29&gt; on 30 Mar.`)
		bars := regexp.MustCompile(`<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>`).FindAllStringSubmatch(svg, -1)
		require.Len(t, bars, 29+27)
		at := -1.0
		for _, bar := range bars {
			x, y, w, h := number(t, bar[2]), number(t, bar[3]), number(t, bar[4]), number(t, bar[5])
			require.True(t, x >= at && x >= 64 && x+w <= float64(width) && y >= 12 && h > 0, bar)
			require.InDelta(t, 192, y+h, 0.15, "it stands on the axis")
			at = x
		}
		require.InDelta(t, 180*29.0/30, number(t, bars[len(bars)-2][5]), 0.2)
		at = -56
		for _, text := range regexp.MustCompile(`<text x="([\d.]+)" y="212" class="x">`).FindAllStringSubmatch(svg, -1) {
			require.GreaterOrEqual(t, number(t, text[1])-at, 50.0)
			at = number(t, text[1])
		}
	}
	d.Days = d.Days[:1]
	require.Empty(t, d.Draw(600, 220))
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return f
}
