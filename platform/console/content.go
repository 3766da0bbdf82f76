package console

// Content is what templates.Screen shows: sections of facts, a table and links. The forms of the view follow.
type Content struct {
	Lead     string // a sentence below the title
	Sections []Section
}

// Section is a part of a page. Its members are optional.
type Section struct {
	Title, Text string
	Tiles       []Tile
	Facts       []Pair
	Code        string // text in lines of its own
	Table       *Table
	Links       []Choice
	Buttons     []Button
}

// Tile is a figure or an answer that is seen at once, with a sentence about it that leads to its page.
type Tile struct{ Title, Text, Note, Link string }

// Button is a form of one button.
type Button struct {
	Action, Text string
	Of           string // what it acts on, for those who hear the buttons of a table: "Weekly import"
	Danger       bool
}

// Act is a column of buttons.
func Act(text string, button func(row map[string]any) []Button) Shown {
	return Shown{Text: text, Value: func(row map[string]any) Cell { return Cell{Buttons: button(row)} }}
}

// Linked is a column whose texts lead to a page.
func Linked(text, member string, to func(row map[string]any) string) Shown {
	return Shown{Text: text, Value: func(row map[string]any) Cell { return Cell{Text: Plain(row[member]), Link: to(row)} }}
}

// To is the path of the page about what a member of the row identifies, for Linked; "" if the member is null.
func To(path, member string) func(row map[string]any) string {
	return func(row map[string]any) string {
		if row[member] == nil {
			return ""
		}
		return path + Plain(row[member])
	}
}

// Listed is a section with one page of a list, and links to the others. empty is shown instead of no rows.
func Listed(path string, r *Request, a *Answer, empty string, columns ...Shown) Section {
	s, l := Section{Table: table(a, empty, columns)}, NewList(path, r, a, nil, nil)
	if l.Previous != "" || l.Next != "" {
		s.Table.Notes = append(s.Table.Notes, "Rows "+Count(l.First)+" to "+Count(l.Last)+" of "+Count(l.Total)+".")
	}
	for _, c := range []Choice{{Text: "Previous", Link: l.Previous}, {Text: "Next", Link: l.Next}} {
		if c.Link != "" {
			s.Links = append(s.Links, c)
		}
	}
	return s
}
