package console_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
)

func form() *console.Form {
	return &console.Form{Fields: []console.Field{
		{Name: "token", Type: console.Hidden, Max: 10, Optional: true},
		{Name: "email", Label: "Email address", Type: console.Email, Max: 20},
		{Name: "news", Label: "News", Type: console.Checkbox, Optional: true},
	}}
}

func request(values ...string) *console.Request {
	r := &console.Request{Values: url.Values{}}
	for i := 0; i+1 < len(values); i += 2 {
		r.Values.Add(values[i], values[i+1])
	}
	return r
}

// Guarantee: what is missing or too long is said at its field, what was typed is kept, and a good form has no problems.
func TestRead(t *testing.T) {
	t.Parallel()
	f := form()
	require.NoError(t, f.Read(request("email", "ada@larkspur.example", "email", "second", "other", "x", "news", "yes")))
	require.Equal(t, "ada@larkspur.example", f.Value("email"))
	require.True(t, f.Fields[2].Checked())
	require.Empty(t, f.Problems())
	require.Empty(t, f.Value("other"))

	for _, value := range []string{"no", "on", "YES"} {
		f = form()
		err := f.Take(request("news", value))
		require.Equal(t, []apperr.FieldError{{Field: "news", Message: "must be yes, or absent"}}, apperr.From(err).Fields)
		require.Equal(t, []console.Problem{{"news", "News must be yes, or absent"}}, f.Problems())
		require.False(t, f.Fields[2].Checked())
		require.Error(t, f.Read(request("email", "ada@larkspur.example", "news", value)))
	}

	f = form()
	require.Error(t, f.Read(request()))
	require.Equal(t, []console.Problem{{"email", "Email address is required"}}, f.Problems())

	f = form()
	err := f.Read(request("email", strings.Repeat("é", 21), "token", strings.Repeat("x", 11)))
	require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind)
	require.Equal(t, "Email address must have at most 20 characters", f.Problems()[0].Text)
	require.NoError(t, form().Read(request("email", strings.Repeat("é", 20))), "characters, not bytes")
}

// Guarantee: an error stands at its field, or above the form where it is no field's; what a person cannot mend is not shown
// in a form.
func TestFail(t *testing.T) {
	t.Parallel()
	f := form()
	require.True(t, f.Fail(apperr.Invalid(apperr.FieldError{Field: "email", Message: "must be an address"})))
	require.Equal(t, []console.Problem{{"email", "Email address must be an address"}}, f.Problems())
	for _, err := range []error{
		apperr.New(apperr.KindUnauthenticated, "Incorrect"), apperr.New(apperr.KindConflict, "In use"), apperr.New(apperr.KindRateLimited, "Later"),
		apperr.Invalid(apperr.FieldError{Field: "token", Message: "is wrong"}), apperr.New(apperr.KindInvalid, "Invalid token"),
	} {
		f := form()
		require.True(t, f.Fail(err))
		require.Equal(t, []console.Problem{{"", apperr.From(err).Message}}, f.Problems())
	}
	for _, err := range []error{errors.New("boom"), apperr.Unavailable("away"), apperr.NotFound("gone")} {
		f := form()
		require.False(t, f.Fail(err))
		require.Empty(t, f.Problems())
	}
}
