package unsubscribe_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/linkkey"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/modules/notifications/internal/testkit/deliverytest"
	"gpatlas/modules/notifications/internal/unsubscribe"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/mailtest"
)

const (
	page    = "/v1/unsubscribe/"
	post    = "/v1/me/notifications/unsubscribe"
	all     = `{"data":{"account":true,"billing":true,"activity_digest":true,"market_intel":true,"product":true}}`
	digest  = `{"data":{"account":true,"billing":true,"activity_digest":false,"market_intel":true,"product":true}}`
	nothing = `{"data":{"account":true,"billing":false,"activity_digest":false,"market_intel":false,"product":false}}`
)

type bench struct {
	*deliverytest.Bench

	host *httpapitest.Host
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: deliverytest.New(t, dbtest.New(t), mailtest.NewCapture())}
	routes := append(preference.Routes(b.Preferences), unsubscribe.Routes(unsubscribe.NewService(b.Tokens, b.Preferences, b.Accounts))...)
	b.host = httpapitest.New(t, routes...)
	return b
}

func (b *bench) token(t *testing.T, userID int64, category string) string {
	t.Helper()
	link, err := b.Tokens.URL(t.Context(), userID, category)
	require.NoError(t, err)
	token, found := strings.CutPrefix(link, string(deliverytest.Base)+page)
	require.True(t, found, link)
	return token
}

// wants compares the preferences of an account.
func (b *bench) wants(t *testing.T, userID int64, want string) {
	t.Helper()
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/me/notifications/preferences", As: &auth.Principal{Kind: auth.Session, UserID: userID}, WantJSON: want})
}

// rows counts what is written down.
func (b *bench) rows(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, b.DB.Pool().QueryRow(t.Context(), "SELECT count(*) FROM notifications.preferences").Scan(&n))
	return n
}

// N1: scanners open the link a hundred times, and nothing is changed or written.
func TestOpeningChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.token(t, 1, kind.Digest)
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			path := page + token + []string{"", "?category=all", "?category=product"}[i%3]
			b.host.Do(t, httpapitest.Scenario{Method: []string{"GET", "HEAD"}[i%2], Path: path})
		})
	}
	group.Wait()
	require.Zero(t, b.rows(t))
	b.wants(t, 1, all)
}

// The page has one button, which leads to itself, and allows nothing else.
func TestPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.token(t, 1, kind.Digest)
	got := b.host.Do(t, httpapitest.Scenario{Path: page + token, WantHeader: map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Referrer-Policy": "no-referrer", "Set-Cookie": "",
	}, Contains: []string{"Unsubscribe from the activity digest?"}, NotContains: []string{"<script", "person1"}})
	require.Equal(t, 1, strings.Count(got.Body, "<button>"))
	action := regexp.MustCompile(`<form method="post" action="([^"]+)">`).FindStringSubmatch(got.Body)
	require.NotNil(t, action, got.Body)
	require.Equal(t, page+token+"?category=activity_digest", action[1])
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(got.Body)[1]
	sum := sha256.Sum256([]byte(style))
	require.Equal(t, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'", got.Header.Get("Content-Security-Policy"))

	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: action[1], Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, Contains: []string{"You are unsubscribed"}})
	b.wants(t, 1, digest)
	b.host.Do(t, httpapitest.Scenario{Path: page + token + "?category=all", Contains: []string{"all emails that can be turned off?"}})
	for _, category := range []string{"account", "x", `"><script>`} {
		b.host.Do(t, httpapitest.Scenario{Path: page + token + "?category=" + category, Status: 404, Contains: []string{"<title>This link does not work"}, NotContains: []string{"<script"}})
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + token + "?category=" + category, Status: 404, Contains: []string{"<title>This link does not work"}})
	}
}

// A mail provider's few addresses unsubscribe thousands: no limit and no credential is looked at, and the access log is silent.
func TestNoLimits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, r := range unsubscribe.Routes(unsubscribe.NewService(b.Tokens, b.Preferences, b.Accounts)) {
		require.True(t, r.Unguarded && r.Discreet, r.Operation.OperationID)
		require.NotContains(t, r.Operation.Errors, http.StatusTooManyRequests, r.Operation.OperationID)
	}
}

// N2: one click in both encodings, with and without a body, twice; what it names besides does not matter.
func TestOneClick(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const multipart = "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n"
	for i, c := range []struct{ contentType, body string }{
		{"application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"},
		{"multipart/form-data; boundary=x", multipart},
		{"", ""},
		{"application/x-www-form-urlencoded", "%zz"},
		{"multipart/form-data", multipart},
		{"text/plain", "x"},
		{"application/json", `{"a":1}`},
	} {
		userID := int64(i + 1)
		token := b.token(t, userID, kind.Digest)
		for range 2 {
			s := httpapitest.Scenario{Name: c.contentType, Method: "POST", Path: page + token, Body: c.body, Contains: []string{"You are unsubscribed"}}
			if c.contentType != "" {
				s.Header = map[string]string{"Content-Type": c.contentType}
			}
			b.host.Do(t, s)
		}
		b.wants(t, userID, digest)
	}
	token := b.token(t, 50, kind.Digest)
	for _, form := range []struct{ contentType, body string }{
		{"application/x-www-form-urlencoded", "category=all"},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"category\"\r\n\r\nall\r\n--x--\r\n"},
	} {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + token, Body: form.body, Header: map[string]string{"Content-Type": form.contentType}})
		b.wants(t, 50, nothing)
	}
	b.wants(t, 51, all)
}

// A token is its account's alone, for ever; what is not ours is the page of a link that does not work.
func TestTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.token(t, 1, kind.Digest)
	other := setup(t).token(t, 1, kind.Digest)
	require.NotEqual(t, token, other, "each copy of the service has a key of its own")
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	bad := []string{"x", other, token + "A", token[:len(token)-1], strings.ToUpper(token), token + "=", "..%2f", strings.Repeat("A", len(token))}
	for i := range raw {
		tampered := append([]byte(nil), raw...)
		tampered[i] ^= 1
		bad = append(bad, base64.RawURLEncoding.EncodeToString(tampered))
	}
	for _, text := range bad {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			b.host.Do(t, httpapitest.Scenario{Name: method + text, Method: method, Path: page + text, Status: 404, Contains: []string{"This link does not work"}})
		}
	}
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: post, Body: `{"token":"` + other + `"}`, Status: 404})
	b.host.Do(t, httpapitest.Scenario{Path: page + strings.Repeat("A", 201), Status: 400})
	link, err := b.Tokens.URL(t.Context(), 1, kind.Account)
	require.NoError(t, err)
	require.Empty(t, link, "mails about the account cannot be refused")
	b.Accounts.Remove(1)
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + token})
	require.Zero(t, b.rows(t), "nothing is kept of an account that is gone")
	b.Clock.Move(50 * 365 * 24 * 3600e9)
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + b.token(t, 2, kind.Product)})
	require.Equal(t, 1, b.rows(t))
	b.DB.Close()
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + b.token(t, 2, kind.Product), Status: 503})
}

// A token does not reveal the number of the account, and two tokens do not show that they belong to one account.
func TestTokensRevealNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const userID = 0x41424344
	seen := map[string]bool{}
	for range 20 {
		token := b.token(t, userID, kind.Digest)
		require.False(t, seen[token])
		seen[token] = true
		raw, err := base64.RawURLEncoding.DecodeString(token)
		require.NoError(t, err)
		require.NotContains(t, string(raw), "ABCD")
		require.NotContains(t, string(raw), "DCBA")
		require.Len(t, token, len(b.token(t, 1, kind.Billing)))
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + token})
	}
	b.wants(t, userID, digest)
}

// Links in emails of earlier versions, whose tokens name the account, keep working; a code is good for its account and category only.
func TestOldTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := func(number, signed byte, mark string) string {
		code, err := linkkey.New(b.DB, b.Clock).Code(t.Context(), "unsubscribe", strconv.Itoa(int(signed))+":"+mark)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(append([]byte{0, 0, 0, 0, 0, 0, 0, number, 2}, code[:20]...))
	}
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + old(1, 1, "2")})
	b.wants(t, 1, digest)
	for _, bad := range []string{old(2, 1, "2"), old(1, 1, "3")} {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: page + bad, Status: 404})
	}
	b.wants(t, 2, all)
}

// The operation takes one category or all, and no credential.
func TestPost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.token(t, 1, kind.Digest)
	call := func(body string, status int) string {
		t.Helper()
		return b.host.Do(t, httpapitest.Scenario{Name: body, Method: "POST", Path: post, Body: body, Status: status}).Body
	}
	for body, field := range map[string]string{
		`{}`: "token", `{"token":null}`: "token", `{"token":"` + token + `","category":"account"}`: "category", `{"token":"` + token + `","category":"x"}`: "category",
		`{"token":"` + token + `","category":null}`: "category", `{"token":"` + token + `","category":"product","all":true}`: "all",
		`{"token":"` + token + `","categories":"product"}`: "categories",
	} {
		require.Contains(t, call(body, 400), `"field":"`+field+`"`, body)
	}
	require.Zero(t, b.rows(t))
	for range 2 {
		require.JSONEq(t, `{"data":{"category":"activity_digest","message":"You will not get the activity digest any more."}}`, call(`{"token":"`+token+`"}`, 200))
	}
	b.wants(t, 1, digest)
	call(`{"token":"`+token+`","category":"product","all":false}`, 200)
	b.wants(t, 1, `{"data":{"account":true,"billing":true,"activity_digest":false,"market_intel":true,"product":false}}`)
	require.Contains(t, call(`{"token":"`+token+`","all":true}`, 200), `"category":"all"`)
	for _, odd := range []string{token + `\n`, token + `\r\n`, token[:9] + `\n` + token[9:]} {
		call(`{"token":"`+odd+`","category":"billing"}`, 404)
	}
	b.wants(t, 1, nothing)
	b.wants(t, 2, all)
}
