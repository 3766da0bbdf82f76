// Package intern keeps one copy of each string of a column that has few: filings repeat themselves.
package intern

// Strings are the copies, by their text. What they point to must not be written to.
type Strings map[string]*string

// Keep returns the one copy of a text, whose bytes may change after that.
func (s Strings) Keep(b []byte) *string {
	kept, ok := s[string(b)]
	if !ok {
		text := string(b)
		kept = &text
		s[text] = kept
	}
	return kept
}
