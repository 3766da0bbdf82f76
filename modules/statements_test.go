package modules_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// statementMax is the most lines of a statement that stands in its store.
const statementMax = 8

// TestStatementsOfStores holds the stores to one way to write SQL: GORM for rows by key, platform/database for the rest,
// with named arguments. A statement of more than eight lines is a .sql file beside its store.
func TestStatementsOfStores(t *testing.T) {
	t.Parallel()
	faults, files, err := brokenStatements(os.DirFS(".."))
	require.NoError(t, err)
	require.Greater(t, files, 50, "the walk found hardly any store or .sql file: is it looking at the right tree?")
	require.Empty(t, faults)
}

// TestStatementsOfStoresCatchABadTree plants one violation of each rule.
func TestStatementsOfStoresCatchABadTree(t *testing.T) {
	t.Parallel()
	const name = "modules/keys/internal/free/store.go"
	bad := map[string]struct{ name, source, want string }{
		"GORM reads by a statement":  {name, `err := s.db.From(ctx).Raw("SELECT 1").Scan(&n).Error`, "calls Raw of GORM"},
		"GORM writes by a statement": {name, `err := s.db.From(ctx).Exec("DELETE FROM keys.free_calls").Error`, "calls Exec of GORM"},
		"a handle in a variable":     {"platform/jobs/store_x.go", `tx := db.From(ctx); tx.Exec(insertSQL)`, "calls Exec of GORM"},
		"a long statement":           {name, "const q = `SELECT 1" + strings.Repeat("\n", statementMax) + "FROM x`", "more than"},
		"a broken statement":         {name, "q := \"SELECT 1\" +\n\" FROM x\"", "one literal"},
		"a question mark":            {name, `q := "SELECT 1 WHERE x = ?"`, "named arguments"},
		"a number":                   {name, `q := "SELECT 1 WHERE x = $1"`, "named arguments"},
		"a number in a file":         {"modules/keys/internal/free/take.sql", "SELECT $1", "named arguments"},
	}
	for what, c := range bad {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			source := c.source
			if path.Ext(c.name) == ".go" {
				source = "package x\nfunc f() {\n" + source + "\n}\n"
			}
			faults, _, err := brokenStatements(fstest.MapFS{c.name: {Data: []byte(source)}})
			require.NoError(t, err)
			require.Len(t, faults, 1)
			require.Contains(t, faults[0], c.want)
		})
	}
	const good = "package x\nfunc f() {\n" + `
		s.db.From(ctx).Where("id = ? AND user_id = ?", id, user).Delete(&row{})
		database.Run(ctx, s.db, "remove a row", "DELETE FROM x WHERE id = @id", database.Args{"id": id})
		c.Exec(ctx, "SET statement_timeout = 0")
	` + "const columns = `name,\n\tcity`\n}"
	faults, files, err := brokenStatements(fstest.MapFS{
		name: {Data: []byte(good)}, "modules/keys/internal/free/store_test.go": {Data: []byte("package x\nconst q = `SELECT\n1`\n")},
		"modules/keys/internal/free/take.sql": {Data: []byte("SELECT @id\nFROM x\n")},
	})
	require.NoError(t, err)
	require.Equal(t, 2, files)
	require.Empty(t, faults)
}

var (
	beginsStatement = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|DO|LOCK|SET|CREATE|ALTER|DROP|TRUNCATE)\b`)
	numbered        = regexp.MustCompile(`\$[0-9]`)
	unnamed         = regexp.MustCompile(`\?|\$[0-9]`)
)

// brokenStatements reads the stores and the .sql files of the modules and the platform, and says, a line each, which breaks
// which rule.
func brokenStatements(root fs.FS) (faults []string, files int, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		sql := path.Ext(name) == ".sql"
		store, _ := path.Match("store*.go", path.Base(name))
		if !sql && !store || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") || !ruled(name) {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		files++
		if sql {
			if numbered.Match(source) {
				faults = append(faults, name+": statements take named arguments")
			}
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			why, deeper := brokenNode(set, n)
			if why != "" {
				faults = append(faults, fmt.Sprintf("%s: %s", set.Position(n.Pos()), why))
			}
			return deeper
		})
		return nil
	})
	return faults, files, err
}

func ruled(name string) bool {
	return strings.HasPrefix(name, "modules/") || strings.HasPrefix(name, "platform/")
}

// brokenNode says which rule a node breaks, and whether to look into it. Strings that are added up are one string.
func brokenNode(set *token.FileSet, n ast.Node) (why string, deeper bool) {
	switch n := n.(type) {
	case *ast.CallExpr:
		return brokenCall(n), true
	case *ast.BinaryExpr:
		if texts := literals(n); n.Op == token.ADD && len(texts) > 0 {
			return brokenText(strings.Join(texts, ""), set.Position(n.Pos()).Line != set.Position(n.End()).Line), false
		}
	case *ast.BasicLit:
		if texts := literals(n); len(texts) > 0 {
			return brokenText(texts[0], false), false
		}
	}
	return "", true
}

// brokenCall finds statements that GORM runs. Exec of pgx has a context as its first argument, GORM's has not.
func brokenCall(call *ast.CallExpr) string {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	first, _ := call.Args[0].(*ast.Ident)
	if method.Sel.Name == "Raw" || method.Sel.Name == "Exec" && (first == nil || !strings.HasSuffix(strings.ToLower(first.Name), "ctx")) {
		return "calls " + method.Sel.Name + " of GORM: statements run through platform/database"
	}
	return ""
}

func brokenText(text string, broken bool) string {
	statement := beginsStatement.MatchString(text)
	switch {
	case statement && broken:
		return "a statement is one literal"
	case statement && strings.Count(text, "\n") >= statementMax:
		return fmt.Sprintf("a statement of more than %d lines is a .sql file beside its store", statementMax)
	case statement && unnamed.MatchString(text):
		return "statements take named arguments"
	}
	return ""
}

// literals are the string literals of an expression, in their order.
func literals(in ast.Expr) (texts []string) {
	ast.Inspect(in, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}
