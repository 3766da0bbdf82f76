package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

var (
	peopleExample = regexp.MustCompile(`(?m)^(?:bin/|  )?gpatlas (people [a-z][^#\[\n]+)(?:#|$)`)
	word          = regexp.MustCompile(`"[^"]*"|\S+`)
)

// TestPeopleExamplesWork runs the commands that the pages and the help show, in their order, on the sample. Only reading a
// board is left out: it asks a vendor.
func TestPeopleExamplesWork(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, sampleDB.New(t))
	run := func(args ...string) string {
		t.Helper()
		cmd, out := gpatlas(t, args...)
		cmd.Env = append(cmd.Env, "DATABASE_URL="+url)
		require.Equal(t, 0, runToEnd(t, cmd), "%q: %s", args, out)
		return out.String()
	}
	var texts []string
	for _, path := range []string{"../../docs/people.md", "../../docs/operating.md"} {
		page, err := os.ReadFile(path)
		require.NoError(t, err)
		texts = append(texts, string(page))
	}
	documented := strings.Join(texts, "\n")
	var shown []string
	for _, example := range peopleExample.FindAllStringSubmatch(documented, -1) {
		shown = append(shown, strings.TrimSpace(example[1]))
	}
	helped := run("people", "--help") + run("people", "board", "--help")
	for _, example := range peopleExample.FindAllStringSubmatch(helped, -1) {
		require.Contains(t, shown, strings.TrimSpace(example[1]), "the help shows what the pages show")
	}
	tried := 0
	for _, example := range peopleExample.FindAllStringSubmatch(documented, -1) {
		if strings.HasPrefix(example[1], "people board fetch") {
			continue
		}
		args := word.FindAllString(example[1], -1)
		for i := range args {
			args[i] = strings.Trim(args[i], `"`)
		}
		said := run(args...)
		require.NotContains(t, said, "Nobody", example[1])
		require.NotContains(t, said, "No board", example[1])
		tried++
	}
	require.Equal(t, 8, tried)
}
