package docs_test

import (
	"cmp"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddAnOperation(t *testing.T) {
	t.Parallel()
	tree := followSection(t, "first-operation.md", "Add an operation", 3)
	require.Contains(t, tree.read(t, "cmd/gpatlas/testdata/openapi.golden.json"), `"/v1/me/summary"`)
}

func TestAddAMail(t *testing.T) {
	t.Parallel()
	tree := followSection(t, "contributing.md", "Add a mail", 3)
	require.Contains(t, tree.read(t, "templates/email/testdata/email_confirmed.txt"), "Hello Ada Larkspur,")
}

func TestAddAnOverrideField(t *testing.T) {
	t.Parallel()
	followSection(t, "contributing.md", "Add an override field", 1)
}

func TestAddAColumn(t *testing.T) {
	t.Parallel()
	followSection(t, "contributing.md", "Add a column of a filing", 4)
}

// followSection follows a section of a page in a copy of the tree, step by step. What a step adds is left out first, where the page names
// the test that then fails: it must fail with the sentence that the page quotes. In the end all is green.
func followSection(t *testing.T, file, heading string, wantCaught int) scratch {
	t.Helper()
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "\n## "+heading+"\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	steps, guards := stepsOf(section), guardsOf(section)
	require.Greater(t, len(steps), 6, "the page is written otherwise than this test reads it")
	tree, caught := copyTree(t), 0
	for _, s := range steps {
		place := s.file
		if s.language == "sql" {
			place = filepath.Dir(s.file) // a migration, which pages cannot name
		}
		for command, g := range guards {
			if g.file != place {
				continue
			}
			out, err := tree.run(t, command)
			require.Error(t, err, "%s passes without %s", command, g.file)
			for _, sentence := range g.says {
				require.Contains(t, out, sentence)
				caught++
			}
		}
		tree.follow(t, s)
	}
	require.Equal(t, wantCaught, caught, "the table of what is forgotten names files that no step is about")
	return tree
}

// step is a code block: a new file, lines to insert into a file, or commands (without a file).
type step struct{ language, file, text string }

var (
	block = regexp.MustCompile("(?s)\n```(go|sql|diff|sh|html|txt)\n(.*?)```\n")
	named = regexp.MustCompile(`^(?://|--|<!--) (\S+)(?: -->)?\n`)
	guard = regexp.MustCompile("(?m)^\\| [a-z ]+(?:`([^`]+)`)? \\| `(go test [^`]+)` \\| `([^`]+)` \\|$")
)

func stepsOf(section string) (steps []step) {
	for _, m := range block.FindAllStringSubmatch(section, -1) {
		s := step{language: m[1], text: m[2]}
		if first := named.FindStringSubmatch(s.text); first != nil {
			s.file, s.text = first[1], strings.TrimPrefix(s.text, first[0])
		}
		steps = append(steps, s)
	}
	return steps
}

// forgotten is what the page's table says of one command: the file without whose step it fails, and what it says then.
type forgotten struct {
	file string
	says []string
}

// guardsOf reads the table, by command. The file is the one that the command's first row names.
func guardsOf(section string) map[string]forgotten {
	guards := map[string]forgotten{}
	for _, m := range guard.FindAllStringSubmatch(section, -1) {
		g := guards[m[2]]
		g.file, g.says = cmp.Or(g.file, m[1]), append(g.says, m[3])
		guards[m[2]] = g
	}
	return guards
}

// follow does in the copy what a block of the page says.
func (s scratch) follow(t *testing.T, step step) {
	t.Helper()
	switch step.language {
	case "sh":
		out, err := s.run(t, step.text)
		require.NoError(t, err, out)
		return
	case "diff":
		step.text = inserted(t, s.read(t, step.file), step.text)
	}
	require.NotEmpty(t, step.file, "the first line of a block names its file: %s", step.text)
	s.write(t, step.file, step.text)
	if filepath.Ext(step.file) == ".go" {
		tidy, err := format.Source([]byte(step.text))
		require.NoError(t, err, step.file)
		if step.language == "diff" { // as an editor orders imports and aligns comments
			s.write(t, step.file, string(tidy))
			return
		}
		require.Equal(t, string(tidy), step.text, "%s is not formatted", step.file)
	}
}

// inserted is a text with the lines of a diff that begin with + after the line before them, which the text must have once.
func inserted(t *testing.T, text, diff string) string {
	t.Helper()
	after := ""
	for line := range strings.Lines(diff) {
		content := line[1:]
		if line[0] == '+' {
			text = strings.Replace(text, after, after+content, 1)
			after += content
			continue
		}
		require.Equal(t, 1, strings.Count("\n"+text, "\n"+content), "the line stands elsewhere now: %s", content)
		after = content
	}
	return text
}
