package main

import (
	_ "embed"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/browser"
	"gpatlas/platform/testkit/dbtest"
)

// TestBrowser tries the pages in a real browser, whose pages run no scripts.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	h := startHouse(t, dbtest.URL(t, dbtest.New(t)), dbtest.RedisURL(t))
	for name, run := range map[string]func(*testing.T, *browser.Browser, *house){
		"register to sign out": browseRegistration, "forgotten password": browseReset, "everybody can use it": browseAccessibly,
		"keyboard": browseByKeyboard,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, b, h)
		})
	}
	t.Run("Secure cookie", func(t *testing.T) {
		t.Parallel()
		browseWithSecureCookie(t, b)
	})
}

// fillIn types into fields, given as name, text, name, text, and sends their form.
func fillIn(tab *browser.Tab, fields ...string) {
	for i := 0; i+1 < len(fields); i += 2 {
		tab.Type(`[name="`+fields[i]+`"]`, fields[i+1])
	}
	tab.Click("main form button")
}

// at wants the tab to be at a path, with nothing secret in its URL.
func at(t *testing.T, tab *browser.Tab, h *house, path string) {
	t.Helper()
	require.Equal(t, h.base+path, tab.URL())
	require.Empty(t, tab.Faults())
}

// Guarantee: register, follow the mail's link, sign out, sign in: each step by what is on the page.
func browseRegistration(t *testing.T, b *browser.Browser, h *house) {
	t.Helper()
	const email = "browser@larkspur.example"
	tab := b.Tab(t, browser.Options{NoScript: true})
	tab.Open(h.base + "/account")
	at(t, tab, h, "/login")
	tab.Click(`main a[href="/register"]`)
	fillIn(tab, "full_name", "Ada Larkspur", "email", email, "password", h.password)
	at(t, tab, h, "/account?notice=registered")
	require.Contains(t, tab.Text("main"), email+" (not confirmed)")
	require.Equal(t, []browser.Cookie{{Name: "gpa", HTTPOnly: true, SameSite: "Lax"}}, tab.Cookies(), "over plain HTTP")

	tab.Open(h.base + "/verify-email?token=" + h.mailed(t, email, "verify-email"))
	tab.Click("main form button")
	at(t, tab, h, "/account/keys/new?notice=verified")
	tab.Click("main form button")
	at(t, tab, h, "/account/keys/new")
	require.Contains(t, tab.Text("main"), "gpa_live_")
	tab.Click(`main a[href="/account"]`)
	require.Contains(t, tab.Text("main"), email+" (confirmed)")

	tab.Click(`form[action="/logout"] button`)
	at(t, tab, h, "/login?notice=signed-out")
	require.Empty(t, tab.Cookies())
	fillIn(tab, "username", email, "password", h.password)
	at(t, tab, h, "/account")
	tab.Click(`form[action="/logout"] button`)
	at(t, tab, h, "/login?notice=signed-out")
	tab.Open(h.base + "/account")
	at(t, tab, h, "/login")
}

// Guarantee: ask for a link, follow it, set a password, sign in with it; the old one is refused on the page.
func browseReset(t *testing.T, b *browser.Browser, h *house) {
	t.Helper()
	const email, fresh = "forgot@larkspur.example", "rain over the northern pier"
	newVisitor(t, h).register(h, email)
	tab := b.Tab(t, browser.Options{NoScript: true})
	tab.Open(h.base + "/login")
	tab.Click(`main a[href="/forgot-password"]`)
	fillIn(tab, "email", email)
	at(t, tab, h, "/forgot-password?notice=asked")
	tab.Open(h.base + "/reset-password?token=" + h.mailed(t, email, "reset-password"))
	fillIn(tab, "new_password", fresh)
	at(t, tab, h, "/login?notice=reset")
	fillIn(tab, "username", email, "password", h.password)
	require.Contains(t, tab.Text(".problem"), "Incorrect email address or password")
	fillIn(tab, "password", fresh) // the address is still there
	require.Equal(t, h.base+"/account", tab.URL())
}

// Guarantee: where the pages say that they are reached by HTTPS, Chromium keeps the __Host- cookie, also on this machine's own
// address, where a proxy in front is left out.
func browseWithSecureCookie(t *testing.T, b *browser.Browser) {
	t.Helper()
	h := startHouse(t, dbtest.URL(t, dbtest.New(t)), dbtest.RedisURL(t), "ACCOUNTS_PUBLIC_APP_URL="+publicURL)
	tab := b.Tab(t, browser.Options{NoScript: true})
	tab.Open(h.base + "/register")
	fillIn(tab, "full_name", "Ada Larkspur", "email", "secure@larkspur.example", "password", h.password)
	at(t, tab, h, "/account?notice=registered")
	require.Equal(t, []browser.Cookie{{Name: "__Host-gpa", Secure: true, HTTPOnly: true, SameSite: "Lax"}}, tab.Cookies())
}

//go:embed testdata/accessibility.js
var accessibility string

// inaccessible is what makes a page hard to use, by our own check and by axe-core.
func inaccessible(tab *browser.Tab) []string {
	return append(browser.Eval[[]string](tab, accessibility), tab.Axe()...)
}

// Guarantee: in light and dark, wide and narrow, every page has what people need who do not see it, or see little: names,
// labels, order, contrast, targets of a size, no sideways scrolling. With GPATLAS_SHOTS=folder it leaves pictures there.
func browseAccessibly(t *testing.T, b *browser.Browser, h *house) {
	t.Helper()
	for _, o := range []browser.Options{{}, {Width: 390, Height: 844, Dark: true}, {Width: 320, Height: 640}} {
		tab := b.Tab(t, o)
		name := map[bool]string{false: "light", true: "dark"}[o.Dark] + map[int64]string{390: "-390", 320: "-320"}[o.Width]
		look := func(page string) {
			require.Empty(t, inaccessible(tab), "%s, %s", page, name)
			require.Empty(t, tab.Faults(), "%s, %s", page, name)
			shot(tab, page+"-"+name)
		}
		titles := map[string]bool{}
		paths := slices.DeleteFunc(pagesOf(t, http.MethodGet), func(path string) bool { return strings.HasPrefix(path, "/account") || path == "/api-keys" })
		for _, path := range paths {
			tab.Open(h.base + path + "?token=x&notice=asked")
			look(path[1:])
			titles[browser.Eval[string](tab, "document.title")] = true
		}
		require.Len(t, titles, len(paths), "each page has a title of its own")
		email := "access" + name + "@larkspur.example"
		newVisitor(t, h).register(h, email)
		tab.Open(h.base + "/login")
		fillIn(tab, "username", email, "password", h.password)
		look("account")
		tab.Open(h.base + "/account/keys/new")
		look("api-keys")
		tab.Click("main form button")
		look("api-key-made")

		tab = b.Tab(t, o)
		tab.Open(h.base + "/register")
		fillIn(tab, "email", "nobody")
		require.Contains(t, tab.Text(".problem"), "Full name is required")
		require.Contains(t, tab.Faults()[0], "400", "the browser mentions the status, and nothing else")
		require.Empty(t, inaccessible(tab), name)
		shot(tab, "register-refused-"+name)
	}
}

// shot writes a picture of the whole page into the folder of GPATLAS_SHOTS, if that is set.
func shot(tab *browser.Tab, name string) { picture(tab.Shot, name) }

func picture(take func(file string), name string) {
	if folder := os.Getenv("GPATLAS_SHOTS"); folder != "" {
		take(filepath.Join(folder, name+".png"))
	}
}

// Guarantee: every control is reached by the Tab key in the order of the page, and can be seen to be; a form can be sent.
func browseByKeyboard(t *testing.T, b *browser.Browser, h *house) {
	t.Helper()
	newVisitor(t, h).register(h, "keyboard@larkspur.example")
	tab := b.Tab(t, browser.Options{})
	tab.Open(h.base + "/login")
	const controls = `[...document.querySelectorAll("a[href], button, input:not([type=hidden])")]`
	count := browser.Eval[int](tab, controls+".length")
	require.Greater(t, count, 8)
	for i := range count {
		tab.Tabulate()
		require.Equal(t, i, browser.Eval[int](tab, controls+".indexOf(document.activeElement)"))
		require.Equal(t, "3px solid", browser.Eval[string](tab, `(s => s.outlineWidth + " " + s.outlineStyle)(getComputedStyle(document.activeElement))`))
	}
	tab.Type(`[name="username"]`, "keyboard@larkspur.example")
	tab.Type(`[name="password"]`, h.password)
	tab.Enter()
	at(t, tab, h, "/account")
}
