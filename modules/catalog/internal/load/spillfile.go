package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
)

// keptMemory is how much of kept rows stays in memory.
const keptMemory = 16 << 20

// spillFile are rows that are complete only when the rest of the document has passed: few of them in memory, more in a file
// that has no name any more, so that nothing is left of it however the process ends.
type spillFile struct {
	rows rowBuffer
	file *os.File
	size int64 // of the file
}

// spill moves the rows to the file when they are many. To be called between rows.
func (k *spillFile) spill() error {
	if len(k.rows.buf) < keptMemory {
		return nil
	}
	if k.file == nil {
		file, err := os.CreateTemp("", "gpatlas-load-*")
		if err != nil {
			return fmt.Errorf("catalog load: keep rows for later: %w", err)
		}
		k.file = file
		if err := os.Remove(file.Name()); err != nil {
			return fmt.Errorf("catalog load: keep rows for later: %w", err)
		}
	}
	n, err := k.file.Write(k.rows.buf)
	if err != nil {
		return fmt.Errorf("catalog load: keep rows for later: %w", err)
	}
	k.size += int64(n)
	k.rows.buf = k.rows.buf[:0]
	return nil
}

// each goes through the rows in their order, without their ends; a row holds until the next one. It may be called again.
func (k *spillFile) each(take func(row []byte) error) error {
	var all io.Reader = bytes.NewReader(k.rows.buf)
	if k.file != nil {
		all = io.MultiReader(io.NewSectionReader(k.file, 0, k.size), all)
	}
	rows := bufio.NewScanner(all)
	rows.Buffer(make([]byte, chunkSize), math.MaxInt)
	for rows.Scan() { // by lines: what ends a line inside a row is escaped
		if err := take(rows.Bytes()); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("catalog load: read rows kept for later: %w", err)
	}
	return nil
}

// close releases the rows.
func (k *spillFile) close() {
	if k.file != nil {
		_ = k.file.Close() // its contents are no longer needed
	}
	k.file, k.rows.buf = nil, nil
}
