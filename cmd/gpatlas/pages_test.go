package main

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/mailtest"
)

// publicURL is where people reach the house of these tests, as far as it knows: cookies are those of HTTPS.
const publicURL = "https://atlas.example"

// TestPages starts one service for the tests of its pages.
func TestPages(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "ACCOUNTS_PUBLIC_APP_URL="+publicURL)
	for name, run := range map[string]func(*testing.T, *house, *database.DB){
		"the whole way": wholeWay, "headers": pageHeaders, "other sites": otherSites, "looking changes nothing": lookingChangesNothing,
		"no enumeration": noEnumeration, "one throttle": oneThrottle, "the same sentences": sameSentences, "markup": inertMarkup,
		"links of mails": linksOfMails,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, h, db)
		})
	}
}

// visitor is somebody with a browser that follows no redirects and keeps one cookie.
type visitor struct {
	t      *testing.T
	base   string
	cookie string // "__Host-gpa=…"
	site   string // Sec-Fetch-Site of forms
}

func newVisitor(t *testing.T, h *house) *visitor {
	t.Helper()
	return &visitor{t: t, base: h.base, site: "same-origin"}
}

func (v *visitor) do(req *http.Request) answer {
	v.t.Helper()
	if v.cookie != "" {
		req.Header.Set("Cookie", v.cookie)
	}
	client := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	require.NoError(v.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(v.t, err)
	a := answer{res.StatusCode, res.Header, string(body)}
	for _, c := range res.Cookies() {
		if v.cookie = c.Name + "=" + c.Value; c.MaxAge < 0 {
			v.cookie = ""
		}
	}
	return a
}

func (v *visitor) open(path string) answer {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, v.base+path, http.NoBody)
	require.NoError(v.t, err)
	return v.do(req)
}

// send posts a form, given as name, value, name, value.
func (v *visitor) send(path string, fields ...string) answer {
	v.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.base+path, strings.NewReader(form.Encode()))
	require.NoError(v.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if v.site != "" {
		req.Header.Set("Sec-Fetch-Site", v.site)
	}
	return v.do(req)
}

// register makes an account and is signed in with it.
func (v *visitor) register(h *house, email string) {
	v.t.Helper()
	a := v.send("/register", "full_name", "Ada Larkspur", "email", email, "password", h.password)
	require.Equal(v.t, http.StatusSeeOther, a.status, a.body)
	require.Equal(v.t, "/account?notice=registered", a.header.Get("Location"))
}

// leads wants a redirect by GET to a path.
func leads(t *testing.T, a answer, path string) {
	t.Helper()
	require.Equal(t, http.StatusSeeOther, a.status, a.body)
	require.Equal(t, path, a.header.Get("Location"))
}

// Guarantee: with a browser alone a person registers, confirms the address by the mail's link, signs out and in, and sets a
// new password by the mail's link. Sessions end where they should, and the API takes no notice of the cookie.
func wholeWay(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const email = "way@larkspur.example"
	ada := newVisitor(t, h)
	leads(t, ada.open("/account"), "/login")
	ada.register(h, email)
	require.Regexp(t, `^__Host-gpa=[A-Za-z0-9_-]{43}$`, ada.cookie)
	mine := ada.open("/account?notice=registered").body
	require.Contains(t, mine, "not confirmed")
	require.Regexp(t, `<dd>Free trial of Pro until \d+ \w+ \d{4}</dd>`, mine)

	// The cookie means something to the pages and nothing to the API.
	require.Equal(t, http.StatusUnauthorized, ada.open("/v1/auth/me").status)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.base+"/v1/auth/me", http.NoBody)
	require.NoError(t, err)
	_, secret, _ := strings.Cut(ada.cookie, "=")
	req.Header.Set("Authorization", "Bearer "+secret)
	require.Equal(t, http.StatusUnauthorized, ada.do(req).status)

	token := h.mailed(t, email, "verify-email")
	page := ada.open("/verify-email?token=" + token)
	require.Equal(t, http.StatusOK, page.status)
	require.Contains(t, page.body, `name="token" value="`+token+`"`)
	leads(t, ada.send("/verify-email", "token", token), "/account/keys/new?notice=verified")
	require.Contains(t, ada.open("/account").body, "(confirmed)")
	require.Contains(t, ada.open("/account/keys/new?notice=verified").body, "Your email address is confirmed.")
	leads(t, ada.send("/verify-email", "token", token), "/account/keys/new?notice=already")
	key := makeKey(t, ada)

	before := ada.cookie
	leads(t, ada.send("/logout"), "/login?notice=signed-out")
	require.Empty(t, ada.cookie)
	ada.cookie = before
	leads(t, ada.open("/account"), "/login?notice=ended")
	require.Empty(t, ada.cookie, "a cookie of no use is taken away")

	leads(t, ada.send("/login", "username", email, "password", h.password), "/account")
	require.NotEqual(t, before, ada.cookie)
	leads(t, ada.open("/login"), "/account")
	elsewhere := newVisitor(t, h)
	leads(t, elsewhere.send("/login", "username", email, "password", h.password), "/account")
	leads(t, ada.open("/account"), "/login?notice=ended")

	leads(t, ada.send("/forgot-password", "email", email), "/forgot-password?notice=asked")
	token = h.mailed(t, email, "reset-password")
	short := ada.send("/reset-password", "token", token, "new_password", "short")
	require.Equal(t, http.StatusBadRequest, short.status)
	require.Contains(t, short.body, "New password must have 12 to 128 characters")
	require.Contains(t, short.body, `name="token" value="`+token+`"`, "the link is still good")
	const fresh = "rain over the northern pier"
	leads(t, ada.send("/reset-password", "token", token, "new_password", fresh), "/login?notice=reset")
	leads(t, elsewhere.open("/account"), "/login?notice=ended")
	again := ada.send("/reset-password", "token", token, "new_password", fresh)
	require.Equal(t, http.StatusBadRequest, again.status)
	require.Contains(t, again.body, "This link was already used or has expired.")
	require.NotContains(t, again.body, `<form method="post"`)
	dead := ada.open("/reset-password?token=" + token)
	require.Equal(t, http.StatusOK, dead.status)
	require.Contains(t, dead.body, "This link was already used or has expired.")
	require.NotContains(t, dead.body, `<form method="post"`, "a used link has no form")
	require.Contains(t, dead.body, `href="/forgot-password"`)
	leads(t, ada.send("/login", "username", email, "password", fresh), "/account")

	_, secret, _ = strings.Cut(ada.cookie, "=")
	for what, hidden := range map[string]string{"a session": secret, "a mailed token": token, "a password": fresh, "a key": key} {
		require.NotContains(t, h.out.String(), hidden, "%s is in the log", what)
	}
}

// makeKey presses the button, and tries the key that the page shows, once and to no cache.
func makeKey(t *testing.T, v *visitor) string {
	t.Helper()
	id := regexp.MustCompile(`name="key_id" value="([^"]+)"`).FindStringSubmatch(v.open("/account/keys/new").body)
	require.Len(t, id, 2)
	a := v.send("/account/keys/new", "name", "Laptop", "key_id", id[1])
	require.Equal(t, http.StatusOK, a.status, a.body)
	require.Equal(t, "no-store", a.header.Get("Cache-Control"))
	key := regexp.MustCompile(`gpa_live_\w+`).FindString(a.body)
	require.Equal(t, http.StatusOK, caller{t, v.base, key}.call("GET", "/v1/gps?per_page=1", "").status)
	require.NotContains(t, v.open("/account/keys/new").body, "gpa_live_")
	return key
}

// Guarantee: every page has the policy of pages, no other origin reads it, and what is about a person is kept by nobody.
func pageHeaders(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	ada := newVisitor(t, h)
	ada.register(h, "headers@larkspur.example")
	for _, who := range []*visitor{newVisitor(t, h), ada} {
		for _, path := range pagesOf(t, http.MethodGet) {
			a := who.open(path + "?token=x")
			header := a.header
			require.Equal(t, "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "+
				"require-trusted-types-for 'script'; trusted-types gpatlas",
				header.Get("Content-Security-Policy"), path)
			require.Equal(t, "no-referrer", header.Get("Referrer-Policy"), path)
			require.Equal(t, "same-origin", header.Get("Cross-Origin-Resource-Policy"), path)
			require.Empty(t, header.Get("Access-Control-Allow-Origin"), path)
			want := "no-store"
			if who != ada && slices.Contains([]string{"/plans", "/people", "/lps"}, path) {
				want = "private, no-cache"
			}
			require.Equal(t, want, header.Get("Cache-Control"), path)
			require.Contains(t, header.Values("Vary"), "Cookie", path)
			if a.status == http.StatusOK {
				require.Equal(t, "text/html; charset=utf-8", header.Get("Content-Type"), path)
				require.NotRegexp(t, `<script[^>]*>[^<]|<script>`, a.body, path)
				require.NotRegexp(t, `\s(style|on\w+)=`, a.body, path)
				require.Regexp(t, `(?s)<html lang="en">.*<title>[^<]+ · GP Atlas</title>.*<h1>`, a.body, path)
			}
		}
	}
	cookies := ada.send("/login", "username", "headers@larkspur.example", "password", h.password).header.Values("Set-Cookie")
	require.Len(t, cookies, 1)
	require.Regexp(t, `^__Host-gpa=[A-Za-z0-9_-]{43}; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$`, cookies[0])
	style := regexp.MustCompile(`href="(/assets/[^"]+)"`).FindStringSubmatch(newVisitor(t, h).open("/login").body)
	require.NotNil(t, style)
	a := ada.open(style[1])
	require.Equal(t, http.StatusOK, a.status)
	require.Equal(t, "text/css; charset=utf-8", a.header.Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", a.header.Get("Cache-Control"))
}

// nothing is an ID of nothing.
const nothing = "00000000-0000-4000-8000-000000000000"

var parameter = regexp.MustCompile(`\{\w+\}`)

// pagesOf are the paths of all pages of a method, from the manifests: none is forgotten. Their parameters name nothing.
func pagesOf(t *testing.T, method string) (paths []string) {
	t.Helper()
	for _, m := range manifests(t) {
		for _, p := range m.Pages {
			// Pages about one manager, fund or person, and lists, have other parameters: see TestExplorer.
			if p.Method == method && p.Access != console.Admin && (m.Name != "catalog" && m.Name != "feed" && !strings.Contains(p.Path, "{") || p.Access == console.SignedIn) {
				paths = append(paths, parameter.ReplaceAllString(p.Path, nothing))
			}
		}
	}
	require.NotEmpty(t, paths)
	return paths
}

// Guarantee: a form that another site sends, or that names no site, is refused and does nothing.
func otherSites(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	var ada *visitor
	for i, site := range []string{"cross-site", "same-site", "none", ""} { // a visitor each, because of the limits of pages
		ada = newVisitor(t, h)
		ada.register(h, "sites"+strconv.Itoa(i)+"@larkspur.example")
		ada.site = site
		for _, path := range pagesOf(t, http.MethodPost) {
			a := ada.send(path, "username", "sites0@larkspur.example", "password", h.password, "email", "other@larkspur.example", "full_name", "Eve")
			require.Equal(t, http.StatusForbidden, a.status, "%s from %q", path, site)
			require.Contains(t, a.body, "This form was rejected")
			require.Empty(t, a.header.Get("Set-Cookie"))
		}
	}
	require.Contains(t, ada.open("/account").body, "sites3@larkspur.example", "still signed in")
	for _, path := range []string{"/login", "/register"} { // where a browser says its origin and no more
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+path, strings.NewReader(""))
		require.NoError(t, err)
		for origin, want := range map[string]int{publicURL: http.StatusBadRequest, "https://atlas.example.net": http.StatusForbidden, "null": http.StatusForbidden} {
			req.Header.Set("Origin", origin)
			require.Equal(t, want, newVisitor(t, h).do(req).status, origin)
		}
	}
}

// Guarantee: opening a link uses nothing up, however often: mail scanners open links.
func lookingChangesNothing(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const email = "looking@larkspur.example"
	nobody := newVisitor(t, h)
	newVisitor(t, h).register(h, email)
	token := h.mailed(t, email, "verify-email")
	for range 3 {
		require.Equal(t, http.StatusOK, nobody.open("/verify-email?token="+token).status)
	}
	leads(t, nobody.send("/verify-email", "token", token), "/login?notice=verified&next=api-keys")
	leads(t, nobody.send("/login", "username", email, "password", h.password, "next", "api-keys"), "/account/keys/new")
	leads(t, newVisitor(t, h).open("/account/usage?group_by=key"), "/login?next=%2Faccount%2Fusage%3Fgroup_by%3Dkey")
	leads(t, newVisitor(t, h).send("/login", "username", email, "password", h.password, "next", "/account/usage?group_by=key"), "/account/usage?group_by=key")
	for _, elsewhere := range []string{"//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/x\ty"} {
		leads(t, newVisitor(t, h).send("/login", "username", email, "password", h.password, "next", elsewhere), "/account")
	}
	bad := nobody.send("/verify-email", "token", mailtest.Other(token))
	require.Equal(t, http.StatusBadRequest, bad.status)
	require.Contains(t, bad.body, "Invalid or expired verification token")
	inURL := nobody.send("/verify-email?token="+token, "other", "x")
	require.Equal(t, http.StatusBadRequest, inURL.status, "a POST takes nothing from the URL")
}

// same removes what is the visitor's own from a page.
func same(a answer, email string) string {
	return strings.ReplaceAll(a.body, html.EscapeString(email), "EMAIL")
}

// Guarantee: no page tells whether an address has an account: signing in, recovering and asking for a link answer alike.
func noEnumeration(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const known, unknown = "known@larkspur.example", "unknown@larkspur.example"
	newVisitor(t, h).register(h, known)
	nobody := newVisitor(t, h)
	for path, field := range map[string]string{"/login": "username", "/recover-account": "email", "/forgot-password": "email"} {
		a := nobody.send(path, field, known, "password", "not the password")
		b := nobody.send(path, field, unknown, "password", "not the password")
		require.Equal(t, a.status, b.status, path)
		require.Equal(t, same(a, known), same(b, unknown), path)
		require.Equal(t, lasting(a.header), lasting(b.header), path)
	}
}

// Guarantee: whoever guesses passwords at the page has no guesses left at the API, and hears how long to wait.
func oneThrottle(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	const email = "guessed@larkspur.example"
	nobody := newVisitor(t, h)
	var last answer
	for range 10 {
		last = nobody.send("/login", "username", email, "password", "not the password")
	}
	require.Equal(t, http.StatusUnauthorized, last.status)
	require.Contains(t, last.body, "Incorrect email address or password")
	require.Contains(t, last.body, `value="`+email+`"`, "what was typed is kept")
	require.NotContains(t, last.body, "not the password")
	last = nobody.send("/login", "username", email, "password", "not the password")
	require.Equal(t, http.StatusTooManyRequests, last.status)
	require.NotEmpty(t, last.header.Get("Retry-After"))
	mails := newVisitor(t, h)
	mails.register(h, "mails.again@larkspur.example")
	for range 3 {
		leads(t, mails.send("/resend-verification"), "/account?notice=resent")
	}
	last = mails.send("/resend-verification")
	require.Equal(t, http.StatusTooManyRequests, last.status)
	require.Contains(t, last.body, "Too many verification emails were requested")
	require.Contains(t, last.body, "mails.again@larkspur.example")
	api := caller{t: t, base: h.base}.call("POST", "/v1/auth/login", `{"username":"`+email+`","password":"not the password"}`)
	require.Equal(t, http.StatusTooManyRequests, api.status, api.body)
}

// Guarantee: what is wrong with a registration is said beside its fields, with the words of the API.
func sameSentences(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	nobody := newVisitor(t, h)
	page := nobody.send("/register", "full_name", "Ada\nLarkspur", "email", "ada@larkspur", "password", "aaaaaaaaaaaaaa", "company", "Harbor <Ridge>")
	require.Equal(t, http.StatusBadRequest, page.status)
	api := caller{t: t, base: h.base}.call("POST", "/v1/auth/register",
		`{"full_name":"Ada\nLarkspur","email":"ada@larkspur","password":"aaaaaaaaaaaaaa","company":"Harbor <Ridge>"}`)
	require.Equal(t, http.StatusBadRequest, api.status, api.body)
	for field, label := range map[string]string{"full_name": "Full name", "email": "Email address", "password": "Password"} {
		m := regexp.MustCompile(`"field":"(?:body\.)?` + field + `","message":"([^"]+)"`).FindStringSubmatch(api.body)
		require.NotNil(t, m, api.body)
		require.Contains(t, page.body, `id="`+field+`-error">`+label+" "+html.EscapeString(m[1]), field)
		require.Contains(t, page.body, `<a href="#`+field+`">`, "the summary links to the field")
	}
	require.Contains(t, page.body, "Harbor &lt;Ridge&gt;", "what was typed is kept")
	require.NotContains(t, page.body, "aaaaaaaaaaaaaa", "but no password")
	empty := nobody.send("/register")
	for _, text := range []string{"Full name is required", "Email address must be an email address", "Password must have 12 to 128 characters"} {
		require.Contains(t, empty.body, text)
	}
	newVisitor(t, h).register(h, "twice@larkspur.example")
	twice := nobody.send("/register", "full_name", "Ada", "email", "TWICE@larkspur.example", "password", h.password)
	require.Equal(t, http.StatusConflict, twice.status)
	require.Contains(t, twice.body, "An account with this email address already exists")
	require.Equal(t, http.StatusBadRequest, nobody.send("/register", "full_name", strings.Repeat("x", 10_000)).status)
}

// Guarantee: markup in what people type, or in a link that somebody else made, is text.
func inertMarkup(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	ada := newVisitor(t, h)
	const markup = `"><script>alert(1)</script>`
	leads(t, ada.send("/register", "full_name", markup, "email", "markup@larkspur.example", "password", h.password), "/account?notice=registered")
	link := url.QueryEscape(markup)
	for _, path := range []string{
		"/account", "/account?notice=" + link, "/verify-email?token=" + link, "/reset-password?token=" + link, "/login?notice=" + link + "&next=https://evil.example",
	} {
		require.NotContains(t, ada.open(path).body, "<script>", path)
	}
	require.Contains(t, ada.open("/account").body, html.EscapeString(markup))
	require.NotContains(t, newVisitor(t, h).open("/login?next=https://evil.example").body, "evil")
}

// Guarantee: every link in every mail leads to a page of the running service, and every mail is among those looked at.
func linksOfMails(t *testing.T, h *house, db *database.DB) {
	t.Helper()
	const address = "mails@larkspur.example"
	ada := newVisitor(t, h)
	ada.register(h, address)
	leads(t, ada.send("/forgot-password", "email", address), "/forgot-password?notice=asked")
	var id int64
	require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT id FROM accounts.users WHERE email = $1", address).Scan(&id))
	at := time.Now().UTC().Truncate(time.Microsecond)
	enqueue := func(kind string, payload map[string]any) {
		require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error {
			return jobs.NewEnqueuer(db).Enqueue(ctx, jobs.Job{Type: kind, Payload: payload})
		}))
	}
	tell := func(kind string) { enqueue("accounts.mail", map[string]any{"kind": kind, "user_id": id, "at": at}) }
	for _, kind := range []string{"password_changed", "account_recovered", "data_exported"} {
		tell(kind)
	}
	queued := 0
	notify := func(kind string) { // the queue is sent once the notification is in it
		enqueue("notifications.take", map[string]any{"kind": kind, "user_id": id, "key": kind, "data": map[string]any{"at": at}})
		queued++
		require.Eventually(t, func() bool {
			var n int
			return db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM notifications.queue WHERE user_id = $1", id).Scan(&n) == nil && n == queued
		}, patience, glance)
		enqueue("notifications.process_queue", nil)
	}
	notify("trial_ending")
	paths := map[string]bool{}
	seen := func(count int) {
		require.Eventually(t, func() bool {
			found := 0
			for _, name := range letters(h.mails) {
				raw, err := os.ReadFile(name)
				if err != nil || !strings.Contains(string(raw), "<"+address+">") {
					continue
				}
				found++
				text := mailtest.Parse(t, raw)
				for _, link := range regexp.MustCompile(`https?://[^\s"<>]+`).FindAllString(text.Text+" "+html.UnescapeString(text.HTML), -1) {
					require.True(t, strings.HasPrefix(link, publicURL+"/"), link)
					paths[strings.TrimPrefix(link, publicURL)] = true
				}
			}
			return found == count
		}, patience, glance)
	}
	seen(6)
	tellOfMoney(t, db, id, at, enqueue)
	seen(13)
	_, err := db.Pool().Exec(t.Context(), "UPDATE accounts.users SET trial_ends_at = $2 WHERE id = $1", id, at)
	require.NoError(t, err)
	require.Contains(t, ada.open("/account").body, "<dd>Free</dd>", "a trial that is over is not mentioned")
	_, err = db.Pool().Exec(t.Context(), "UPDATE accounts.users SET subscription_plan = 'free' WHERE id = $1", id)
	require.NoError(t, err)
	notify("trial_ended")
	seen(14)
	_, err = db.Pool().Exec(t.Context(), "UPDATE accounts.users SET deleted_at = $2 WHERE id = $1", id, at)
	require.NoError(t, err)
	tell("account_deleted")
	seen(15)
	kinds, err := filepath.Glob("../../templates/email/*.subject.txt")
	require.NoError(t, err)
	// The links of the digest and of market intel are not followed here, because this service has no managers: TestNotificationsScript
	// follows them. Notices that administrators write have the links that they write. The mail about the limit of accounts without a
	// subscription leads to /plans, as those about trials do.
	require.Len(t, kinds, 15+5, "a new kind of mail belongs into this test")
	require.Greater(t, len(paths), 5)
	require.Contains(t, paths, "/account", "of the mails about money")
	nobody := newVisitor(t, h)
	for path := range paths {
		a := nobody.open(path)
		require.NotContains(t, path, "/v1/track/", "mails about the account and about money are not counted")
		if path == "" || path == "/" { // the link that only machines find
			require.Equal(t, http.StatusOK, a.status)
			continue
		}
		if strings.HasPrefix(path, "/account") { // whoever is not signed in signs in first
			require.Regexp(t, "^/login([?]next=|$)", a.header.Get("Location"))
			a = nobody.open("/login")
		}
		require.Equal(t, http.StatusOK, a.status, path)
		require.Contains(t, a.header.Get("Content-Type"), "text/html", path)
	}
}

// tellOfMoney enqueues the seven mails about money to an account. Stripe gave no pages of its invoices, whose links would
// lead to Stripe.
func tellOfMoney(t *testing.T, db *database.DB, id int64, at time.Time, enqueue func(kind string, payload map[string]any)) {
	t.Helper()
	month := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	// The payments are of two subscriptions: one that is paid for owes nothing.
	for _, statement := range []string{
		`INSERT INTO billing.accounts (user_id, period, email_receipts) VALUES ($1, $2, true)`,
		`INSERT INTO billing.charges (id, period, at, user_id, operation, subject, crd, product, quantity, unit_micros, amount_micros, mode, request_id)
			VALUES (4711, $2, $3, $1, 'unlock-gp-team', '900001', '900001', 'roster', 2, 100000, 200000, 'live', 'req')`,
		`INSERT INTO billing.receipt_lines (charge_id, user_id, bought_at, made_at) VALUES (4711, $1, $3, $3)`,
		`INSERT INTO billing.alerts (user_id, period, threshold, cap_micros, spent_micros, crossed_at) VALUES ($1, $2, 80, 1000000, 800000, $3)`,
		`INSERT INTO billing.subscriptions (id, customer, user_id, status, plan) VALUES ('sub_mails', 'cus_mails', $1, 'past_due', 'pro')`,
		`INSERT INTO billing.payments (invoice, customer, subscription, user_id, status, amount_cents, currency, failed_at, last_event)
			VALUES ('in_failed', 'cus_mails', 'sub_mails', $1, 'failed', 4900, 'usd', $3, $3)`,
		`INSERT INTO billing.payments (invoice, customer, user_id, status, amount_cents, currency, paid_at, last_event)
			VALUES ('in_paid', 'cus_mails', $1, 'paid', 4900, 'usd', $3, $3)`,
	} {
		// Every statement names all three, so that each of them has a type.
		_, err := db.Pool().Exec(t.Context(), "WITH given AS (SELECT $1::bigint, $2::date, $3::timestamptz) "+statement, id, month, at)
		require.NoError(t, err, statement)
	}
	for step := range 4 {
		enqueue("billing.mail_payment", map[string]any{"invoice": "in_failed", "step": step})
	}
	enqueue("billing.mail_payment", map[string]any{"invoice": "in_paid", "step": -1})
	enqueue("billing.mail_receipt", map[string]any{"user_id": id, "made_at": at})
	enqueue("billing.mail_alert", map[string]any{"user_id": id, "period": month, "threshold": 80})
}
