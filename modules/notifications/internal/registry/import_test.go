package registry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/notifications/internal/registry"
	"gpatlas/platform/testkit/httpapitest"
)

// Without merge the document is the registry, but for built-in kinds, which go back to their defaults.
func TestImportReplaces(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fresh := b.export(t)
	b.do(t, "POST", "", entry("old_notice", ""), 201)
	b.do(t, "POST", "", entry("notice", ""), 201)
	b.do(t, "PUT", "activity_digest", `{"max_per_day":3,"enabled":false}`, 200)
	b.do(t, "PUT", "market_intel", `{"enabled":false}`, 200)
	doc := document(entry("notice", `,"max_per_day":9`), entry("new_notice", ""),
		`{"id":"market_intel","name":"Market","category":"market_intel","enabled":false,"max_per_day":2}`)
	require.JSONEq(t, `{"data":{"total":10,"created":1,"updated":2,"unchanged":0,"reset":1,"deleted":1}}`, b.do(t, "POST", "import", doc, 200))
	require.JSONEq(t, `{"data":{"total":10,"created":0,"updated":0,"unchanged":3,"reset":0,"deleted":0}}`, b.do(t, "POST", "import", doc, 200))
	b.do(t, "GET", "old_notice", "", 404)
	require.Contains(t, b.do(t, "GET", "notice", "", 200), `"max_per_day":9`)
	require.Contains(t, b.do(t, "GET", "activity_digest", "", 200), `"enabled":true,"max_per_day":1,"built_in":true`)
	require.Contains(t, b.do(t, "GET", "activity_digest", "", 200), `"updated_by":7`, "who has reset it")
	require.Contains(t, b.do(t, "GET", "market_intel", "", 200), `"name":"Market"`)
	require.Contains(t, b.do(t, "POST", "import?merge=false", document(), 200), `"deleted":2`)
	require.Equal(t, fresh, b.export(t), "an empty document leaves the built-in kinds with their defaults")
}

func TestImportMerges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(t, "POST", "", entry("old_notice", ""), 201)
	b.do(t, "PUT", "activity_digest", `{"enabled":false}`, 200)
	require.JSONEq(t, `{"data":{"total":10,"created":1,"updated":0,"unchanged":0,"reset":0,"deleted":0}}`,
		b.do(t, "POST", "import?merge=true", document(entry("new_notice", "")), 200))
	b.do(t, "GET", "old_notice", "", 200)
	require.Contains(t, b.do(t, "GET", "activity_digest", "", 200), `"enabled":false`)
}

// One bad entry keeps the whole document out, to the byte; each fault is named with its entry and its field.
func TestImportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(t, "POST", "", entry("old_notice", ""), 201)
	before := b.export(t)
	good := []string{entry("first_notice", ""), entry("second_notice", "")}
	for name, c := range map[string]struct {
		third string
		want  []string
	}{
		"id":              {entry("Third", ""), []string{"notifications[2].id"}},
		"reserved":        {entry("export", ""), []string{"notifications[2].id", "is reserved"}},
		"twice":           {entry("first_notice", ""), []string{"notifications[2].id", "notifications[0]"}},
		"category":        {`{"id":"third","name":"N","category":"news","subject":"S","text":"T"}`, []string{"notifications[2].category"}},
		"no name":         {`{"id":"third","category":"product","subject":"S","text":"T"}`, []string{"notifications[2].name"}},
		"several":         {`{"id":"third","name":" ","category":"product","subject":"\n","max_per_day":5}`, []string{"notifications[2].name", "notifications[2].subject", "notifications[2].text"}},
		"account off":     {`{"id":"third","name":"N","category":"account","enabled":false,"subject":"S","text":"T"}`, []string{"notifications[2].category", "notifications[2].enabled"}},
		"built-in text":   {`{"id":"market_intel","name":"N","category":"market_intel","subject":"S","text":"T"}`, []string{"notifications[2].subject", "notifications[2].text"}},
		"built-in moved":  {`{"id":"market_intel","name":"N","category":"product"}`, []string{"notifications[2].category"}},
		"unknown field":   {entry("third", `,"note":"x"`), []string{"notifications[2].note"}},
		"huge a day":      {entry("third", `,"max_per_day":1e3`), []string{"notifications[2].max_per_day"}},
		"not an object":   {`7`, []string{"notifications[2]"}},
		"unfinished JSON": {`{"id":`, []string{"body"}},
	} {
		t.Log(name)
		for _, merge := range []string{"", "?merge=true"} {
			got := b.do(t, "POST", "import"+merge, document(append(good, c.third)...), 400)
			for _, want := range c.want {
				require.Contains(t, got, want)
			}
			require.Equal(t, before, b.export(t))
		}
	}
	for _, body := range []string{`{"notifications":[]}`, `{"version":2,"notifications":[]}`, `{"version":1}`, `{"version":1,"notifications":null}`, `[]`, `{"version":1,"notifications":{}}`} {
		b.do(t, "POST", "import", body, 400)
	}
	b.do(t, "POST", "import?merge=maybe", document(), 400)
	b.do(t, "POST", "import?merge=", document(), 400)
	huge := document() + strings.Repeat(" ", 1<<20)
	b.do(t, "POST", "import", huge, 413)
	require.Equal(t, before, b.export(t))
}

// The largest registry there can be is exported into a document that can be imported.
func TestLargestRegistry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wide := func(n int) string { return strings.Repeat("𝔞", n) } // four bytes each
	add := func(i int) string {
		return fmt.Sprintf(`{"id":"%s_%03d","name":"%s","description":"%s","category":"activity_digest","max_per_day":100,"subject":"%s","text":"%s"}`,
			strings.Repeat("a", 46), i, wide(100), wide(300), wide(120), wide(2000))
	}
	var entries []string
	for i := range 100 {
		entries = append(entries, add(i))
	}
	b.do(t, "POST", "import", document(entries...), 200)
	for _, k := range []string{"activity_digest", "market_intel", "notification_test", "search_alert", "trial_ended", "trial_ending", "unknown_price", "webhook_disabled"} {
		b.do(t, "PUT", k, `{"name":"`+wide(100)+`","description":"`+wide(300)+`","max_per_day":100}`, 200)
	}
	whole := b.export(t)
	require.LessOrEqual(t, len(whole), 1<<20)
	require.Contains(t, b.do(t, "POST", "import", whole, 200), `"unchanged":108`)
	require.Equal(t, whole, b.export(t))
	require.Contains(t, b.do(t, "POST", "", entry("one_more", ""), 409), "maximum")
	require.Contains(t, b.do(t, "POST", "import?merge=true", document(entry("one_more", "")), 409), "maximum")
	require.Equal(t, whole, b.export(t))
}

// Any document can be imported; from then on, export and import change nothing, with and without merge.
func TestImportOfExportIsIdentity(t *testing.T) {
	t.Parallel()
	b := setup(t)
	category := rapid.SampledFrom([]string{"billing", "activity_digest", "market_intel", "product"})
	line := rapid.StringMatching(`[A-Za-z0-9"\\<&äé𝔞][ A-Za-z0-9"\\<&äé𝔞]{0,40}`).Filter(func(s string) bool { return s == strings.TrimSpace(s) })
	added := rapid.Custom(func(t *rapid.T) registry.Entry {
		e := registry.Entry{
			ID: "x_" + rapid.StringMatching(`[a-z][a-z0-9]{0,8}(_[a-z0-9]{1,5}){0,2}`).Draw(t, "id"), Name: line.Draw(t, "name"), Category: category.Draw(t, "category"),
			Subject: new(line.Draw(t, "subject")), Text: new(line.Draw(t, "line") + "\n\n" + line.Draw(t, "another")),
		}
		if rapid.Bool().Draw(t, "described") {
			e.Description = line.Draw(t, "description")
		}
		if rapid.Bool().Draw(t, "limited") {
			e.MaxPerDay = new(rapid.IntRange(1, 100).Draw(t, "max"))
		}
		e.Enabled = new(rapid.Bool().Draw(t, "enabled"))
		return e
	})
	builtIn := rapid.Custom(func(t *rapid.T) registry.Entry {
		id := rapid.SampledFrom([]string{"activity_digest", "market_intel"}).Draw(t, "kind")
		return registry.Entry{ID: id, Name: line.Draw(t, "name"), Category: id, Enabled: new(rapid.Bool().Draw(t, "enabled"))}
	})
	rapid.Check(t, func(rt *rapid.T) {
		entries := rapid.SliceOfNDistinct(rapid.OneOf(added, builtIn), 0, 6, func(e registry.Entry) string { return e.ID }).Draw(rt, "entries")
		text, err := json.Marshal(registry.Document{Version: 1, Notifications: entries})
		require.NoError(rt, err)
		call := func(method, at, body string) string {
			return b.host.Do(t, httpapitest.Scenario{Method: method, Path: path + at, Body: body, As: admin}).Body
		}
		call("POST", "import", string(text))
		exported := call("GET", "export", "")
		for _, at := range []string{"import", "import?merge=true"} {
			var done struct{ Data registry.Imported }
			require.NoError(rt, json.Unmarshal([]byte(call("POST", at, exported)), &done))
			require.Equal(rt, registry.Imported{Total: done.Data.Total, Unchanged: done.Data.Total}, done.Data)
			require.Equal(rt, exported, call("GET", "export", ""))
		}
		for _, e := range entries {
			got, err := b.service.Get(t.Context(), e.ID)
			require.NoError(rt, err)
			require.Equal(rt, e.Name, got.Name)
			require.Equal(rt, e.Text, got.Text)
		}
	})
}
