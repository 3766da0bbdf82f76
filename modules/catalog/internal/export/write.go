package export

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"runtime"
	"slices"
)

// blockRows take about 30 µs to encode.
const blockRows = 32

// encoding admits one export of the process at a time, for a block of rows. Otherwise ten exports would take most of the processors from
// searches. An export that waits for the caller's connection does not hold it.
var encoding = make(chan struct{}, 1)

// blocks writes what encode has made of the rows, block by block.
func (f *File) blocks(w *bufio.Writer, encode func(ids []uint32) error, made *bytes.Buffer) error {
	for ids := range slices.Chunk(f.ids, blockRows) {
		err := func() error {
			encoding <- struct{}{}
			defer func() { <-encoding }()
			return encode(ids)
		}()
		runtime.Gosched() // else an export keeps its processor for 10 ms at a time, many times what a search takes
		if err != nil {
			return err
		}
		if _, err := made.WriteTo(w); err != nil {
			return fmt.Errorf("write an export: %w", err)
		}
	}
	return w.Flush() //nolint:wrapcheck // the connection's own
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
	var made bytes.Buffer
	out := csv.NewWriter(&made)
	out.UseCRLF = true
	cells := make([]string, len(f.columns))
	for i, c := range f.columns {
		cells[i] = c.Name
	}
	if err := out.Write(cells); err != nil {
		return fmt.Errorf("write the header of an export: %w", err)
	}
	out.Flush()
	if _, err := made.WriteTo(w); err != nil {
		return fmt.Errorf("write the header of an export: %w", err)
	}
	return f.blocks(w, func(ids []uint32) error {
		for _, id := range ids {
			record := f.record(id)
			for i := range f.columns {
				cells[i] = f.columns[i].cell(record)
			}
			if err := out.Write(cells); err != nil {
				return fmt.Errorf("encode a row of an export: %w", err)
			}
		}
		out.Flush()
		return out.Error() //nolint:wrapcheck // of memory, which has none
	}, &made)
}

// lines writes one JSON object per line.
func (f *File) lines(w *bufio.Writer) error {
	var made bytes.Buffer
	var line []byte
	return f.blocks(w, func(ids []uint32) error {
		for _, id := range ids {
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
			made.Write(append(line, '}', '\n'))
		}
		return nil
	}, &made)
}
