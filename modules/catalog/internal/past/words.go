package past

import "gpatlas/modules/catalog/internal/intern"

// word scans such a column; null becomes nil. Nobody writes to what s points to.
type word struct {
	in intern.Strings
	s  *string
}

func (f *market) word() *word { return &word{in: f.words} }

// ScanBytes takes the column's bytes, which are the driver's until the next row.
func (w *word) ScanBytes(b []byte) error {
	switch {
	case b == nil:
		w.s = nil
	case w.s == nil || *w.s != string(b): // the rows beside one another often say the same
		w.s = w.in.Keep(b)
	}
	return nil
}
