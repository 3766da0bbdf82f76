package spreadsheet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/spreadsheet"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, formula := range []string{
		"=1+1", "+1", "-1", "@sum", "\t=1", "\r", "\n=1", "＝1", "＋1", "－1", "＠a", " =1", "\u00a0=1", "\u200b=1", "\u202e\ufeff=1", "\u00ad=1", "\u3164=1",
	} {
		require.Equal(t, "'"+formula, spreadsheet.Text(formula), "%q", formula)
	}
	for _, plain := range []string{"", " ", "Harbor Ridge", "A=B", "'=1", "\u200bA", "5"} {
		require.Equal(t, plain, spreadsheet.Text(plain), "%q", plain)
	}
}
