// Package intern keeps one copy of each string of a column that has few: filings say the same again and again.
package intern

// Strings are the copies, by their text. Nobody writes to what they point to.
type Strings map[string]*string

// Keep gives the one copy of a text, whose bytes may change after that.
func (s Strings) Keep(b []byte) *string {
	kept, ok := s[string(b)]
	if !ok {
		text := string(b)
		kept = &text
		s[text] = kept
	}
	return kept
}
