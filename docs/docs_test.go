// Package docs_test holds the pages to what exists: the places that they link to, the commands and the settings that they name.
package docs_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/templates/email"
)

// TestPages checks the README and every page of this folder.
func TestPages(t *testing.T) {
	t.Parallel()
	known := readTruth(t)
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	require.Greater(t, len(pages), 5, "the pages are elsewhere")
	for _, page := range append(pages, "../README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.Empty(t, known.faults(filepath.Dir(page), string(text)), page)
	}
}

// Guarantee: the architecture page is short, and its table of modules lists the dependencies that modules/boundaries_test.go allows.
// TestPages checks its files.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("architecture.md")
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(text), "\n"), 120)
	matrix, err := os.ReadFile("../modules/boundaries_test.go")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\t"([a-z]+)": +\{(.*?)\}`).FindAllStringSubmatch(string(matrix), -1)
	modules, err := filepath.Glob("../modules/*/module.go")
	require.NoError(t, err)
	require.Len(t, rows, len(modules))
	for _, row := range rows {
		asks := strings.ReplaceAll(row[2], `"`, "`")
		if asks == "" {
			asks = "no module"
		}
		require.Regexp(t, "(?m)^\\| `"+row[1]+"` \\| .* \\| "+asks+" \\|$", string(text))
	}
}

// TestShownAnswer holds the answer on the README's first screen to what a service with the sample answers.
func TestShownAnswer(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```json\n")
	require.True(t, found)
	shown, _, _ := strings.Cut(rest, "```")
	file, err := os.ReadFile("../web/examples.json")
	require.NoError(t, err)
	var examples map[string]json.RawMessage // the data of other operations have other shapes
	require.NoError(t, json.Unmarshal(file, &examples))
	var search struct {
		Answers map[string]struct{ Data []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(examples["search-gps"], &search))
	require.JSONEq(t, string(search.Answers["200"].Data[0]), shown)
}

// The table of emails in notifications.md is that of the code.
func TestTableOfMails(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("notifications.md")
	require.NoError(t, err)
	var want strings.Builder
	for _, r := range email.Rules() {
		category, stops, header := "`"+r.Category+"`", "nothing", "no"
		if r.Category == "" {
			category = "that of its kind"
		}
		if r.Category != email.CategoryAccount {
			stops, header = "the category", "yes"
		}
		if r.Stops != "" {
			stops += "; " + r.Stops
		}
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s |\n", r.Name, category, stops, header)
	}
	_, table, _ := strings.Cut(string(page), "| List-Unsubscribe |\n|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	require.Equal(t, want.String(), table+"\n")
}

// TestFaultsAreFound plants one fault of each kind: a checker that cannot fail checks nothing.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	known := readTruth(t)
	for text, want := range map[string]string{
		"[x](nowhere.md)":                              "nowhere.md does not exist",
		"[x](fields.md#no-such-heading)":               "fields.md has no heading #no-such-heading",
		"`gpatlas inject`":                             "there is no command gpatlas inject",
		"```sh\nbin/gpatlas ingest --quickly x\n```":   "gpatlas ingest has no flag --quickly",
		"```sh\ncd x; gpatlas web --data-dir y\n```":   "gpatlas web has no flag --data-dir",
		"`DATAOPS_HURRY=on`":                           "there is no setting DATAOPS_HURRY",
		"| `WEB_ADDR`, `JOBS_HURRY` | of two settings": "there is no setting JOBS_HURRY",
		"`modules/catalog/internal/gp/lookup.go`":      "there is no file modules/catalog/internal/gp/lookup.go",
		"`go test ./modules -run TestNothing`":         "there is no test TestNothing",
	} {
		require.Equal(t, []string{want}, known.faults(".", text), text)
	}
}

// Guarantee: every way in which a page makes a signing key gives one that the service accepts. A key without its name is
// refused, however random it is.
func TestSigningKeysOfPages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	pages = append(pages, "../README.md", "../compose.yaml")
	secret := regexp.MustCompile(`(\S*?)\${1,2}\(openssl rand -base64 32\)|openssl rand -base64 32`)
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range secret.FindAllStringSubmatch(string(text), -1) {
			found++
			prefix := m[1][strings.LastIndex(m[1], "=")+1:]
			key := strings.Trim(prefix, `"'`) + base64.StdEncoding.EncodeToString(make([]byte, 32))
			_, err := accounts.Config{JWTKeys: key}.Keyring()
			require.NoError(t, err, "%s: %s", page, m[0])
		}
	}
	require.GreaterOrEqual(t, found, 3)
}

// truth is what pages may name.
type truth struct {
	flags    map[string][]string // by command
	settings string              // .env.example, and the variables that compose.yaml needs
	tests    map[string]bool     // names of test functions
}

func readTruth(t *testing.T) truth {
	t.Helper()
	example, err := os.ReadFile("../.env.example")
	require.NoError(t, err)
	compose, err := os.ReadFile("../compose.yaml")
	require.NoError(t, err)
	for _, m := range composed.FindAllSubmatch(compose, -1) {
		example = fmt.Appendf(example, "# %s=\n", m[1])
	}
	files, err := filepath.Glob("../cmd/gpatlas/*.go")
	require.NoError(t, err)
	files = append(files, "../modules/accounts/admin.go", "../modules/billing/command.go", "../modules/people/commands.go", "../modules/feed/listen.go")
	// completion is cobra's own command.
	known := truth{flags: map[string][]string{"completion": {"--help"}}, settings: string(example), tests: testNames(t)}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasSuffix(f.Name.Name, "Command") {
				known.command(f)
			}
		}
	}
	require.Contains(t, known.flags["ingest"], "--source", "the commands are written otherwise than this test reads them")
	return known
}

// testNames are the names of all test functions of the tree.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	}))
	require.Greater(t, len(names), 500)
	return names
}

// command takes the commands and flags from a function that makes them: those of one function have its flags in common.
func (k truth) command(f *ast.FuncDecl) {
	var names []string
	flags := []string{"--help"}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Use" {
				names = append(names, strings.Fields(literal(n.Value))[0]) // "?" of one that is put together
			}
		case *ast.CallExpr:
			if method, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasSuffix(method.Sel.Name, "Var") && len(n.Args) > 1 {
				flags = append(flags, "--"+literal(n.Args[1]))
			}
		}
		return true
	})
	for _, name := range names {
		k.flags[name] = flags
	}
}

func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		if text, err := strconv.Unquote(l.Value); err == nil {
			return text
		}
	}
	return "?"
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code     = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
	call     = regexp.MustCompile(`\bgpatlas[ \t]+([a-z][a-z-]*)([^\n;|&#` + "`" + `]*)`)
	flag     = regexp.MustCompile(`(?:^|[\s])(--[a-z][a-z-]*)`)
	composed = regexp.MustCompile(`\$\{([A-Z_]+):`)
	setting  = regexp.MustCompile(`\b(?:WEB|DATABASE|REDIS|JOBS|LOG|OTEL|CATALOG|DATAOPS|ANALYTICS|ACCOUNTS|PEOPLE|MAIL|ACCESS|ANONYMOUS)_[A-Z_]+[A-Z]\b`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	source   = regexp.MustCompile("`((?:modules|platform|web|cmd|docs|migrations|sample|scripts|bench|templates)/[a-z0-9_./-]+\\.[a-z]+)`")
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	test     = regexp.MustCompile(`\bTest[A-Z]\w+`)
	dropped  = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// faults says what a page names that does not exist.
func (k truth) faults(dir, text string) (out []string) {
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if fault := broken(dir, m[1], text); fault != "" {
			out = append(out, fault)
		}
	}
	for _, m := range source.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil && !strings.Contains(m[1], "/summary/") { // the slice of the worked example
			out = append(out, "there is no file "+m[1])
		}
	}
	for _, block := range code.FindAllString(text, -1) {
		for _, name := range test.FindAllString(block, -1) {
			if !k.tests[name] && name != "TestSummary" {
				out = append(out, "there is no test "+name)
			}
		}
		for _, m := range call.FindAllStringSubmatch(block, -1) {
			out = append(out, k.miscalled(m[1], m[2])...)
		}
		for _, name := range setting.FindAllString(block, -1) {
			if !strings.Contains(k.settings, "# "+name+"=") {
				out = append(out, "there is no setting "+name)
			}
		}
	}
	return out
}

func (k truth) miscalled(command, rest string) (out []string) {
	flags, ok := k.flags[command]
	if !ok {
		return []string{"there is no command gpatlas " + command}
	}
	for _, m := range flag.FindAllStringSubmatch(rest, -1) {
		if !slices.Contains(flags, m[1]) {
			out = append(out, fmt.Sprintf("gpatlas %s has no flag %s", command, m[1]))
		}
	}
	return out
}

// broken says what is wrong with a link to a page or a heading; other sites are not asked.
func broken(dir, target, text string) string {
	if strings.Contains(target, "://") {
		return ""
	}
	path, fragment, _ := strings.Cut(target, "#")
	if path != "" {
		linked, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			return path + " does not exist"
		}
		text = string(linked)
	}
	if fragment == "" {
		return ""
	}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		if strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == fragment {
			return ""
		}
	}
	return fmt.Sprintf("%s has no heading #%s", path, fragment)
}
