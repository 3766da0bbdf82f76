package plaintext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/plaintext"
)

const (
	lineFault  = "must be one line without control or invisible characters"
	linesFault = "must not contain control characters other than tabs and line breaks, nor invisible characters"
	blankFault = "must have a visible character"
)

// Guarantee: a text that is kept shows all of its characters, in every script.
func TestSeen(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Alder & Co", "=1+1", "Élan – “Q”", "राम", "木", "e\u0301", "?", "a\u00a0b", "❤\ufe0f", "علی\u200cرضا", "ශ\u0dca\u200dරී", "👩\u200d💻",
		"👩🏽\u200d💻", "❤\ufe0f\u200d🔥",
	} {
		require.Empty(t, plaintext.LineFault(text), "%q", text)
		require.Empty(t, plaintext.Fault(text), "%q", text)
	}
	require.Empty(t, plaintext.Fault("a\tb\r\n\r\nc\n"))
}

func TestUnseen(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a\x00", "a\x7f", "a\u0085b", "a\u2028b", "a\u2029b", "\u200ba", "a\u202eb", "a\u2066b", "\u200ea", "\ufeffa", "a\u00adb", "a\u2060b",
		"a\u3164", "a\u115f", "a\ufffd", "a\xff", "a\ue000", "a\U000e0041",
		"a\u200cb", "a\u200db", "\u200dم", "م\u200c", "م\u200c\u200cم", "م\u200c م", "ада\u200dа",
	} {
		require.Equal(t, lineFault, plaintext.LineFault(text), "%q", text)
		require.Equal(t, linesFault, plaintext.Fault(text), "%q", text)
	}
	for _, text := range []string{"a\nb", "a\r\nX: y", "a\tb"} {
		require.Equal(t, lineFault, plaintext.LineFault(text), "%q", text)
	}
	for _, text := range []string{"", " ", "\u00a0", "\u3000", "\u0301", "\u2800", "\ufe0f"} {
		require.Equal(t, blankFault, plaintext.LineFault(text), "%q", text)
		require.Equal(t, blankFault, plaintext.Fault(text), "%q", text)
	}
}
