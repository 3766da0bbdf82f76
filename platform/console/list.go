package console

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// PerPage is the number of rows on a page of a list.
const PerPage = 25

// List is what a page of a search shows. Its state is in the URL alone: each link of it is the same list with one parameter
// changed.
type List struct {
	Path     string // of the page: "/gps"
	Typed    string // the text that is searched for
	Kept     []Pair // the other parameters, which the search form sends again
	Rows     [][]Cell
	Total    int64
	First    int64 // number of the first row, from 1
	Last     int64
	Previous string // links; "" is none
	Next     string
	Columns  []Column
	Choose   []Choice // each adds a column, or takes it away
	Facets   []Facet
	Chips    []Choice // the filters in use; each link removes its filter
	Clear    string   // link to the list without filters
	Nothing  []Choice // where nothing is found: the list without one of the filters, and how much it finds
}

// Pair is a parameter.
type Pair struct{ Name, Value string }

// Column is a column of the table.
type Column struct {
	Text   string
	Number bool
	Sort   string // value of the parameter sort; "" if the column cannot be sorted by
	Link   string // sorts by the column, or turns the order round
	Sorted string // ascending, descending or ""
}

// Facet is the values of a filter with their counts.
type Facet struct {
	Title    string
	Values   []Choice
	Distinct int64
	Unknown  int64
	Open     bool
}

// Choice is a link that sets or removes a value.
type Choice struct {
	Text, Link string
	Count      int64
	Selected   bool
	Outside    bool // Link is a URL of another site
}

// Heading is the title of a facet, and how its values are written; nil is Word.
type Heading struct {
	Name, Title string
	Write       func(v any) string
}

// write writes a value of a filter as its facet does.
func write(headings []Heading, name, value string) string {
	if i := slices.IndexFunc(headings, func(h Heading) bool { return h.Name == name }); i >= 0 && headings[i].Write != nil {
		return headings[i].Write(value)
	}
	return Word(value)
}

// own are the parameters of a list that are no filters.
var own = []string{"q", "sort", "order", "page", "per_page", "facets", "facet_limit", "include", columnsName}

// columnsName is the parameter with the names of the columns of a list, separated by commas. It is the page's own: no operation has it.
const columnsName = "cols"

// Query is the parameters of the operation behind a list: those of the page's request, and the facets.
func Query(r *Request, headings []Heading) url.Values {
	values := maps.Clone(r.Values)
	names := make([]string, len(headings))
	for i, h := range headings {
		names[i] = h.Name
	}
	if len(names) > 0 {
		values.Set("facets", strings.Join(names, ","))
		values.Set("facet_limit", "12")
	}
	values.Set("per_page", strconv.Itoa(PerPage))
	maps.DeleteFunc(values, func(name string, v []string) bool { return len(v) == 0 || v[0] == "" || name == columnsName }) // fields of a form that were left empty
	return values
}

// notFilters are the parameters of a list that say which part of it is shown, and how.
var notFilters = []string{"page", "per_page", "limit", "offset", "facets", "facet_limit", "include", "notice", columnsName}

// Filters are the parameters of a list that choose and sort its rows.
func Filters(values url.Values) url.Values {
	kept := maps.Clone(values)
	maps.DeleteFunc(kept, func(name string, v []string) bool {
		return slices.Contains(notFilters, name) || len(v) == 0 || v[0] == ""
	})
	return kept
}

// NewList reads a list from the response of a search. It shows the columns that the request chooses: see Shown.
func NewList(path string, r *Request, a *Answer, columns []Shown, headings []Heading) *List {
	l := &List{Path: path, Typed: r.Value("q"), Total: Whole(a.Meta["total"]), Clear: path}
	shown := l.choose(r, columns)
	t := table(a, "", shown)
	l.Columns, l.Rows = t.Columns, t.Rows
	offset := Whole(a.Meta["offset"])
	l.First, l.Last = offset+1, offset+int64(len(l.Rows))
	page := Whole(a.Meta["page"])
	if page > 1 {
		l.Previous = l.link(r, "page", strconv.FormatInt(page-1, 10))
	}
	if l.Last < l.Total && len(l.Rows) > 0 {
		l.Next = l.link(r, "page", strconv.FormatInt(page+1, 10))
	}
	l.sorts(r)
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		if name == "page" || r.Value(name) == "" {
			continue
		}
		if name != "q" {
			l.Kept = append(l.Kept, Pair{name, r.Value(name)})
		}
		if !slices.Contains(own, name) {
			l.Chips = append(l.Chips, Choice{Text: label(headings, name) + ": " + values(headings, name, r.Value(name)), Link: l.link(r, name, "")})
		}
	}
	facets, _ := a.Meta["facets"].(map[string]any)
	for i, h := range headings {
		if of, ok := facets[h.Name].(map[string]any); ok {
			l.Facets = append(l.Facets, l.facet(r, h, of, i < 2))
		}
	}
	nothing, _ := a.Meta["nothing"].([]any)
	for _, each := range nothing {
		if without, ok := each.(map[string]any); ok && Whole(without["total"]) > 0 {
			name := Plain(without["without"])
			l.Nothing = append(l.Nothing, Choice{Text: label(headings, name), Count: Whole(without["total"]), Link: l.link(r, name, "")})
		}
	}
	return l
}

// choose returns the columns that the request wants, and sets the links that choose others. Names that no column has are ignored.
func (l *List) choose(r *Request, columns []Shown) (shown []Shown) {
	named := func(c *Shown) bool { return c.Name == "" || !c.More }
	if wanted := r.Value(columnsName); wanted != "" {
		names := strings.Split(wanted, ",")
		named = func(c *Shown) bool { return c.Name == "" || slices.Contains(names, c.Name) }
	}
	for i := range columns {
		if named(&columns[i]) {
			shown = append(shown, columns[i])
		}
	}
	for i := range columns {
		if columns[i].Name == "" {
			continue
		}
		var names []string // with this column, or without it
		for j := range columns {
			if columns[j].Name != "" && named(&columns[j]) != (i == j) {
				names = append(names, columns[j].Name)
			}
		}
		c := Choice{Text: columns[i].Text, Selected: named(&columns[i])}
		if names != nil { // the last column stays
			c.Link = l.link(r, columnsName, strings.Join(names, ","))
		}
		l.Choose = append(l.Choose, c)
	}
	return shown
}

// label is the name of a filter for people.
func label(headings []Heading, name string) string {
	if i := slices.IndexFunc(headings, func(h Heading) bool { return h.Name == name }); i >= 0 {
		return headings[i].Title
	}
	return Word(name)
}

func values(headings []Heading, name, list string) string {
	parts := strings.Split(list, ",")
	for i, part := range parts {
		parts[i] = write(headings, name, strings.TrimSpace(part))
	}
	return strings.Join(parts, ", ")
}

// link is the list with one parameter changed, or removed if value is empty. It begins again at the first page.
func (l *List) link(r *Request, name, value string) string {
	return Link(l.Path, r.Values, name, value)
}

// Link is a path with parameters, one of them changed, or removed if value is empty.
func Link(path string, values url.Values, name, value string) string {
	next := url.Values{name: {value}}
	for k, v := range values {
		if k != name && k != "page" && k != "cursor" {
			next[k] = v
		}
	}
	maps.DeleteFunc(next, func(_ string, v []string) bool { return len(v) == 0 || v[0] == "" })
	if len(next) == 0 {
		return path
	}
	return path + "?" + next.Encode()
}

// sorts sets the links of the columns. Numbers begin with the largest.
func (l *List) sorts(r *Request) {
	for i := range l.Columns {
		c := &l.Columns[i]
		if c.Sort == "" {
			continue
		}
		order := "asc"
		if c.Number {
			order = "desc"
		}
		if r.Value("sort") == c.Sort {
			c.Sorted = "ascending"
			order = "desc"
			if r.Value("order") == "desc" {
				c.Sorted, order = "descending", "asc"
			}
		}
		values := maps.Clone(r.Values)
		values.Set("order", order)
		c.Link = Link(l.Path, values, "sort", c.Sort)
	}
}

func (l *List) facet(r *Request, h Heading, of map[string]any, open bool) Facet {
	f := Facet{Title: h.Title, Distinct: Whole(of["distinct"]), Unknown: Whole(of["unknown"]), Open: open || r.Value(h.Name) != ""}
	var chosen []string
	if r.Value(h.Name) != "" {
		chosen = strings.Split(r.Value(h.Name), ",")
	}
	rows, _ := of["values"].([]any)
	for _, each := range rows {
		row, _ := each.(map[string]any)
		value := Plain(row["value"])
		selected := row["selected"] == true
		next := append(slices.Clone(chosen), value)
		if selected {
			next = slices.DeleteFunc(slices.Clone(chosen), func(c string) bool { return c == value })
			if len(next) == len(chosen) { // chosen under another name, such as an alias
				next = nil
			}
		}
		f.Values = append(f.Values, Choice{
			Text: write([]Heading{h}, h.Name, value), Link: l.link(r, h.Name, strings.Join(next, ",")), Count: Whole(row["count"]), Selected: selected,
		})
	}
	return f
}
