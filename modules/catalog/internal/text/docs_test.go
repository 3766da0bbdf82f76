package text_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
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

var inCode = regexp.MustCompile("`([^`]+)`")

// The tables of legal forms stand in the documentation.
func TestTheDocumentationHasTheForms(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "search.md"))
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(page), "| these are legal forms | |\n|---|---|\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	var rows [][]string
	for row := range strings.SplitSeq(table, "\n") {
		var words []string
		for _, found := range inCode.FindAllStringSubmatch(strings.Split(row, "|")[2], -1) {
			words = append(words, found[1])
		}
		rows = append(rows, words)
	}
	require.Len(t, rows, 4)
	var forms, atEnd []string
	for word, form := range catalogapi.LegalForms() {
		if form == catalogapi.FormAtEnd {
			atEnd = append(atEnd, word)
		} else {
			forms = append(forms, word)
		}
	}
	require.ElementsMatch(t, forms, rows[0])
	require.ElementsMatch(t, atEnd, rows[1])
	spelled := map[string]string{}
	for pair := range slices.Chunk(rows[2], 2) {
		spelled[pair[0]] = pair[1]
		require.Equal(t, []string{"harbor", pair[1]}, text.Terms("harbor "+pair[0]))
	}
	require.Equal(t, text.SpelledForms(), spelled)
	var before []string
	for _, form := range rows[3] {
		words := strings.Fields(form)
		before = append(before, words[:len(words)-1]...)
	}
	slices.Sort(before)
	require.Equal(t, text.BesideForms(), slices.Compact(before))
}
