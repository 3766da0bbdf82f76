package overrides_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/overrides"
)

// A text is one line in which everything is seen.
func TestTextFault(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Alder & Co", "=1+1", "Élan – “Q”", "राम", "木", "e\u0301", "?", "a\u00a0b", "❤\ufe0f",
	} {
		require.Empty(t, overrides.TextFault(text), "%q", text)
	}
	for _, text := range []string{
		"a\nb", "a\r\nX: y", "a\tb", "a\x00", "a\x7f", "a\u0085b", "a\u2028b", "a\u2029b", "\u200ba", "a\u202eb", "a\u2066b", "\ufeffa", "a\u00adb",
		"a\u3164", "a\u115f", "a\ufffd", "a\xff", "a\ue000", "a\U000e0041",
	} {
		require.Equal(t, "must be one line without control or invisible characters", overrides.TextFault(text), "%q", text)
	}
	for _, text := range []string{"", " ", "\u00a0", "\u3000", "\u0301", "\u2800", "\ufe0f"} {
		require.Equal(t, "must have a visible character", overrides.TextFault(text), "%q", text)
	}
}
