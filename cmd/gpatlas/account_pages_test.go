package main

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/browser"
	"gpatlas/platform/testkit/dbtest"
)

// TestAccountPages starts one service with the sample for the pages of an account.
func TestAccountPages(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	for name, run := range map[string]func(*testing.T, *house, *database.DB){
		"walk": walkAccount, "journey": accountJourney, "others": othersThings,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, h, db)
		})
	}
}

// ownPages are the paths of the account's pages in the manifests, as patterns.
func ownPages(t *testing.T) (patterns []string) {
	t.Helper()
	for _, m := range manifests(t) {
		for _, p := range m.Pages {
			if p.Method == http.MethodGet && p.Access == console.SignedIn && strings.HasPrefix(p.Path, "/account") && !strings.Contains(p.Path, ".") {
				patterns = append(patterns, "^"+parameter.ReplaceAllString(p.Path, `[^/?]+`)+"$")
			}
		}
	}
	require.NotEmpty(t, patterns)
	return patterns
}

var href = regexp.MustCompile(`href="(/[^"]*)"`)

// furnish gives an account a thing of each kind, by the forms of its pages.
func furnish(t *testing.T, v *visitor, h *house, email string) (key string) {
	t.Helper()
	v.register(h, email)
	leads(t, v.send("/verify-email", "token", h.mailed(t, email, "verify-email")), "/account/keys/new?notice=verified")
	return makeKey(t, v)
}

// Guarantee: every page of an account in the manifests is reached by links, answers, can be used without seeing it, in light and dark, down to 320
// pixels and without scripts, breaks no policy, and has one heading and a title of its own. Its links lead somewhere.
func walkAccount(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const email = "walk@larkspur.example"
	ada := newVisitor(t, h)
	furnish(t, ada, h, email)
	titles, seen, queue := map[string]string{}, map[string]bool{"/account": true}, []string{"/account"}
	var paths []string
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		page := ada.open(path)
		require.Equal(t, http.StatusOK, page.status, path)
		require.Equal(t, 1, strings.Count(page.body, "<h1>"), path)
		require.Equal(t, "no-store", page.header.Get("Cache-Control"), path)
		require.NotContains(t, page.body, "could not be loaded", path)
		paths = append(paths, path)
		if bare, _, _ := strings.Cut(path, "?"); bare == path {
			title := regexp.MustCompile(`<title>([^<]+)</title>`).FindStringSubmatch(page.body)[1]
			require.Empty(t, titles[title], "%s has the title of another page: %s", path, title)
			titles[title] = path
		}
		for _, m := range href.FindAllStringSubmatch(page.body, -1) {
			link := html.UnescapeString(m[1])
			switch {
			case seen[link]:
			case strings.HasPrefix(link, "/account") && !strings.Contains(link, "."):
				seen[link] = true
				queue = append(queue, link)
			case !strings.HasPrefix(link, "/v1/") && len(seen) < 300:
				seen[link] = true
				require.Less(t, ada.open(link).status, http.StatusBadRequest, "%s on %s", link, path)
			}
		}
	}
	var one []string // of each page
	for _, pattern := range ownPages(t) {
		at := slices.IndexFunc(paths, regexp.MustCompile(pattern).MatchString)
		require.GreaterOrEqual(t, at, 0, "no link leads to %s", pattern)
		one = append(one, paths[at])
	}
	b := browser.Start(t)
	for _, o := range []browser.Options{{}, {Width: 390, Height: 844, Dark: true}, {Width: 320, Height: 640, NoScript: true}} {
		tab := b.Tab(t, o)
		name := map[bool]string{false: "light", true: "dark"}[o.Dark] + map[int64]string{390: "-390", 320: "-320"}[o.Width]
		tab.Open(h.base + "/login")
		fillIn(tab, "username", email, "password", h.password)
		for _, path := range one {
			tab.Open(h.base + path)
			if !o.NoScript {
				require.Empty(t, browser.Eval[[]string](tab, accessibility), "%s, %s", path, name)
			}
			require.LessOrEqual(t, browser.Eval[int](tab, "document.documentElement.scrollWidth"), browser.Eval[int](tab, "window.innerWidth"), "%s, %s", path, name)
			require.Empty(t, tab.Faults(), "%s, %s", path, name)
			shot(tab, "account"+strings.NewReplacer("/", "-", "?", "-").Replace(strings.TrimPrefix(path, "/account"))+"-"+name)
		}
	}
}

// Guarantee: from registration to the end of the account by pages alone. The command that is shown with a key runs, and usage shows its call.
func accountJourney(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const email = "journey@larkspur.example"
	ada := newVisitor(t, h)
	key := furnish(t, ada, h, email)
	shown := regexp.MustCompile(`curl -H 'Authorization: Bearer gpa_\w+' '([^']+)'`)
	id := regexp.MustCompile(`name="key_id" value="([^"]+)"`).FindStringSubmatch(ada.open(console.KeysPath).body)[1]
	made := html.UnescapeString(ada.send(console.KeysPath, "name", "Second", "key_id", id).body)
	command := shown.FindString(made)
	require.NotEmpty(t, command, made)
	require.Contains(t, h.shell(t, strings.Replace(command, "curl ", "curl -fsS ", 1)), `"data":[`)
	require.Eventually(t, func() bool { return strings.Contains(ada.open("/account/keys/" + id).body, "search-gps") }, patience, glance)
	usage := ada.open("/account/usage?key=" + id).body
	require.Contains(t, usage, "1 request, 0 failed")
	require.Contains(t, usage, "<td>search-gps</td>")

	leads(t, ada.send("/account/keys/"+id, "name", "Renamed"), "/account/keys/"+id+"?notice=saved")
	require.Contains(t, ada.open("/account/keys").body, ">Renamed</a>")
	empty := ada.send("/account/keys/"+id, "name", "")
	require.Equal(t, http.StatusBadRequest, empty.status)
	require.Contains(t, empty.body, `id="name-error"`)
	roll := ada.open("/account/keys/new?replaces=" + id).body
	require.Contains(t, roll, "which works until you revoke it")
	leads(t, ada.send("/account/keys/"+id+"/revoke"), "/account/keys/"+id+"?notice=revoked")
	require.Equal(t, http.StatusUnauthorized, caller{t, h.base, strings.Fields(strings.ReplaceAll(command, "'", " "))[4]}.call("GET", "/v1/gps?per_page=1", "").status)
	require.Equal(t, http.StatusOK, caller{t, h.base, key}.call("GET", "/v1/gps?per_page=1", "").status)
}

// Guarantee: what is another account's looks like what is not there, on every page with a parameter and for every form.
func othersThings(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	ada, eve := newVisitor(t, h), newVisitor(t, h)
	furnish(t, ada, h, "owner@larkspur.example")
	furnish(t, eve, h, "other@larkspur.example")
	ids := map[string]string{"{key_id}": idOn(t, ada, "/account/keys", "/account/keys/")}
	for _, m := range manifests(t) {
		for _, p := range m.Pages {
			parts := parameter.FindAllString(p.Path, -1)
			if !strings.HasPrefix(p.Path, "/account") || len(parts) == 0 {
				continue
			}
			theirs, none := p.Path, p.Path
			for _, part := range parts {
				theirs, none = strings.ReplaceAll(theirs, part, ids[part]), strings.ReplaceAll(none, part, nothing)
			}
			require.NotContains(t, theirs, "//", "the test has nothing of %s", p.Path)
			for _, path := range []string{theirs, none} {
				a := eve.open(path)
				if p.Method == http.MethodPost {
					a = eve.send(path, "name", "mine")
				}
				require.Equal(t, http.StatusNotFound, a.status, "%s %s: %s", p.Method, path, a.body)
			}
		}
	}
	require.Equal(t, http.StatusNotFound, eve.open("/account/keys/new?replaces="+ids["{key_id}"]).status)
}

// idOn is the ID in the first link on a page that begins so.
func idOn(t *testing.T, v *visitor, page, prefix string) string {
	t.Helper()
	m := regexp.MustCompile(regexp.QuoteMeta(prefix) + `([0-9a-f-]{36})`).FindStringSubmatch(v.open(page).body)
	require.NotNil(t, m, page)
	return m[1]
}
