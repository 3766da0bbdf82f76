package past

// words keeps one copy of each string of columns that have few.
type words map[string]*string

func (w words) keep(b []byte) *string {
	s, ok := w[string(b)]
	if !ok {
		text := string(b)
		s = &text
		w[text] = s
	}
	return s
}

// word scans such a column; null becomes nil. Nobody writes to what s points to.
type word struct {
	in words
	s  *string
}

func (w words) word() *word { return &word{in: w} }

// ScanBytes takes the column's bytes, which are the driver's until the next row.
func (w *word) ScanBytes(b []byte) error {
	switch {
	case b == nil:
		w.s = nil
	case w.s == nil || *w.s != string(b): // the rows beside one another often say the same
		w.s = w.in.keep(b)
	}
	return nil
}
