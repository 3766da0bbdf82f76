package apikey_test

import (
	"bytes"
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/apikey"
	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// open loads the page as an account and gives its HTML.
func open(t *testing.T, b *bench, userID int64, method string, fields ...string) (console.View, string) {
	t.Helper()
	values := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	if method == http.MethodPost && !values.Has("key_id") {
		values.Set("key_id", uuid.NewString())
	}
	ctx := auth.With(t.Context(), fixture.Session(userID))
	for _, p := range apikey.Pages(b.service, "https://atlas.example") {
		require.Equal(t, console.SignedIn, p.Access, "nobody else sees it")
		if p.Method != method {
			continue
		}
		v, err := p.Load(ctx, &console.Request{Values: values})
		require.NoError(t, err)
		require.Empty(t, v.Redirect, "no URL has the key")
		var out bytes.Buffer
		require.NoError(t, templates.Render(&out, v.Body, templates.Frame{Title: v.Title, Form: v.Form, Data: v.Data, Notice: v.Notice, SignedIn: true}))
		return v, html.UnescapeString(out.String())
	}
	t.Fatal("no page of " + method)
	return console.View{}, ""
}

var shownKey = regexp.MustCompile(`gpa_(?:live|test)_[A-Za-z0-9]+`)

// Guarantee: the button makes one key of the person's own account, shows it this once with a command to paste, and reports
// where to go next. Opening the page makes nothing.
func TestPageMakesAKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, eve := fixture.Account{APITier: "growth"}.Insert(t, b.db, "ada"), fixture.Account{}.Insert(t, b.db, "eve")
	_, text := open(t, b, ada, http.MethodGet, "notice", "verified")
	require.Contains(t, text, "Your email address is confirmed.")
	require.Contains(t, text, "Create an API key</button>")
	require.Empty(t, listed(t, b, ada))

	_, text = open(t, b, ada, http.MethodPost, "name", "Laptop")
	key := shownKey.FindString(text)
	require.Contains(t, text, "curl -H 'Authorization: Bearer "+key+"' 'https://atlas.example/v1/gps?per_page=1'")
	for _, next := range []string{`href="/docs"`, `href="/plans"`, `href="/account"`} {
		require.Contains(t, text, next)
	}
	caller, err := b.verifier.VerifyKey(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, ada, caller.UserID)
	keys := listed(t, b, ada)
	require.Len(t, keys, 1)
	require.Equal(t, []string{"Laptop", "live"}, []string{keys[0].Name, keys[0].Mode})
	require.Empty(t, listed(t, b, eve))
	_, text = open(t, b, ada, http.MethodGet)
	require.Empty(t, shownKey.FindString(text), "shown once")
	_, text = open(t, b, ada, http.MethodPost, "name", "Trial", "test", "yes")
	require.Contains(t, text, "gpa_test_")
}

// Guarantee: a form makes one key however often it is sent: reloading the page that shows a key makes no other and explains
// why. A new form makes another, and one that was refused can be sent again.
func TestReloadMakesNoOtherKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, eve := fixture.Account{}.Insert(t, b.db, "ada"), fixture.Account{}.Insert(t, b.db, "eve")
	v, text := open(t, b, ada, http.MethodGet)
	id := v.Form.Value("key_id")
	require.Contains(t, text, `<input type="hidden" name="key_id" value="`+id+`">`)
	v, _ = open(t, b, ada, http.MethodPost, "name", "", "key_id", id)
	require.Equal(t, id, v.Form.Value("key_id"), "it has made nothing")
	_, text = open(t, b, ada, http.MethodPost, "name", "Laptop", "key_id", id)
	require.NotEmpty(t, shownKey.FindString(text))
	require.Equal(t, id, listed(t, b, ada)[0].ID)
	for _, user := range []int64{ada, eve} {
		v, text = open(t, b, user, http.MethodPost, "name", "Laptop", "key_id", id)
		require.Equal(t, apperr.KindConflict, apperr.From(v.Failure).Kind)
		require.Contains(t, text, "This form has already made an API key")
		require.Empty(t, shownKey.FindString(text))
		require.NotEqual(t, id, v.Form.Value("key_id"), "the button makes another")
	}
	require.Len(t, listed(t, b, ada), 1)
	require.Empty(t, listed(t, b, eve))
	_, text = open(t, b, ada, http.MethodPost, "name", "Second", "key_id", v.Form.Value("key_id"))
	require.NotEmpty(t, shownKey.FindString(text))

	for field, values := range map[string][]string{"key_id": {"", "x", strings.Repeat("0", 36)}, "test": {"", "no", "on", "YES"}} {
		for _, value := range values {
			v, _ := open(t, b, ada, http.MethodPost, "name", "Laptop", field, value)
			failure := apperr.From(v.Failure)
			require.Equal(t, apperr.KindInvalid, failure.Kind, value)
			require.Equal(t, field, failure.Fields[0].Field)
			require.NotEmpty(t, v.Form.Value("key_id"), "the form can be sent again")
		}
	}
	require.Len(t, listed(t, b, ada), 2)
}

// Guarantee: an account whose address is not confirmed gets a test key; faults are shown in the form, and markup in a name is
// text.
func TestPageRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ben := fixture.Account{Unverified: true}.Insert(t, b.db, "ben")
	_, text := open(t, b, ben, http.MethodGet)
	require.Contains(t, text, "not confirmed yet")
	require.NotContains(t, text, `name="test"`)
	_, text = open(t, b, ben, http.MethodPost, "name", "x")
	require.Contains(t, text, "gpa_test_")
	for name, want := range map[string]string{"": "Name is required", strings.Repeat("x", 101): "at most 100 characters", "a\nb": "Name "} {
		v, text := open(t, b, ben, http.MethodPost, "name", name)
		require.Equal(t, apperr.KindInvalid, apperr.From(v.Failure).Kind)
		require.Contains(t, text, want)
		require.Empty(t, shownKey.FindString(text))
	}
	var out bytes.Buffer
	v, _ := open(t, b, ben, http.MethodPost, "name", "<script>alert(1)</script>")
	require.NoError(t, templates.Render(&out, v.Body, templates.Frame{Title: v.Title, Data: v.Data}))
	require.NotContains(t, out.String(), "<script>")
	require.Contains(t, out.String(), "&lt;script&gt;")
	for range apikey.ActiveMax - 2 {
		b.make(t, ben)
	}
	v, text = open(t, b, ben, http.MethodPost, "name", "one more")
	require.Equal(t, apperr.KindConflict, apperr.From(v.Failure).Kind)
	require.Contains(t, text, "at most 10 active API keys")
}

func listed(t *testing.T, b *bench, userID int64) []apikey.Key {
	t.Helper()
	keys, _, err := b.service.List(context.WithoutCancel(t.Context()), userID, true)
	require.NoError(t, err)
	return keys
}
