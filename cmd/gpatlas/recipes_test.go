package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// recipe is a section of docs/recipes.md with commands.
type recipe struct {
	question, commands, costs string
	answer                    []string // the quoted parts, which the commands print
}

// readRecipes reads the page. Every section but the last one is a recipe.
func readRecipes(t *testing.T) (list []recipe) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "recipes.md"))
	require.NoError(t, err)
	form := regexp.MustCompile("(?s)^(.*?)\n.*?\n```sh\n(.*?)```\n\nCosts: \\$(\\d+\\.\\d\\d)\n\nOn the sample: ([^\n]+)\n*$")
	quoted := regexp.MustCompile("`([^`]+)`")
	sections := strings.Split(string(page), "\n## ")
	require.Contains(t, sections[len(sections)-1], "cannot be answered")
	for _, section := range sections[1 : len(sections)-1] {
		m := form.FindStringSubmatch(section)
		require.NotNil(t, m, section)
		require.Equal(t, 2, strings.Count(section, "```"), "one block: %s", section)
		r := recipe{question: m[1], commands: m[2], costs: m[3]}
		for _, q := range quoted.FindAllStringSubmatch(m[4], -1) {
			r.answer = append(r.answer, q[1])
		}
		require.NotEmpty(t, r.answer, r.question)
		list = append(list, r)
	}
	return list
}

// Guarantee: the recipes of docs/recipes.md answer their questions on the sample with at most three calls each, for the price
// and with the figures on the page.
func TestRecipes(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	// The stage of an offering depends on the age of its newest notice. Keep that age as on the day when the page was written.
	for _, column := range []string{"catalog.offerings SET filing_date = filing_date", "catalog.funds SET offered_on = offered_on"} {
		_, err := db.Pool().Exec(t.Context(), "UPDATE "+column+" + ((now() AT TIME ZONE 'UTC')::date - DATE '2026-11-26')")
		require.NoError(t, err)
	}
	s := &shop{t: t, db: db}
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	buyer := s.sellTo(h, "analyst@larkspur.example", "live", 1)
	signedIn := caller{t: t, base: h.base}.call("POST", "/v1/auth/login", `{"username":"analyst@larkspur.example","password":"`+h.password+`"}`)
	require.Equal(t, http.StatusOK, signedIn.status, signedIn.body)
	token := text(t, signedIn.body, "access_token")

	recipes := readRecipes(t)
	require.GreaterOrEqual(t, len(recipes), 20)
	for _, r := range recipes {
		dir := t.TempDir()
		// Each call leaves its headers in a file, also one in a subshell.
		said := h.shell(t, "cd \"$DIR\"\ncurl() { command curl -D \"$(mktemp headers.XXXXXX)\" \"$@\"; }\n"+r.commands, "DIR="+dir, "KEY="+buyer.keys[0], "TOKEN="+token)
		for _, part := range r.answer {
			require.Regexp(t, `(?m)(^|[^\w.])`+regexp.QuoteMeta(part)+`($|[^\w.])`, said, r.question)
		}
		require.NotRegexp(t, `\bnull\b`, said, r.question)
		calls, err := filepath.Glob(filepath.Join(dir, "headers.*"))
		require.NoError(t, err)
		require.LessOrEqual(t, len(calls), 3, r.question)
		require.Len(t, calls, strings.Count(r.commands, "curl -sS --fail-with-body"), r.question)
		require.Equal(t, r.costs, charged(t, calls), r.question)
	}
}

// charged sums what the answers with these headers cost, in dollars. Every answer is a success.
func charged(t *testing.T, files []string) string {
	t.Helper()
	cents := 0
	for _, name := range files {
		headers, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Regexp(t, `^HTTP/1.1 20[01] `, string(headers))
		charge := regexp.MustCompile(`(?im)^X-Charge: (\d+)\.(\d\d)\r$`).FindStringSubmatch(string(headers))
		if charge == nil {
			require.NotRegexp(t, `(?i)X-Charge:`, string(headers))
			continue
		}
		sum, err := strconv.Atoi(charge[1] + charge[2])
		require.NoError(t, err)
		cents += sum
	}
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}
