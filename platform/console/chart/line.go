// Package chart draws plots as SVG. A plot has no style of its own: its classes are those of the style sheet, so that it follows
// the colors of the page in light and dark. Beside each plot a page shows the same values as a table.
package chart

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"
)

// Point is a value that holds from a day on, until the next point.
type Point struct {
	On    time.Time
	Value float64
	Known bool // false: from that day on no value is known, and the line has a gap
	Break bool // the value cannot be compared with the one before: no line leads to it
}

// Line is a step line over time: a filing is true until the next one, and a slope would invent values in between.
type Line struct {
	Title  string // "Assets under management"
	Points []Point
	Until  time.Time // the day up to which the last value holds
	Label  func(value float64) string
}

// The space around the frame of a plot, for its labels.
const (
	left, right, top, bottom = 64, 12, 12, 28
	dateWidth                = 44 // of a year below the axis, with the space to the next one
)

// Draw draws the line with a width and height in pixels. The SVG is not scaled, because that would scale its labels too: a page
// draws it once for wide windows and once for narrow ones. It returns "" if fewer than two points are known.
func (l *Line) Draw(width, height int) template.HTML {
	known, highest := 0, 0.0
	for _, p := range l.Points {
		if p.Known {
			known++
			highest = math.Max(highest, p.Value)
		}
	}
	if known < 2 {
		return ""
	}
	from, until := l.Points[0].On, l.Until
	if last := l.Points[len(l.Points)-1].On; !until.After(last) {
		until = last.AddDate(0, 0, 1)
	}
	step := niceStep(highest)
	highest = math.Max(step, step*math.Ceil(highest/step))
	x := func(on time.Time) float64 {
		return left + float64(width-left-right)*on.Sub(from).Hours()/until.Sub(from).Hours()
	}
	y := func(value float64) float64 {
		return top + float64(height-top-bottom)*(1-value/highest)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" role="img" width="%d" height="%d" viewBox="0 0 %d %d" aria-label="%s">`,
		width, height, width, height, html.EscapeString(l.describe()))
	for v := 0.0; v <= highest+step/2; v += step {
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%s" y2="%s"/><text x="%d" y="%s" class="y">%s</text>`,
			left, width-right, pixel(y(v)), pixel(y(v)), left-8, pixel(y(v)+4), html.EscapeString(l.Label(v)))
	}
	for _, year := range years(from, until, (width-left-right)/dateWidth) {
		at := x(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
		fmt.Fprintf(&b, `<line class="tick" x1="%s" x2="%s" y1="%d" y2="%d"/><text x="%s" y="%d" class="x">%d</text>`,
			pixel(at), pixel(at), height-bottom, height-bottom+4, pixel(at), height-8, year)
	}
	b.WriteString(`<path class="line" d="` + l.path(x, y, until) + `"/>`)
	for _, p := range l.Points {
		if p.Known {
			fmt.Fprintf(&b, `<circle class="dot" cx="%s" cy="%s" r="3"><title>%s: %s</title></circle>`,
				pixel(x(p.On)), pixel(y(p.Value)), p.On.Format(time.DateOnly), html.EscapeString(l.Label(p.Value)))
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // numbers, days, and escaped texts
}

// path is the line: level until the next point, then straight up or down to it. It is interrupted where a value is unknown or
// cannot be compared.
func (l *Line) path(x func(time.Time) float64, y func(float64) float64, until time.Time) string {
	var b strings.Builder
	drawn := false
	for i, p := range l.Points {
		if !p.Known {
			drawn = false
			continue
		}
		if drawn && !p.Break {
			b.WriteString("V" + pixel(y(p.Value)))
		} else {
			b.WriteString("M" + pixel(x(p.On)) + " " + pixel(y(p.Value)))
		}
		end := until
		if i+1 < len(l.Points) {
			end = l.Points[i+1].On
		}
		b.WriteString("H" + pixel(x(end)))
		drawn = true
	}
	return b.String()
}

// describe is the plot in a sentence, for those who do not see it.
func (l *Line) describe() string {
	var first, last, most *Point
	for i := range l.Points {
		p := &l.Points[i]
		if !p.Known {
			continue
		}
		if first == nil {
			first = p
		}
		if most == nil || p.Value > most.Value {
			most = p
		}
		last = p
	}
	return fmt.Sprintf("%s: %s on %s, %s on %s; the highest is %s on %s. The table has every value.", l.Title,
		l.Label(first.Value), first.On.Format(time.DateOnly), l.Label(last.Value), last.On.Format(time.DateOnly), l.Label(most.Value), most.On.Format(time.DateOnly))
}

// niceStep is the distance of three to five lines up to a value: 1, 2 or 5 times a power of ten.
func niceStep(highest float64) float64 {
	if highest <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(highest/4)))
	for _, times := range []float64{1, 2, 5} {
		if highest/(times*power) <= 5 {
			return times * power
		}
	}
	return 10 * power
}

// years are those that begin between two days, not more than a number of them, at equal distances.
func years(from, until time.Time, most int) (list []int) {
	first, last := from.Year(), until.Year()
	if from.YearDay() > 1 {
		first++
	}
	every := 1
	for most > 0 && (last-first)/every+1 > most {
		every++
	}
	for year := first; year <= last; year += every {
		list = append(list, year)
	}
	return list
}

func pixel(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
