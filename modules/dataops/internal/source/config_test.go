package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/source"
)

// The built-in sources are as they should be, and all of them are the regulator's.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	list, err := source.Load("", "")
	require.NoError(t, err)
	require.Len(t, list, 6)
	for _, d := range list {
		require.NotEmpty(t, d.URLs(), d.Name)
		for _, u := range d.URLs() {
			require.Contains(t, []string{"www.sec.gov", "reports.adviserinfo.sec.gov"}, u.Host, d.Name)
			require.Equal(t, "https", u.Scheme)
		}
	}
	list, err = source.Load("", "http://127.0.0.1:8099/mirror/")
	require.NoError(t, err)
	monthly, err := source.Find(list, "adv-monthly")
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8099/mirror/reports/foia/reports_metadata.json", monthly.Index)
	require.Equal(t, []string{"http://127.0.0.1:8099/mirror/reports/foia/{key}/{year}/{file}"}, monthly.Addresses)
	_, err = source.Find(list, "adv")
	require.ErrorContains(t, err, `there is no source "adv"; the sources are adv-history, adv-monthly, advw, rosters, iapd-firm-feed, form-d`)
}

func load(t *testing.T, text string) ([]source.Definition, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sources.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return source.Load(path, "")
}

// A file changes the fields that it gives of a built-in source, and adds its own.
func TestLoadFile(t *testing.T) {
	t.Parallel()
	list, err := load(t, `{"sources": [
		{"name": "form-d", "enabled": false, "from": "2020-01"},
		{"name": "mirror", "kind": "list", "addresses": ["http://files.example.org/a.zip"], "per_second": 2}]}`)
	require.NoError(t, err)
	require.Len(t, list, 7)
	formD, err := source.Find(list, "form-d")
	require.NoError(t, err)
	require.False(t, formD.IsEnabled())
	require.Equal(t, "2020-01", formD.From)
	require.Equal(t, source.KindPeriods, formD.Kind)
	require.True(t, list[6].IsEnabled())
}

// A fault names the source and its field.
func TestLoadFileFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"sources": [{"name": "form-d", "schedule": "daily"}]}`:                         `source "form-d": schedule: "daily" is not a cron expression`,
		`{"sources": [{"name": "form-d", "colour": 1}]}`:                                 `sources[0]: json: unknown field "colour"`,
		`{"sources": [{"name": "form-d", "last": "two"}]}`:                               "sources[0]: json: cannot unmarshal string into Go struct field Definition.last",
		`{"sources": [{"name": "A b", "kind": "list", "addresses": ["http://x/y"]}]}`:    "name: must be lower-case words",
		`{"sources": [{"name": "x", "kind": "ftp", "addresses": ["http://x/y"]}]}`:       `source "x": kind: "ftp" is not one of`,
		`{"sources": [{"name": "x", "kind": "list"}]}`:                                   "addresses: there must be at least one",
		`{"sources": [{"name": "x", "kind": "list", "addresses": ["/etc/passwd"]}]}`:     `addresses: "/etc/passwd" is not an http or https URL`,
		`{"sources": [{"name": "x", "kind": "list", "addresses": ["http://u:p@x/y"]}]}`:  "must not have a user or a fragment",
		`{"sources": [{"name": "x", "kind": "list", "addresses": ["http://x/{file}"]}]}`: "contains the unknown placeholder {file}",
		`{"sources": [{"name": "advw", "addresses": ["https://{file}/x"]}]}`:             "has a space in its host",
		`{"sources": [{"name": "advw", "addresses": ["https://x/y"]}]}`:                  "lacks {file}",
		`{"sources": [{"name": "advw", "key": "a/b"}]}`:                                  "key: must name one of the index's lists",
		`{"sources": [{"name": "advw", "per_second": 11}]}`:                              "per_second: 11 is not between 0 and 10",
		`{"sources": [{"name": "iapd-firm-feed", "match": ["("]}]}`:                      "match: error parsing regexp",
		`{"sources": [{"name": "form-d", "every": "week"}]}`:                             `every: "week" is neither month nor quarter`,
		`{"sources": [{"name": "form-d", "from": ""}]}`:                                  "from: \"\" is not a month",
		`{"sources": [{"name": "rosters", "days": [0]}]}`:                                "days: 0 is not a day",
		`{"sources": [{"name": "rosters", "days": []}]}`:                                 "has {dd}, so they must say which",
		`{"sources": []} {}`: "something follows the end",
		`{"sources": {}}`:    "cannot unmarshal object",
		`{`:                  "unexpected EOF",
	} {
		_, err := load(t, text)
		require.ErrorContains(t, err, want, text)
	}
}
