package lp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// A fund's legal form in words is the same as its short form.
func TestFundCore(t *testing.T) {
	t.Parallel()
	for _, f := range catalogapi.SpelledForms() {
		full := strings.Join(f.Words, " ")
		core, form := fundCore("Quill IV, " + f.Short)
		require.Equal(t, []string{"QUILL 4", strings.ToUpper(f.Short)}, []string{core, form})
		core, form = fundCore("Quill IV " + full)
		require.Equal(t, []string{"QUILL 4", strings.ToUpper(f.Short)}, []string{core, form}, full)
	}
	core, form := fundCore("Quill IV Limited")
	require.Equal(t, []string{"QUILL 4", "LTD"}, []string{core, form})
}
