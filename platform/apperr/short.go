package apperr

// shortMost is how many characters of a caller's text a message repeats.
const shortMost = 40

// Short cuts a caller's text to what a message may repeat.
func Short(s string) string {
	if r := []rune(s); len(r) > shortMost {
		return string(r[:shortMost]) + "…"
	}
	return s
}
