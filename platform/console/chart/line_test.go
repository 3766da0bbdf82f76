package chart_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console/chart"
)

func day(text string) time.Time {
	on, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return on
}

func label(v float64) string { return fmt.Sprintf("<%.0f>", v) }

// Guarantee: a value holds until the next filing, so the line is level and then steps. It is interrupted where a value is unknown, and where it
// cannot be compared with the one before. Labels are escaped.
func TestLine(t *testing.T) {
	t.Parallel()
	l := chart.Line{Title: "Assets & more", Label: label, Until: day("2026-01-01"), Points: []chart.Point{
		{On: day("2020-01-01"), Value: 100, Known: true},
		{On: day("2021-01-01"), Value: 200, Known: true},
		{On: day("2022-01-01")},
		{On: day("2023-01-01"), Value: 50, Known: true},
		{On: day("2024-01-01"), Value: 400, Known: true, Break: true},
	}}
	svg := string(l.Draw(676, 240))
	require.Contains(t, svg, `aria-label="Assets &amp; more: &lt;100&gt; on 2020-01-01, &lt;400&gt; on 2024-01-01; the highest is &lt;400&gt; on 2024-01-01.`)
	path := regexp.MustCompile(`class="line" d="([^"]+)"`).FindStringSubmatch(svg)[1]
	require.Regexp(t, `^M64 162H164\.2V112H264\.1M364 187H463\.9M463\.9 12H664$`, path)
	require.Equal(t, 4, strings.Count(svg, "<circle"))
	require.Empty(t, (&chart.Line{Label: label, Points: l.Points[2:4]}).Draw(600, 200), "one value is no line")
}

// Guarantee: any series is drawn as well-formed XML, inside its frame, with years that do not overlap.
func TestLineStaysInside(t *testing.T) {
	t.Parallel()
	g := rand.New(rand.NewPCG(1, 2))
	coordinate := regexp.MustCompile(`(?:cx|x|x1|x2)="([-0-9.]+)"`)
	for range 300 {
		on := day("1995-06-01").AddDate(g.IntN(25), 0, 0)
		var points []chart.Point
		for range 2 + g.IntN(60) {
			points = append(points, chart.Point{On: on, Value: g.Float64() * float64(int64(1)<<g.IntN(40)), Known: g.IntN(8) > 0, Break: g.IntN(9) == 0})
			on = on.AddDate(0, g.IntN(14), g.IntN(20))
		}
		l := chart.Line{Title: "x", Points: points, Until: on.AddDate(0, g.IntN(3)-1, 0), Label: label}
		for _, width := range []int{320, 640, 1200} {
			svg := string(l.Draw(width, 200))
			if svg == "" {
				continue
			}
			decoder := xml.NewDecoder(strings.NewReader(svg))
			for {
				if _, err := decoder.Token(); err == io.EOF { //nolint:errorlint // as documented
					break
				} else {
					require.NoError(t, err, svg)
				}
			}
			for _, m := range coordinate.FindAllStringSubmatch(svg, -1) {
				x, err := strconv.ParseFloat(m[1], 64)
				require.NoError(t, err)
				require.GreaterOrEqual(t, x, 0.0)
				require.LessOrEqual(t, x, float64(width))
			}
			last := -1000.0
			for _, m := range regexp.MustCompile(`<text x="([-0-9.]+)" y="\d+" class="x">`).FindAllStringSubmatch(svg, -1) {
				x, err := strconv.ParseFloat(m[1], 64)
				require.NoError(t, err)
				require.GreaterOrEqual(t, x-last, 40.0, "years overlap: %s", svg)
				last = x
			}
		}
	}
}

func TestBar(t *testing.T) {
	t.Parallel()
	require.Contains(t, string(chart.Bar(50, 100)), `<rect width="48"`)
	require.Contains(t, string(chart.Bar(0, 100)), `<rect width="1"`)
	require.Empty(t, chart.Bar(1, 0))
}
