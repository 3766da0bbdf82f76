package chart

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
)

// Day is a bar of Days.
type Day struct {
	Label string // "26 Mar"
	Value int64
	Part  int64 // of Value: what is drawn in another color at the foot of the bar
}

// Days is a plot of counts by day: one bar a day.
type Days struct {
	Title string // "Requests"
	Part  string // what Part is: "failed"
	Days  []Day
	Label func(value float64) string
}

// labelWidth is the room of a day's label below the axis, with the space to the next one.
const labelWidth = 56

// Draw draws the bars with a width and height in pixels, as Line.Draw does. It returns "" if there is nothing to draw.
func (d *Days) Draw(width, height int) template.HTML {
	highest := int64(0)
	for _, day := range d.Days {
		highest = max(highest, day.Value)
	}
	if highest == 0 {
		return ""
	}
	step := max(1, niceStep(float64(highest)))
	ceiling := step * math.Ceil(float64(highest)/step)
	each := float64(width-left-right) / float64(len(d.Days))
	y := func(value float64) float64 { return top + float64(height-top-bottom)*(1-value/ceiling) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" role="img" width="%d" height="%d" viewBox="0 0 %d %d" aria-label="%s">`, width, height, width, height, html.EscapeString(d.describe()))
	for v := 0.0; v <= ceiling+step/2; v += step {
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%s" y2="%s"/><text x="%d" y="%s" class="y">%s</text>`,
			left, width-right, pixel(y(v)), pixel(y(v)), left-8, pixel(y(v)+4), html.EscapeString(d.Label(v)))
	}
	every := max(1, (len(d.Days)*labelWidth+width-left-right-1)/(width-left-right))
	for i, day := range d.Days {
		x := left + each*float64(i)
		bar := func(class string, value int64) {
			if value > 0 {
				fmt.Fprintf(&b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, pixel(x+each*0.1), pixel(y(float64(value))), pixel(each*0.8), pixel(y(0)-y(float64(value))))
			}
		}
		bar("all", day.Value)
		bar("part", day.Part)
		if i%every == 0 && x+labelWidth/2 <= float64(width) {
			fmt.Fprintf(&b, `<text x="%s" y="%d" class="x">%s</text>`, pixel(x+each/2), height-8, html.EscapeString(day.Label))
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // numbers, and escaped texts
}

// describe is the plot in a sentence, for those who do not see it.
func (d *Days) describe() string {
	most, sum, part := d.Days[0], int64(0), int64(0)
	for _, day := range d.Days {
		sum, part = sum+day.Value, part+day.Part
		if day.Value > most.Value {
			most = day
		}
	}
	return fmt.Sprintf("%s by day: %s in all, %s %s; the most are %s on %s. The table has every day.", d.Title,
		d.Label(float64(sum)), d.Label(float64(part)), d.Part, d.Label(float64(most.Value)), most.Label)
}
