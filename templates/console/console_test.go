package console_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// luminance is the relative luminance of a colour such as #0b5cad (WCAG 2.2).
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	value, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	require.NoError(t, err, colour)
	channel := func(shift uint) float64 {
		c := float64(value>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Guarantee: every colour that carries a meaning can be read on every ground that it stands on, in light and in dark.
func TestContrast(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 21, contrast(t, "#000000", "#ffffff"), 0.01)
	tokens := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--([a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(templates.Style.Text, -1) {
		tokens[m[1]] = [2]string{m[2], m[3]}
	}
	require.Len(t, tokens, 10)
	for mode, name := range []string{"light", "dark"} {
		for _, pair := range []struct {
			over, on string
			least    float64
		}{
			{"ink", "bg", 4.5},
			{"ink", "panel", 4.5},
			{"ink", "ins", 4.5},
			{"ink", "del", 4.5}, // text
			{"soft", "bg", 4.5},
			{"soft", "panel", 4.5},
			{"accent", "bg", 4.5},
			{"accent", "panel", 4.5}, // links, and the button's ground under the page's colour
			{"down", "bg", 4.5},
			{"up", "ins", 3},
			{"down", "del", 3}, // errors; edges of notices
		} {
			got := contrast(t, tokens[pair.over][mode], tokens[pair.on][mode])
			require.GreaterOrEqual(t, got, pair.least, "%s on %s, %s", pair.over, pair.on, name)
		}
	}
	used := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b`).FindAllString(strings.ReplaceAll(templates.Style.Text, "light-dark(#", ""), -1)
	require.Len(t, used, len(tokens), "colours are tokens, and stand nowhere else: %s", used)
}

// Guarantee: the parts of a form tie label, hint, error and field together, and no password is written back.
func TestForm(t *testing.T) {
	t.Parallel()
	page := templates.Parse(fstest.MapFS{"p.html": {Data: []byte(`{{define "content"}}{{template "form" .}}{{end}}`)}}, "p.html")
	form := &console.Form{Action: "/x", Submit: "Go", Fields: []console.Field{
		{Name: "email", Label: "Email address", Type: console.Email, Autocomplete: "email", Hint: "Yours", Value: `"<b>`},
		{Name: "password", Label: "Password", Type: console.Password, Value: "hidden words"},
		{Name: "news", Label: "News", Type: console.Checkbox, Optional: true, Value: "yes"},
	}}
	form.Fail(apperr.Invalid(apperr.FieldError{Field: "email", Message: "is wrong"}))
	var out bytes.Buffer
	require.NoError(t, templates.Render(&out, page, templates.Frame{Title: "T", Base: "/atlas", Form: form}))
	for _, want := range []string{
		`<form method="post" action="/atlas/x"`, `<label for="email">Email address</label>`,
		`<input id="email" name="email" type="email" autocomplete="email" value="&#34;&lt;b&gt;" required aria-invalid="true" aria-describedby="email-hint email-error">`,
		`<p class="error" id="email-error">Email address is wrong</p>`, `<li><a href="#email">Email address is wrong</a></li>`,
		`<input id="news" name="news" type="checkbox" value="yes" checked>`, `role="alert"`,
	} {
		require.Contains(t, out.String(), want)
	}
	require.NotContains(t, out.String(), "hidden words")
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(out.String(), -1) {
		require.False(t, ids[m[1]], "id %s is there twice", m[1])
		ids[m[1]] = true
	}
}

// ownSheet is the page whose policy names the hash of its sheet, as its own test requires: it stands alone, under the API.
const ownSheet = "modules/notifications/internal/unsubscribe/page.html"

// ownScript is the one element that may name a script: it loads our file.
var ownScript = []byte(`<script src="{{.Base}}{{.ScriptPath}}" defer></script>`)

// links are those to other sites. The policy does not concern them.
var links = regexp.MustCompile(`<a href="https://adviserinfo\.sec\.gov/[^"]*"`)

// Guarantee: no template of a page has a script in it, a style of its own or a handler, which the policy would refuse.
func TestTemplatesKeepToThePolicy(t *testing.T) {
	t.Parallel()
	root, found := os.DirFS("../.."), 0
	bad := regexp.MustCompile(`(?i)<script|<style|\s(style|on[a-z]+)=|javascript:|https?://`)
	for _, dir := range []string{"templates/console", "modules"} {
		require.NoError(t, fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") || strings.Contains(name, "testdata") {
				return err
			}
			text, err := fs.ReadFile(root, name)
			found++
			if name == ownSheet {
				text = bytes.Replace(text, []byte("<style>{{.Style}}</style>"), nil, 1)
			}
			text = links.ReplaceAll(bytes.Replace(text, ownScript, nil, 1), nil)
			require.Empty(t, bad.FindString(string(text)), name)
			return err
		}))
	}
	require.Greater(t, found, 8, fmt.Sprint(root))
}
