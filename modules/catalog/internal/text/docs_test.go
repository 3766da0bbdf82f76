package text_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/text"
)

// The table of words that mean the same stands in the documentation, row by row.
func TestTheDocumentationHasTheTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "search.md"))
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(page), "| these words mean the same |\n|---|\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	var documented, known []string
	for row := range strings.SplitSeq(table, "\n") {
		words := text.Words(row)
		require.NotEmpty(t, words)
		require.Equal(t, text.AlikeTo(words[0]), words, row)
		documented = append(documented, words...)
	}
	known = text.AllAlike()
	require.ElementsMatch(t, known, documented)
}
