package value_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse/value"
)

// FuzzValues feeds any cell to every reader: none may panic, and what one accepts keeps its promise.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{
		"", " ", "Y", "N", "321687148", "           576,373,248.00", "                      .00", "$1,000", "-1", "1E+300", " 16", "30.0", "54%",
		"06/24/2026 10:37:17 AM", "6/24/2025", "6/24/2025 7:44", "2024-07-10", "45376.25", "805-4964869201", "021-123", "0000314119",
		"\xff\xfe", "\x00", "GEST\xc3O", "99999999999999999999",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, read := range []func([]byte) (*int64, error){value.Money, value.Count} {
			if n, err := read(b); err == nil && n != nil {
				require.True(t, *n >= 0 && *n <= 1<<53)
			}
		}
		if p, err := value.Percent(b); err == nil && p != nil {
			require.True(t, *p >= 0 && *p <= 100)
		}
		if day, err := value.Date(b); err == nil && !day.IsZero() {
			require.True(t, day.Year() >= 1900 && day.Year() <= 2100)
		}
		if day, err := value.Serial(b); err == nil && !day.IsZero() {
			require.True(t, day.Year() >= 1900 && day.Year() <= 2101)
		}
		if crd, err := value.CRD(b); err == nil {
			require.Regexp(t, `^[1-9][0-9]{0,9}$`, crd)
		}
		if id, err := value.FundID(b); err == nil {
			require.Regexp(t, `^805-[0-9]{10}$`, id)
		}
		if lei := value.LEI(b); lei != "" {
			require.Regexp(t, `^[A-Z0-9]{20}$`, lei)
		}
		_, _ = value.Flag(b)
		_, _ = value.FormDNumber(b)
		_, _ = value.FilingID(b)
		text := value.Text(b, value.Windows1252)
		require.True(t, utf8.ValidString(text))
		require.Equal(t, strings.TrimSpace(text), text)
		require.NotContains(t, text, "  ")
		_ = value.Postal(text, "United States")
		_ = value.FormVersion(text)
	})
}
