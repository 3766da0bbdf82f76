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

// Guarantee: the eight calls of docs/quickstart.md lead from an account to a paid answer, as they stand on the page. Only
// where the service is, who asks, and the token of the mail are other than there.
func TestQuickstart(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "quickstart.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 9)
	require.Equal(t, 8, strings.Count(string(page), "curl -sSf"))
	h := startHouse(t, dbtest.URL(t, sampleDB.New(t)), dbtest.RedisURL(t))
	const email = "quickstart@larkspur.example"
	given := regexp.MustCompile(`(?m)^(URL|EMAIL|CONFIRM_TOKEN)=.*$`)
	run := func(token string, blocks ...[]string) string {
		t.Helper()
		var script strings.Builder
		for _, b := range blocks {
			script.WriteString(given.ReplaceAllString(b[1], "")) // the environment has them
		}
		return h.shell(t, script.String(), "EMAIL="+email, "CONFIRM_TOKEN="+token)
	}
	require.Contains(t, run("", blocks[:2]...), `"access_token"`)
	said := run(h.mailed(t, email, "verify-email"), append(blocks[:1:1], blocks[2:]...)...)
	require.Contains(t, said, `"amount":0.15`, "the quote")
	require.Regexp(t, `(?i)X-Charge: 0.15`, said, "the paid answer")
}
