package config

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Example writes .env.example from the structs: for each variable its comment and its default. The comment is the field's `doc`
// tag or else its doc comment in the source under root (of module path modulePath).
func Example(root, modulePath string, target any) (string, error) {
	var out strings.Builder
	out.WriteString("# Every setting of the service, with its default. Generated from the config structs by `make generate`; do not edit.\n" +
		"# `gpatlas dev` needs none of them. No command reads this file. Copy it to .env and load it with `set -a; . ./.env; set +a`.\n")
	docs := sourceDocs{root: root, module: modulePath, types: map[string]map[string]string{}}
	for _, s := range sections(target) {
		fmt.Fprintf(&out, "\n## %s\n", s.name)
		for _, v := range s.variables() {
			doc := v.field.Tag.Get("doc")
			if doc == "" {
				var err error
				if doc, err = docs.field(v.owner, v.field.Name); err != nil {
					return "", err
				}
			}
			if doc == "" {
				return "", fmt.Errorf("%s has no comment: %s.%s needs a doc comment or a doc tag", v.name, v.owner, v.field.Name)
			}
			out.WriteString("\n")
			for line := range strings.Lines(phrase(doc, v)) {
				out.WriteString("# " + strings.TrimSpace(line) + "\n")
			}
			fmt.Fprintf(&out, "# %s=%s\n", v.name, quote(v.value))
		}
	}
	return out.String(), nil
}

// phrase replaces the field's name in "MaxConns is the most …" by the variable's.
func phrase(doc string, v variable) string {
	doc = strings.TrimSpace(doc)
	if rest, ok := strings.CutPrefix(doc, v.field.Name+" "); ok {
		return v.name + " " + rest
	}
	return doc
}

// quote makes a value safe for a shell that reads the file.
func quote(value string) string {
	if strings.ContainsAny(value, " *?;&|<>()$`\"\\") {
		return "'" + value + "'"
	}
	return value
}

// sourceDocs reads the doc comments of struct fields from the source.
type sourceDocs struct {
	root, module string
	types        map[string]map[string]string // "path.Type" → field → comment
}

func (d sourceDocs) field(t reflect.Type, field string) (string, error) {
	key := t.PkgPath() + "." + t.Name()
	if d.types[key] == nil {
		rel, ok := strings.CutPrefix(t.PkgPath(), d.module)
		if !ok || t.Name() == "" {
			return "", fmt.Errorf("settings type %s is not one of this module's named types", t)
		}
		fields, err := fieldComments(filepath.Join(d.root, filepath.FromSlash(rel)), t.Name())
		if err != nil {
			return "", err
		}
		d.types[key] = fields
	}
	return d.types[key][field], nil
}

func fieldComments(dir, typeName string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != typeName {
				return true
			}
			if st, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range st.Fields.List {
					for _, name := range f.Names {
						// A comment above wins over one at the end of the line.
						if comments[name.Name] = f.Doc.Text(); comments[name.Name] == "" {
							comments[name.Name] = f.Comment.Text()
						}
					}
				}
			}
			return false
		})
	}
	return comments, nil
}
