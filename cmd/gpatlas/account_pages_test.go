package main

import (
	"cmp"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/browser"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/web"
)

// TestAccountPages starts one service with the sample for the pages of an account.
func TestAccountPages(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	for name, run := range map[string]func(*testing.T, *house, *database.DB){
		"walk": walkAccount, "journey": accountJourney, "others": othersThings,
		"in a browser": browseJourney(false), "in a browser without scripts": browseJourney(true),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, h, db)
		})
	}
}

// pagesBelow are the paths of the pages of an access class below a path in the manifests, as patterns.
func pagesBelow(t *testing.T, root string, access console.Access) (patterns []string) {
	t.Helper()
	for _, m := range manifests(t) {
		for _, p := range m.Pages {
			if p.Method == http.MethodGet && p.Access == access && strings.HasPrefix(p.Path, root) && !strings.Contains(p.Path, ".") {
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
	leads(t, v.send("/gps/"+shownGP+"/watch"), "/gps/"+shownGP)
	require.Contains(t, v.open("/gps/"+shownGP).body, "You watch this manager.")
	leads(t, v.send("/account/collections", "name", "Boston", "description", "To meet"), "/account/collections?notice=added")
	collection := "/account/collections/" + idOn(t, v, "/account/collections", "/account/collections/")
	leads(t, v.send(collection+"/add", "crd", shownGP), collection+"?notice=added")
	save := regexp.MustCompile(`href="(/account/searches\?[^"]+)"`).FindStringSubmatch(v.open("/gps?state=NY&sort=aum&page=1").body)
	require.NotNil(t, save)
	search, err := url.Parse(html.UnescapeString(save[1]))
	require.NoError(t, err)
	require.Contains(t, v.open(search.String()).body, "Filters: Sort aum, State NY.")
	leads(t, v.send("/account/searches", "name", "New York", "search", search.Query().Get("search")), "/account/searches?notice=saved")
	made := v.send("/account/webhooks", "url", "https://hooks.example.com/gpatlas", "scope", "all", "kinds", "aum_change, new_fund", "mode", "each")
	require.Regexp(t, `whsec_[A-Za-z0-9+/]{43}=`, html.UnescapeString(made.body))
	require.NotContains(t, v.open("/account/webhooks").body, "whsec_")
	hook := "/account/webhooks/" + idOn(t, v, "/account/webhooks", "/account/webhooks/")
	require.Contains(t, v.open(hook).body, "Aum change, New fund")
	leads(t, v.send(hook+"/pause"), hook+"?notice=saved")
	require.Contains(t, v.open(hook).body, "Continue where it stood")
	leads(t, v.send(hook+"/continue"), hook+"?notice=saved")
	require.Contains(t, v.send("/account/webhooks", "url", "http://10.0.0.1", "scope", "all", "mode", "each").body, "There is a problem")
	return makeKey(t, v)
}

// Guarantee: every page of an account in the manifests is reached by links, answers, can be used without seeing it, in light and dark, down to 320
// pixels and without scripts, breaks no policy, and has one heading and a title of its own. Its links lead somewhere.
func walkAccount(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const email = "walk@larkspur.example"
	ada := newVisitor(t, h)
	furnish(t, ada, h, email)
	walkPages(t, h, ada, email, "/account", console.SignedIn)
}

// walkPages follows every link from a page to pages below it, then opens one of each page in a browser, and more.
func walkPages(t *testing.T, h *house, ada *visitor, email, root string, access console.Access, more ...string) {
	t.Helper()
	titles, seen, queue := map[string]string{}, map[string]bool{root: true}, []string{root}
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
			sort := regexp.MustCompile(`=[^&]*`).ReplaceAllString(link, "") // one link with each set of parameters: the limits of pages apply
			switch {
			case seen[sort]:
			case strings.HasPrefix(link, root) && !strings.Contains(link, ".") && !strings.HasPrefix(link, web.QueuesPath):
				seen[sort] = true
				queue = append(queue, link)
			case !strings.HasPrefix(link, "/v1/"):
				seen[sort] = true
				require.Less(t, ada.open(link).status, http.StatusBadRequest, "%s on %s", link, path)
			}
		}
	}
	one := more // and one of each page
	patterns := pagesBelow(t, root, access)
	for _, pattern := range patterns {
		at := slices.IndexFunc(paths, func(path string) bool {
			exact := "^" + path + "$"
			return regexp.MustCompile(pattern).MatchString(path) && (pattern == exact || !slices.Contains(patterns, exact))
		})
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
				require.Empty(t, inaccessible(tab), "%s, %s", path, name)
			}
			require.LessOrEqual(t, browser.Eval[int](tab, "document.documentElement.scrollWidth"), browser.Eval[int](tab, "window.innerWidth"), "%s, %s", path, name)
			require.Empty(t, tab.Faults(), "%s, %s", path, name)
			shot(tab, strings.NewReplacer("/", "-", "?", "-").Replace(path[1:])+"-"+name)
		}
	}
}

// Guarantee: from registration to the end of the account by pages alone. The command that is shown with a key runs, and usage shows its call.
func accountJourney(t *testing.T, h *house, db *database.DB) {
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
	require.Eventually(t, func() bool { return strings.Contains(ada.open("/account/keys/"+id).body, "search-gps") }, patience, glance)
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
	program := caller{t, h.base, key}
	require.Equal(t, http.StatusOK, program.call("GET", "/v1/gps?per_page=1", "").status)

	for typed, want := range map[string]string{"5": "cap-error", "much": "cap-error"} {
		a := ada.send("/account/billing/cap", "cap", typed)
		require.Equal(t, http.StatusBadRequest, a.status, a.body)
		require.Contains(t, a.body, `id="`+want+`"`)
		require.Contains(t, a.body, `value="`+typed+`"`)
	}
	wrong := ada.send("/account/billing/cap/alerts", "thresholds", "50, most")
	require.Equal(t, http.StatusBadRequest, wrong.status)
	require.Contains(t, wrong.body, `id="thresholds-error"`)
	leads(t, ada.send("/account/billing/cap/alerts", "thresholds", "50 %, 100"), "/account/billing?notice=saved")
	leads(t, ada.send("/account/billing/cap", "cap", "10"), "/account/billing?notice=saved")
	paid := program.call("GET", "/v1/gps/"+shownGP+"/metrics", "")
	require.Equal(t, http.StatusOK, paid.status, paid.body)
	charges := ada.open("/account/charges?group_by=operation").body
	require.Contains(t, charges, paid.header.Get("X-Request-Id"))
	require.Contains(t, charges, "Sum of the whole list: $0.15.")
	file := ada.open("/account/charges.csv?operation=get-gp-metrics")
	require.Equal(t, http.StatusOK, file.status)
	require.Contains(t, file.header.Get("Content-Disposition"), "attachment")
	require.Contains(t, file.body, paid.header.Get("X-Request-Id"))
	_, err := db.Pool().Exec(t.Context(), "UPDATE billing.accounts SET spent_micros = 10000000 WHERE user_id = (SELECT id FROM accounts.users WHERE email = $1)", email)
	require.NoError(t, err)
	refused := program.call("GET", "/v1/gps/"+shownGP+"/metrics", "")
	require.Equal(t, http.StatusPaymentRequired, refused.status, refused.body)
	billing := ada.open("/account/billing").body
	require.Contains(t, billing, "<dt>Your cap</dt><dd>$10.00</dd><dt>Left</dt><dd>$0.00</dd>")
	require.Contains(t, billing, "requests with a price return 402 and cost nothing")

	export := ada.send("/account/exports", "type", "gps", "search", "state=NY&page=2", "format", "csv")
	require.Equal(t, http.StatusOK, export.status, export.body)
	require.Contains(t, export.header.Get("Content-Disposition"), "gpatlas-gps-")
	require.True(t, strings.HasPrefix(export.body, "crd,"), export.body)
	leads(t, ada.send("/account/notifications", "billing", "yes"), "/account/notifications?notice=saved")
	require.Equal(t, 1, strings.Count(ada.open("/account/notifications").body, ` checked aria-describedby="billing-about"`))
	mine := ada.send("/account/data/export")
	require.Equal(t, http.StatusOK, mine.status, mine.body)
	require.Contains(t, mine.header.Get("Content-Disposition"), "gpatlas-export-")
	require.Contains(t, mine.body, email)

	for field, value := range map[string]string{"email": "other@larkspur.example", "password": "not the password"} {
		fields := map[string]string{"email": email, "password": h.password}
		fields[field] = value
		a := ada.send("/account/data/delete", "email", fields["email"], "password", fields["password"])
		require.GreaterOrEqual(t, a.status, http.StatusBadRequest)
		require.Contains(t, a.body, "There is a problem")
	}
	leads(t, ada.send("/account/data/delete", "email", email, "password", h.password), "/login?notice=deleted")
	leads(t, ada.open("/account"), "/login")
	require.Equal(t, http.StatusUnauthorized, program.call("GET", "/v1/gps?per_page=1", "").status)
	require.NotContains(t, h.out.String(), key, "a key is in the log")
}

// browseJourney is a person's way in a browser, with scripts or without.
//
// Guarantee: a new user registers, confirms the address by the mail, finds a manager, compares two of its filings, watches it, makes a key, runs the
// command that the page shows, sees the request in the usage, sets a cap, reaches it, and deletes the account.
func browseJourney(noScript bool) func(t *testing.T, h *house, db *database.DB) {
	return func(t *testing.T, h *house, db *database.DB) {
		t.Helper()
		email := map[bool]string{false: "scripts", true: "plain"}[noScript] + "@larkspur.example"
		tab := browser.Start(t).Tab(t, browser.Options{NoScript: noScript})
		tab.Open(h.base + "/register")
		fillIn(tab, "full_name", "Ada Larkspur", "email", email, "password", h.password)
		tab.Open(h.base + "/verify-email?token=" + h.mailed(t, email, "verify-email"))
		tab.Click("main form button")
		at(t, tab, h, "/account/keys/new?notice=verified")
		tab.Click("main form button")
		command := regexp.MustCompile(`curl -H 'Authorization: Bearer gpa_\w+' '[^']+'`).FindString(tab.Text("main"))
		require.NotEmpty(t, command, tab.Text("main"))

		tab.Type("#find", shownGP)
		tab.Enter()
		require.Contains(t, tab.Text("#results"), "1 manager")
		tab.Click("#results tbody a")
		at(t, tab, h, "/gps/"+shownGP)
		tab.Click(`form[action$="/watch"] button`)
		require.Contains(t, tab.Text("main"), "You watch this manager.")
		tab.Click(`main a[href*="/compare"]`)
		tab.Click(`main form[method="post"] button`)
		require.Contains(t, tab.Text("main"), "This cost $0.25.")
		require.Contains(t, tab.Text("main table"), "Employee count")

		require.Contains(t, h.shell(t, strings.Replace(command, "curl ", "curl -fsS ", 1)), `"data":[`)
		require.Eventually(t, func() bool {
			tab.Open(h.base + "/account/usage")
			return strings.Contains(tab.Text("main"), "search-gps")
		}, patience, time.Second)

		tab.Click(`nav a[href="/account/billing"]`)
		tab.Click(`main a[href="/account/billing/cap"]`)
		fillIn(tab, "cap", "10")
		at(t, tab, h, "/account/billing?notice=saved")
		_, err := db.Pool().Exec(t.Context(), "UPDATE billing.accounts SET spent_micros = 10000000 WHERE user_id = (SELECT id FROM accounts.users WHERE email = $1)", email)
		require.NoError(t, err)
		tab.Open(h.base + "/gps/" + shownGP + "/changes")
		tab.Click(`main form[method="post"] button`)
		require.Contains(t, tab.Text(".problem"), "spending cap")

		tab.Open(h.base + "/account/data")
		tab.Type(`form[action="/account/data/delete"] [name="email"]`, email)
		tab.Type(`form[action="/account/data/delete"] [name="password"]`, h.password)
		tab.Click(`form[action="/account/data/delete"] button`)
		require.Equal(t, h.base+"/login?notice=deleted", tab.URL())
		fillIn(tab, "username", email, "password", h.password)
		require.Contains(t, tab.Text(".problem"), "Incorrect email address or password")
	}
}

// Guarantee: what is another account's looks like what is not there, on every page with a parameter and for every form.
func othersThings(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const noMessage = "msg_mfrggzdfmztwq2lknnwg23tpob"
	ada, eve := newVisitor(t, h), newVisitor(t, h)
	furnish(t, ada, h, "owner@larkspur.example")
	furnish(t, eve, h, "other@larkspur.example")
	ids := map[string]string{
		"{key_id}": idOn(t, ada, "/account/keys", "/account/keys/"), "{collection_id}": idOn(t, ada, "/account/collections", "/account/collections/"),
		"{item_id}": idOn(t, ada, "/account/watchlist", "/account/watchlist/"), "{search_id}": idOn(t, ada, "/account/searches", "/account/searches/"),
		"{endpoint_id}": idOn(t, ada, "/account/webhooks", "/account/webhooks/"), "{message_id}": noMessage,
		"{crd}": shownGP, "{id}": "sess_4k2m7qz5x3n6v8b2c4l7w3t5ya",
	}
	for _, m := range manifests(t) {
		for _, p := range m.Pages {
			parts := parameter.FindAllString(p.Path, -1)
			if !strings.HasPrefix(p.Path, "/account") || len(parts) == 0 {
				continue
			}
			theirs, none := p.Path, p.Path
			for _, part := range parts {
				theirs, none = strings.ReplaceAll(theirs, part, ids[part]), strings.ReplaceAll(none, part, cmp.Or(map[string]string{"{crd}": shownGP, "{message_id}": noMessage}[part], nothing))
			}
			require.NotContains(t, theirs, "//", "the test has nothing of %s", p.Path)
			for _, path := range []string{theirs, none} {
				var a answer
				if p.Method == http.MethodGet {
					a = eve.open(path)
				} else {
					a = eve.send(path, "name", "mine", "crd", shownGP)
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
