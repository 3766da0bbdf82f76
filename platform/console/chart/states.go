package chart

import (
	"fmt"
	"html"
	"html/template"
	"strings"
)

// grid has a square for each state and the District of Columbia, roughly where it lies. Small states are as visible as large ones, which no map
// to scale can do.
var grid = strings.Split(strings.Trim(`
AK..........ME
..........VTNH
WAIDMTNDMNILWIMINYRIMA
ORNVWYSDIAINOHPANJCT
CAUTCONEMOKYWVVAMDDE
..AZNMKSARTNNCSCDC
......OKLAMSALGA
HI....TX........FL
`, "\n"), "\n")

const square, gap = 52, 3

// State is a state with a value, and where its square leads.
type State struct {
	Code, Link string
	Value      int64
}

// States draws the states as squares, the darker the higher their value. Each shows its value. States that are not in the list have none; places
// that are no squares, such as Puerto Rico, are left out, and belong in the table beside the map.
// base stands in front of the links.
func States(base, title string, list []State) template.HTML {
	by, most := map[string]State{}, int64(1)
	for _, s := range list {
		s.Link = base + s.Link
		by[s.Code], most = s, max(most, s.Value)
	}
	width := 0
	for _, row := range grid {
		width = max(width, len(row)/2)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="states" width="%d" height="%d" viewBox="0 0 %d %d" role="group" aria-label="%s">`,
		width*square, len(grid)*square, width*square, len(grid)*square, html.EscapeString(title))
	for y, row := range grid {
		for x := 0; x+1 < len(row); x += 2 {
			if code := row[x : x+2]; code != ".." {
				tile(&b, by[code], code, x/2*square, y*square, most)
			}
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // numbers, codes of the grid, and escaped texts
}

func tile(b *strings.Builder, s State, code string, x, y int, most int64) {
	shape := fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d" class="shade%d"/><text x="%d" y="%d" class="code">%s</text>`,
		x, y, square-gap, square-gap, shade(s.Value, most), x+(square-gap)/2, y+22, code)
	if s.Value == 0 {
		b.WriteString(shape)
		return
	}
	fmt.Fprintf(b, `<a href="%s" aria-label="%s %d">%s <text x="%d" y="%d" class="value">%d</text></a>`,
		html.EscapeString(s.Link), code, s.Value, shape, x+(square-gap)/2, y+40, s.Value)
}

// shade is 0 for nothing, then 1 to 4: each step is four times the one before, because most managers are in a few states.
func shade(value, most int64) int {
	if value == 0 {
		return 0
	}
	for n, limit := 4, most/4; n > 1; n, limit = n-1, limit/4 {
		if value > limit {
			return n
		}
	}
	return 1
}
