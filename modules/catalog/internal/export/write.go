package export

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"runtime"
)

// yieldRows take about 30 µs to write.
const yieldRows = 32

// yield lets searches go first, again and again: an export would else keep its processor for 10 ms at a time, many times what a search
// takes.
func yield(row int) {
	if row%yieldRows == 0 {
		runtime.Gosched()
	}
}

// Write writes the file. The writer may fail at any row: the caller has hung up.
func (f *File) Write(w *bufio.Writer) error {
	if f.Format == formatNDJSON {
		return f.lines(w)
	}
	return f.csv(w)
}

// csv writes RFC 4180: a header, CRLF, quotes where they are needed.
func (f *File) csv(w *bufio.Writer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	cells := make([]string, len(f.columns))
	for i, c := range f.columns {
		cells[i] = c.Name
	}
	if err := out.Write(cells); err != nil {
		return fmt.Errorf("write the header of an export: %w", err)
	}
	for n, id := range f.ids {
		yield(n)
		record := f.record(id)
		for i := range f.columns {
			cells[i] = f.columns[i].cell(record)
		}
		if err := out.Write(cells); err != nil {
			return fmt.Errorf("write an export: %w", err)
		}
	}
	out.Flush()
	return out.Error() //nolint:wrapcheck // the connection's own
}

// lines writes one JSON object per line.
func (f *File) lines(w *bufio.Writer) error {
	var line []byte
	for n, id := range f.ids {
		yield(n)
		record := f.record(id)
		line = append(line[:0], '{')
		for i := range f.columns {
			if i > 0 {
				line = append(line, ',')
			}
			var err error
			if line, err = f.columns[i].append(line, record); err != nil {
				return fmt.Errorf("encode a row of an export: %w", err)
			}
		}
		if _, err := w.Write(append(line, '}', '\n')); err != nil {
			return fmt.Errorf("write an export: %w", err)
		}
	}
	return nil
}
