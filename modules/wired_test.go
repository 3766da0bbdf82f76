package modules_test

import (
	"fmt"
	"go/ast"
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

// TestEverySliceIsWired: each slice that offers something is in the list of parts of its module, and each model of a slice
// is in the list of models that is compared with the database.
func TestEverySliceIsWired(t *testing.T) {
	t.Parallel()
	missing, slices, err := unwired(os.DirFS("."))
	require.NoError(t, err)
	require.Greater(t, slices, 20, "the walk found hardly any slice: is it looking at the right tree?")
	require.Empty(t, missing)
}

// TestEverySliceIsWiredCatchesABadTree plants one of each kind of slice that is forgotten.
func TestEverySliceIsWiredCatchesABadTree(t *testing.T) {
	t.Parallel()
	const (
		part   = "package s\nfunc (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }\n"
		listed = "package s\nfunc (s *Service) Part() module.Part { return module.Part{Models: Models()} }\n"
		model  = "package s\ntype row struct { ID int64 `gorm:\"column:id\"` }\nfunc (row) TableName() string { return \"a.rows\" }\n"
		models = "func Models() []any { return []any{row{}} }\n"
		wired  = "package a\nimport \"gpatlas/modules/a/internal/s\"\nfunc build() { module.New(\"a\", s.NewService().Part()) }\n"
		stored = "package a\nimport \"gpatlas/modules/a/internal/s\"\nfunc build() { module.New(\"a\", module.Part{Models: s.Models()}) }\n"
		byName = "package a\nimport \"gpatlas/modules/a/internal/s\"\nfunc build() { x, _ := s.NewService(); module.New(\"a\", x.Part(1)) }\n"
		given  = "package a\nimport \"gpatlas/modules/a/internal/s\"\nfunc build(x *s.Service) { module.New(\"a\", x.Part()) }\n"
		unused = "package a\nimport \"gpatlas/modules/a/internal/s\"\nfunc build() { use(s.NewService()) }\n"
		empty  = "package a\n"
	)
	for name, c := range map[string]struct {
		module, part, store string
		want                []string
	}{
		"all there":                 {wired, listed, model + models, nil},
		"by a variable":             {byName, listed, model + models, nil},
		"by a parameter":            {given, listed, model + models, nil},
		"a store alone":             {stored, "package s\n", model + models, nil},
		"models in the part itself": {wired, "package s\nfunc Part() module.Part { return module.Part{Models: []any{&row{}}} }\n", model, nil},
		"not imported":              {empty, part, "package s\n", []string{"a/internal/s/part.go: a/module.go does not import the slice"}},
		"made and not listed":       {unused, part, "package s\n", []string{"a/internal/s/part.go: a/module.go does not list its Part"}},
		"a model in no list":        {wired, part, model, []string{"a/internal/s/store.go: row is not in Models"}},
		"a list in no part":         {wired, part, model + models, []string{"a/internal/s: no Part lists its Models"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := unwired(fstest.MapFS{
				"a/module.go": {Data: []byte(c.module)}, "a/internal/s/part.go": {Data: []byte(c.part)}, "a/internal/s/store.go": {Data: []byte(c.store)},
			})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// slice is what one package below internal has of what its module lists.
type slice struct {
	part         string            // the file with Part, or routes.go
	models       map[string]string // GORM models, with their files
	listed       map[string]bool   // types in Models, and in literals of Models in a Part
	hasList      bool              // there is a function Models
	partUsesList bool              // and a call of it in the package
}

// unwired lists the slices with a Part that their module does not list, and models that no Part lists.
func unwired(root fs.FS) (missing []string, count int, err error) {
	found := map[string]*slice{}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") ||
			strings.Count(name, "/") < 3 || strings.Split(name, "/")[1] != "internal" {
			return err
		}
		file, err := parse(root, name)
		if err != nil {
			return err
		}
		s := found[path.Dir(name)]
		if s == nil {
			s = &slice{models: map[string]string{}, listed: map[string]bool{}}
			found[path.Dir(name)] = s
		}
		s.read(name, file)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		s := found[dir]
		owner, _, _ := strings.Cut(dir, "/")
		host, err := parse(root, owner+"/module.go")
		if err != nil {
			return nil, 0, err
		}
		imported, parts, lists := wiring(host, "gpatlas/modules/"+dir)
		if s.part != "" {
			count++
			switch {
			case !imported:
				missing = append(missing, fmt.Sprintf("%s: %s/module.go does not import the slice", s.part, owner))
			case !parts:
				missing = append(missing, fmt.Sprintf("%s: %s/module.go does not list its Part", s.part, owner))
			}
		}
		for _, model := range slices.Sorted(maps.Keys(s.models)) {
			if !s.listed[model] {
				missing = append(missing, s.models[model]+": "+model+" is not in Models")
			}
		}
		if s.hasList && !s.partUsesList && !lists {
			missing = append(missing, dir+": no Part lists its Models")
		}
	}
	return missing, count, nil
}

func parse(root fs.FS, name string) (*ast.File, error) {
	source, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
}

// read takes in one file of a slice.
func (s *slice) read(name string, file *ast.File) {
	if path.Base(name) == "routes.go" {
		s.part = name
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			switch {
			case d.Name.Name == "Models" && d.Recv == nil:
				s.hasList = true
				s.list(d)
				continue
			case d.Name.Name == "Part" && s.part == "":
				s.part = name
			case d.Name.Name == "TableName" && d.Recv != nil:
				s.models[nameOf(d.Recv.List[0].Type)] = name
			}
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				s.partUsesList = s.partUsesList || nameOf(n.Fun) == "Models"
			case *ast.KeyValueExpr:
				if nameOf(n.Key) == "Models" {
					s.list(n.Value)
				}
			}
			return true
		})
	}
}

// list takes in the types of the literals below a node.
func (s *slice) list(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && lit.Type != nil {
			s.listed[nameOf(lit.Type)] = true
		}
		return true
	})
}

// wiring says whether a module's list imports a package, calls a Part of it, and its Models. A part may be called of a
// variable that the package's constructor made, or of a parameter.
func wiring(host *ast.File, pkg string) (imported, parts, lists bool) {
	local := ""
	for _, i := range host.Imports {
		if i.Path.Value == strconv.Quote(pkg) {
			local = path.Base(pkg)
			if i.Name != nil {
				local = i.Name.Name
			}
		}
	}
	if local == "" {
		return false, false, false
	}
	made := map[string]bool{local: true}
	for _, d := range host.Decls { // functions beside the list that give the slice
		if f, ok := d.(*ast.FuncDecl); ok && f.Type.Results != nil && root(f.Type.Results.List[0].Type) == local {
			made[f.Name.Name] = true
		}
	}
	ast.Inspect(host, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for i, value := range a.Rhs {
				if made[root(value)] {
					made[nameOf(a.Lhs[i])] = true
				}
			}
		}
		if p, ok := n.(*ast.Field); ok && root(p.Type) == local { // a parameter that the container provides
			for _, name := range p.Names {
				made[name.Name] = true
			}
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && made[root(f.X)] {
				parts = parts || f.Sel.Name == "Part"
				lists = lists || f.Sel.Name == "Models"
			}
		}
		return true
	})
	return true, parts, lists
}

// root is the first name of a chain of calls and selections.
func root(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.CallExpr:
		return root(e.Fun)
	case *ast.SelectorExpr:
		return root(e.X)
	case *ast.StarExpr:
		return root(e.X)
	}
	return nameOf(e)
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return nameOf(e.X)
	}
	return ""
}
