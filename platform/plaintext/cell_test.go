package plaintext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/plaintext"
)

func TestCell(t *testing.T) {
	t.Parallel()
	for _, formula := range []string{
		"=1+1", "+1", "-1", "@sum", "\t=1", "\r", "\n=1", "＝1", "＋1", "－1", "＠a", " =1", "\u00a0=1", "\u200b=1", "\u202e\ufeff=1", "\u00ad=1", "\u3164=1",
	} {
		require.Equal(t, "'"+formula, plaintext.Cell(formula), "%q", formula)
	}
	for _, plain := range []string{"", " ", "Harbor Ridge", "A=B", "'=1", "\u200bA", "5"} {
		require.Equal(t, plain, plaintext.Cell(plain), "%q", plain)
	}
}
