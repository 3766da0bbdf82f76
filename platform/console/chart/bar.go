package chart

import (
	"fmt"
	"html/template"
)

// barWidth and barHeight are the size of a full bar in pixels.
const barWidth, barHeight = 96, 10

// Bar is a bar beside a number in a table: the part that value is of most. It says nothing that the number does not, so it is
// hidden from screen readers.
func Bar(value, most int64) template.HTML {
	if most <= 0 || value < 0 {
		return ""
	}
	width := max(1, int(barWidth*value/most))
	return template.HTML(fmt.Sprintf(`<svg class="bar" aria-hidden="true" width="%d" height="%d"><rect width="%d" height="%d"/></svg>`, //nolint:gosec // numbers alone
		barWidth, barHeight, min(barWidth, width), barHeight))
}
