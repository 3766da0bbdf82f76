package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// Guarantee: the commands of docs/quickstart.md, pasted one after the other, lead from an account to a paid answer. Only the
// place of the service, of its mails, and the address are other than on the page.
func TestQuickstart(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "quickstart.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 9)
	require.Equal(t, 8, strings.Count(string(page), "curl -sS --fail-with-body"))
	h := startHouse(t, dbtest.URL(t, sampleDB.New(t)), dbtest.RedisURL(t))
	given := regexp.MustCompile(`(?m)^(URL|EMAIL|MAILS)=.*$`)
	var script strings.Builder
	for _, b := range blocks {
		script.WriteString(b[1])
	}
	require.Len(t, given.FindAllString(script.String(), -1), 3)
	said := h.shell(t, given.ReplaceAllString(script.String(), ""), "EMAIL=quickstart@larkspur.example", "MAILS="+h.mails)
	require.Contains(t, said, `"access_token"`)
	require.Contains(t, said, `"amount":0.15`, "the quote")
	require.Regexp(t, `(?i)X-Charge: 0.15`, said, "the paid answer")
}
