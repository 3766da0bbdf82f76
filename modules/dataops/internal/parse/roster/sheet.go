package roster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/xuri/excelize/v2"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// sheet is the roster's sheet of a workbook. Cells are read raw, not as the workbook would show them: dates are serials.
type sheet struct {
	file   string
	book   *excelize.File
	name   string
	skip   int // rows before the header
	layout *table.Layout
	fill   table.Fill
	header []string // folded
	reject func(catalogapi.Rejected)
}

// partInMemoryMax is how large a part of a workbook may be before it is unpacked to a temporary file.
const partInMemoryMax = 64 << 20

// openSheet finds the sheet with the roster: the first whose first row that is not blank has the telling headers.
func openSheet(in *archive.Input, m *archive.Member, reject func(catalogapi.Rejected)) (*sheet, error) {
	stored, err := m.ReadWorkbook()
	if err != nil {
		return nil, err
	}
	book, err := excelize.OpenReader(bytes.NewReader(stored), excelize.Options{
		RawCellValue: true, UnzipSizeLimit: m.UnzippedMax(), UnzipXMLSizeLimit: min(partInMemoryMax, m.UnzippedMax()),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: the workbook cannot be read: %w", m.Name, err)
	}
	in.OnClose(book.Close)
	s := &sheet{file: m.Name, book: book, reject: reject}
	err = errors.New("the workbook has no sheet")
	for _, name := range book.GetSheetList() {
		s.name = name
		if err = s.findHeader(); err == nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", m.Name, err)
}

func (s *sheet) findHeader() error {
	rows, err := s.book.Rows(s.name)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // nothing was written
	for s.skip = 0; rows.Next(); s.skip++ {
		cells, err := rows.Columns()
		if err != nil {
			return err
		}
		if blank(cells) {
			continue
		}
		s.header = make([]string, len(cells))
		for i, name := range cells {
			s.header[i] = table.Fold(name)
		}
		s.layout, err = table.Bind(cells, columns)
		return err
	}
	return errors.New("the sheet is empty")
}

// Rows returns the rows below the header. A row's line is its number in the sheet.
func (s *sheet) Rows(ctx context.Context) iter.Seq2[*table.Row, error] {
	return func(yield func(*table.Row, error) bool) {
		rows, err := s.book.Rows(s.name)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", s.file, err))
			return
		}
		defer rows.Close() //nolint:errcheck // nothing was written
		row := table.NewRow(s.file, s.layout, value.UTF8)
		row.Serials = true
		row.CountInto(&s.fill)
		for line := 1; rows.Next(); line++ {
			if ctx.Err() != nil {
				yield(nil, context.Cause(ctx))
				return
			}
			cells, err := rows.Columns()
			if err != nil {
				yield(nil, fmt.Errorf("%s: row %d: %w", s.file, line, err))
				return
			}
			if line <= s.skip+1 || blank(cells) {
				continue
			}
			row.Set(line, fields(cells), nil)
			if !yield(row, nil) {
				return
			}
		}
		if err := rows.Error(); err != nil {
			yield(nil, fmt.Errorf("%s: %w", s.file, err))
		}
	}
}

// Quarantine sends the row to the quarantine with its fault.
func (s *sheet) Quarantine(row *table.Row) {
	s.reject(catalogapi.Rejected{File: s.file, Line: row.Line, Reason: row.Fault(), Raw: table.RawText(row.Raw(), value.UTF8)})
}

func blank(cells []string) bool {
	for _, c := range cells {
		if c != "" {
			return false
		}
	}
	return true
}

func fields(cells []string) [][]byte {
	out := make([][]byte, len(cells))
	for i, c := range cells {
		out[i] = []byte(c)
	}
	return out
}
