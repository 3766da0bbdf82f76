package modules_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// mayAsk is the matrix of who may import whose api package. A new line here is a design decision.
var mayAsk = map[string][]string{
	"accounts":      {"catalog"},
	"analytics":     {"catalog"},
	"billing":       {"accounts"}, // not people: it charges for units, which are text to it
	"catalog":       {},
	"dataops":       {"catalog", "people"},
	"feed":          {"accounts", "catalog"},
	"keys":          {"accounts"},
	"notifications": {"accounts", "billing", "catalog"},
	"people":        {"billing", "catalog"},
}

// planned are the modules of the matrix that are still to be built.
var planned []string

// onlyIn are the packages of others that one module alone may import, by the beginning of their path.
var onlyIn = map[string]string{"github.com/stripe/": "billing"}

// TestImportRules holds the tree to the rules of the architecture that Go's internal folders do not enforce.
func TestImportRules(t *testing.T) {
	t.Parallel()
	faults, files, err := brokenImports(os.DirFS(".."), mayAsk)
	require.NoError(t, err)
	require.Greater(t, files, 20, "the walk found hardly any source: is it looking at the right tree?")
	require.Empty(t, faults)
}

// TestMatrixIsOfTheModules holds the matrix to the tree: a row for each module, and no row of none but of the planned ones,
// which leave the list when they are built. Modules do not ask each other in a circle.
func TestMatrixIsOfTheModules(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	want := slices.Clone(planned)
	for _, e := range entries {
		if e.IsDir() && e.Name() != "testdata" {
			want = append(want, e.Name())
		}
	}
	require.ElementsMatch(t, want, slices.Collect(maps.Keys(mayAsk)), "of the matrix; a module that is built is no longer planned")
	var walk func(path []string)
	walk = func(path []string) {
		for _, next := range mayAsk[path[len(path)-1]] {
			require.Contains(t, mayAsk, next)
			require.NotContains(t, path, next, "a circle")
			walk(append(slices.Clone(path), next))
		}
	}
	for from := range mayAsk {
		walk([]string{from})
	}
}

// TestImportRulesCatchABadTree plants one violation of each rule: a checker that cannot fail checks nothing.
func TestImportRulesCatchABadTree(t *testing.T) {
	t.Parallel()
	file := func(imports ...string) *fstest.MapFile {
		var b strings.Builder
		b.WriteString("package x\n")
		for _, i := range imports {
			fmt.Fprintf(&b, "import _ %q\n", i)
		}
		return &fstest.MapFile{Data: []byte(b.String())}
	}
	bad := map[string]struct {
		path string
		file *fstest.MapFile
		want string
	}{
		"platform imports a module":      {"platform/money/a.go", file("gpatlas/modules/catalog/catalogapi"), "platform imports no module"},
		"platform imports web":           {"platform/money/a.go", file("gpatlas/web"), "platform imports neither web nor cmd"},
		"module asks outside the matrix": {"modules/catalog/internal/gp/a.go", file("gpatlas/modules/billing/billingapi"), "catalog may not ask billing"},
		"module imports another's root":  {"modules/dataops/a.go", file("gpatlas/modules/catalog"), "only catalogapi"},
		"test kit in production":         {"modules/dataops/a.go", file("gpatlas/modules/catalog/catalogtest"), "only in tests"},
		"test kit of the platform":       {"platform/money/a.go", file("gpatlas/platform/testkit/dbtest"), "only in tests"},
		"test kit of a slice":            {"modules/people/a.go", file("gpatlas/modules/people/internal/x/xtest"), "only in tests"},
		"web imports a module's root":    {"web/a.go", file("gpatlas/modules/catalog"), "web speaks to modules through manifests"},
		"module imports web":             {"modules/catalog/a.go", file("gpatlas/web"), "modules import neither web nor cmd"},
		"api leaves the standard library": {
			"modules/catalog/catalogapi/a.go", file("gpatlas/platform/apperr"), "standard library only",
		},
		"billing knows persons":          {"modules/billing/a.go", file("gpatlas/modules/people/peopleapi"), "billing may not ask people"},
		"accounts asks billing":          {"modules/accounts/a.go", file("gpatlas/modules/billing/billingapi"), "accounts may not ask billing"},
		"people pays by itself":          {"modules/people/a.go", file("github.com/stripe/stripe-go/v83"), "only billing may import"},
		"platform pays":                  {"platform/charge/a.go", file("github.com/stripe/stripe-go/v83/webhook"), "only billing may import"},
		"module missing from the matrix": {"modules/stranger/a.go", file("strings"), "stranger is not in the matrix"},
	}
	for name, c := range bad {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, _, err := brokenImports(fstest.MapFS{c.path: c.file}, mayAsk)
			require.NoError(t, err)
			require.Len(t, faults, 1)
			require.Contains(t, faults[0], c.want)
		})
	}
	good := fstest.MapFS{
		"modules/dataops/a.go":      file("gpatlas/modules/catalog/catalogapi", "gpatlas/platform/apperr"),
		"modules/dataops/a_test.go": file("gpatlas/modules/catalog/catalogtest"),
		"web/webtest/a.go":          file("gpatlas/platform/testkit/httpapitest"),
		"modules/people/a.go":       file("gpatlas/modules/billing/billingapi", "gpatlas/modules/catalog/catalogapi"),
		"modules/billing/a.go":      file("gpatlas/modules/accounts/accountsapi", "github.com/stripe/stripe-go/v83"),
		"cmd/gpatlas/main.go":       file("gpatlas/modules/catalog", "gpatlas/web"),
	}
	faults, _, err := brokenImports(good, mayAsk)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// brokenImports parses every Go file below root and says, a line each, which import breaks which rule.
func brokenImports(root fs.FS, matrix map[string][]string) (faults []string, files int, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin") {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		if from := moduleOf(name); from != "" {
			if _, known := matrix[from]; !known {
				faults = append(faults, fmt.Sprintf("%s: module %s is not in the matrix", name, from))
			}
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why := verdict(name, imported, matrix); why != "" {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", name, imported, why))
			}
		}
		return nil
	})
	return faults, files, err
}

// verdict says why the file may not import the package, or nothing when it may.
func verdict(file, imported string, matrix map[string][]string) string {
	own := strings.TrimPrefix(imported, "gpatlas/")
	inside := own != imported
	from, to := moduleOf(file), moduleOf(own+"/")
	test := strings.HasSuffix(file, "_test.go")
	api := from != "" && strings.HasPrefix(file, "modules/"+from+"/"+from+"api/")
	first, _, _ := strings.Cut(imported, "/")
	standard := !inside && !strings.Contains(first, ".")
	host := own == "web" || strings.HasPrefix(own, "web/") || strings.HasPrefix(own, "cmd/")
	switch {
	case inside && testKit(own) && !test && !testKit(path.Dir(file)):
		return "test kits are imported only in tests"
	case api && !test && !standard:
		return "an api package uses the standard library only"
	case !inside:
		for prefix, owner := range onlyIn {
			if strings.HasPrefix(imported, prefix) && from != owner {
				return "only " + owner + " may import " + prefix
			}
		}
		return ""
	case strings.HasPrefix(file, "platform/") && to != "":
		return "platform imports no module"
	case strings.HasPrefix(file, "platform/") && host:
		return "platform imports neither web nor cmd"
	case strings.HasPrefix(file, "web/") && to != "" && !test && own != "modules/"+to+"/"+to+"api":
		return "web speaks to modules through manifests and api packages"
	case from != "" && host:
		return "modules import neither web nor cmd"
	case from == "" || to == "" || from == to:
		return ""
	case !slices.Contains(matrix[from], to):
		return fmt.Sprintf("%s may not ask %s: the matrix has no such line", from, to)
	case own != "modules/"+to+"/"+to+"api" && own != "modules/"+to+"/"+to+"test":
		return fmt.Sprintf("between modules only %sapi may be imported", to)
	}
	return ""
}

// testKit returns whether a package serves tests only, by its path below the repository.
func testKit(pkg string) bool {
	return strings.Contains(pkg, "/testkit/") || strings.HasSuffix(pkg, "test")
}

// moduleOf names the module that a path below the repository belongs to, or nothing.
func moduleOf(name string) string {
	parts := strings.Split(name, "/")
	if len(parts) < 3 || parts[0] != "modules" {
		return ""
	}
	return parts[1]
}
