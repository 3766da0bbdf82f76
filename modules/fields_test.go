package modules_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// placedField is a field at fault that is named with the part of the request that it stands in.
var placedField = regexp.MustCompile(`"(?:body|query|path|header)\.[a-z_]`)

// TestFieldNames holds every check of input to one way of naming a field at fault: a field of a body by its path in it
// (name, filters.state, tags[2]), a parameter or header by its name. What huma finds is restated so in platform/httpapi.
func TestFieldNames(t *testing.T) {
	t.Parallel()
	require.True(t, placedField.MatchString(`Field: "body.name"`))
	require.False(t, placedField.MatchString(`Field: "filters." + name`))
	files := 0
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile("../" + path)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "FieldError") {
				files++
				require.NotRegexp(t, placedField, line, "%s:%d", path, n+1)
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 40, "the walk found hardly any check: is it looking at the right tree?")
}
