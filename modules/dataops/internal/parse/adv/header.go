package adv

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/table"
)

var errNoHeader = errors.New("the file has no header")

// peek reads the header of a table. What keeps the whole archive from being trusted (damage, a wrong
// charset) is err. What is wrong with the header alone is fault: it costs the table, and nothing else.
func (p *piece) peek() (fault, err error) {
	head, err := p.head()
	if err != nil {
		return nil, err // it names the member
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return &table.CutError{Empty: true}, nil
	}
	p.header, err = table.Header(head)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.file.Name, err)
	}
	if len(p.header) == 0 {
		return errNoHeader, nil
	}
	named := len(p.header)
	p.header = joinEtc(p.header)
	p.bare = !table.HasRows(head, len(p.header), named, len(head) < archive.HeadMax)
	_, fault = table.Bind(p.header, p.file.Columns)
	return fault, nil
}

// passOver quarantines a table with an unusable header.
func (p *piece) passOver(fault error, reject func(catalogapi.Rejected)) {
	reject(catalogapi.Rejected{
		File: p.file.Name, Line: 1, Reason: "The table is skipped: " + fault.Error(),
		Raw: table.RawText([]byte(strings.Join(p.header, ",")), p.file.Charset),
	})
}

// joinEtc puts a header like `Name of Partner, etc.` together again where it was written without quotes and so fell into
// two columns, one more than the rows have.
func joinEtc(header []string) []string {
	for i := 1; i < len(header); i++ {
		if table.Fold(header[i]) == "etc." && header[i-1] != "" {
			header = slices.Concat(header[:i-1], []string{header[i-1] + ", etc."}, header[i+1:])
		}
	}
	return header
}

// layoutName is what a table is called in the layout.
func layoutName(id tableID) string {
	return strings.TrimPrefix(strings.ToLower(string(id.kind)+"_"+id.name), "_")
}

// reads returns which columns of the layout are read. Each column of the table of filing types is.
func reads(tables map[tableID][]*piece) func(name, header string) string {
	known := make(map[string]func(string) string, len(tables))
	for id := range tables {
		if id.name != filingTypes {
			known[layoutName(id)] = table.Known(columns[id.name])
		}
	}
	return func(name, header string) string {
		if known := known[name]; known != nil {
			return known(header)
		}
		return header
	}
}

// layout returns the columns of each table that was found: those that all its pieces have, so that a column missing from one
// piece counts as lost. A column with former names has its present one, because another year's spelling is no loss.
func layout(tables map[tableID][]*piece) map[string][]string {
	out := make(map[string][]string, len(tables))
	for id, pieces := range tables {
		present := table.Known(columns[id.name])
		var names []string
		for i, p := range pieces {
			has := make([]string, 0, len(p.header))
			for _, name := range p.header {
				name = table.Fold(name)
				if now := present(name); now != "" {
					name = now
				}
				has = append(has, name)
			}
			if i == 0 {
				names = has
				continue
			}
			names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(has, name) })
		}
		out[layoutName(id)] = names
	}
	return out
}
