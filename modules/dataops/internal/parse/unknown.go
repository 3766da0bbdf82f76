package parse

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/table"
)

// ErrUnknown says that a file is of no kind that is understood; its text names the likeliest kinds and what each lacks.
var ErrUnknown = errors.New("not a known format")

const (
	membersShown = 3 // of an unknown archive
	kindsShown   = 3
)

// likely is a kind that an unknown file may have been meant to be.
type likely struct {
	has   int  // how many of the kind's columns the file has
	suits bool // files of this kind have such names
	text  string
}

// unknown is the error about an input of no known kind, in one line.
func unknown(in *archive.Input, formats []Format) error {
	header := onlyHeader(in)
	if cell := valueInHeader(in); cell != "" {
		if said := headless(header, formats); said != "" {
			return fmt.Errorf("%s: %w: its first line holds %q, so it is no header. The first line must name the columns: %s", in.Name, ErrUnknown, cell, said)
		}
	}
	kinds := make([]likely, len(formats))
	for i, f := range formats {
		kinds[i] = compare(in, header, f)
	}
	slices.SortStableFunc(kinds, func(a, b likely) int {
		return cmp.Or(cmp.Compare(b.has, a.has), cmp.Compare(truth(b.suits), truth(a.suits)))
	})
	texts := make([]string, 0, kindsShown)
	for _, k := range kinds[:min(len(kinds), kindsShown)] {
		if k.has == 0 && kinds[0].has > 1 {
			break // the file has much of the first kind and nothing of this one
		}
		texts = append(texts, k.text)
	}
	return fmt.Errorf("%s: %w%s; closest: %s", in.Name, ErrUnknown, holds(in), strings.Join(texts, "; "))
}

// holds names the first members of an archive or a folder.
func holds(in *archive.Input) string {
	if !in.Folder && !in.Packed {
		return ""
	}
	names := make([]string, 0, membersShown)
	for _, m := range in.Members[:min(len(in.Members), membersShown)] {
		names = append(names, m.Name)
	}
	more := ""
	if len(in.Members) > membersShown {
		more = ", …"
	}
	return fmt.Sprintf(" (it holds %s%s)", strings.Join(names, ", "), more)
}

// onlyHeader returns the header of an input that is a single text, as written.
func onlyHeader(in *archive.Input) []string {
	if len(in.Members) != 1 || in.Members[0].Workbook {
		return nil
	}
	head, err := in.Members[0].Head()
	if err != nil {
		return nil
	}
	header, err := table.HeaderTexts(head)
	if err != nil {
		return nil
	}
	return header
}

// hasColumn reports whether a header names a column of a kind.
func hasColumn(header []string, f Format, column string) bool {
	return slices.ContainsFunc(header, func(text string) bool {
		return table.Fold(text) == table.Fold(column) || f.Names != nil && f.Names(text) == column
	})
}

// aValue is what no column is called: an amount, a share, a multiple, a day.
var aValue = regexp.MustCompile(`^[($-]*[0-9][0-9,]*(?:\.[0-9]+)?[)%x]*$|^[0-9]{1,4}[-/][0-9]{1,2}[-/][0-9]{1,4}$`)

// valueInHeader returns the first cell of the first line of a single table that shows that the line is a row; none if the line
// may be a header.
func valueInHeader(in *archive.Input) string {
	cells := onlyHeader(in)
	if len(cells) < 3 {
		return ""
	}
	for _, cell := range cells {
		if cell = strings.TrimSpace(cell); aValue.MatchString(cell) && len(cell) <= len("2026-11-22T00:00") {
			return cell
		}
	}
	return ""
}

// headless describes the header of each kind of table; empty if the first line has a column of one of them.
func headless(header []string, formats []Format) string {
	var kinds []string
	for _, f := range formats {
		for _, c := range f.Columns {
			if hasColumn(header, f, c) {
				return ""
			}
		}
		if len(f.Columns) > 0 {
			kinds = append(kinds, f.Looks+": "+strings.Join(f.Columns, ", "))
		}
	}
	return strings.Join(kinds, "; ")
}

// compare returns what an input lacks to be of a kind.
func compare(in *archive.Input, header []string, f Format) likely {
	if f.Columns == nil {
		return likely{suits: suits(in, f.Part.Endings), text: fmt.Sprintf("%s (no %s)", f.Looks, f.Part.Name)}
	}
	var lacks []string
	for i, c := range f.Columns {
		if hasColumn(header, f, c) {
			continue
		}
		lack := fmt.Sprintf("%q", c)
		if f.Also != nil {
			lack = fmt.Sprintf("%q or %q", c, f.Also[i])
		}
		lacks = append(lacks, lack)
	}
	what := "column "
	if len(lacks) > 1 {
		what = "columns "
	}
	if len(in.Members) > 1 {
		what = "single CSV file with " + what
	}
	return likely{
		has: len(f.Columns) - len(lacks), suits: suits(in, []string{".csv", ".txt"}),
		text: fmt.Sprintf("%s (no %s%s)", f.Looks, what, strings.Join(lacks, ", ")),
	}
}

// suits reports whether a file of the input has one of the endings; "/" means several files.
func suits(in *archive.Input, endings []string) bool {
	if len(in.Members) > 1 {
		return slices.Contains(endings, "/")
	}
	return slices.ContainsFunc(in.Members, func(m *archive.Member) bool {
		return slices.Contains(endings, strings.ToLower(path.Ext(m.Name)))
	})
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
