package console_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
)

// recorder is an API that records its calls. Each call returns err.
type recorder struct {
	console.API

	calls []any
	err   error
}

func (a *recorder) Do(_ context.Context, operation string, values url.Values, body any) (*console.Answer, error) {
	a.calls = append(a.calls, operation, values.Encode(), body)
	return &console.Answer{}, a.err
}

func acting() []console.Page {
	page := console.Page{Path: "/boxes/{id}", Load: func(_ context.Context, r *console.Request) (console.View, error) {
		return console.View{Forms: []*console.Form{{Action: console.Fill("/boxes/{id}", r.Parameters), Fields: []console.Field{
			{Name: "name", Label: "Name", Type: console.Text},
			{Name: "size", Label: "Size", Type: console.Number, Optional: true},
			{Name: "open", Label: "Open", Type: console.Checkbox},
			{Name: "note", Label: "Note", Type: console.Text, Optional: true},
			{Name: "kind", Label: "Kind", Type: console.Text},
		}}}}, nil
	}}
	return page.With(
		console.Action{Path: "/boxes/{id}", Operation: "change-box", Query: []string{"kind"}, Lead: "/boxes/{id}?notice=saved"},
		console.Action{Path: "/boxes/{id}/take", Operation: "take-box", Button: true, Of: map[string]string{"id": "box"}, Lead: "/boxes"},
	)
}

// Guarantee: an action sends its form with the types of the API, and its parameters where the operation has them. A refusal is shown in the form,
// and that of a button, and a fault of ours, on the error page.
func TestActions(t *testing.T) {
	t.Parallel()
	pages, api := acting(), &recorder{}
	r := request("name", "Lamp", "size", "12", "open", "yes", "kind", "round")
	r.API, r.Parameters = api, map[string]string{"id": "a b"}
	v, err := pages[1].Load(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "/boxes/a%20b?notice=saved", v.Redirect)
	v, err = pages[2].Load(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "/boxes", v.Redirect)
	require.Equal(t, []any{
		"change-box", "id=a+b&kind=round",
		map[string]any{"name": "Lamp", "size": json.Number("12"), "open": true},
		"take-box", "",
		map[string]any{"box": "a b"},
	}, api.calls)

	for _, test := range []struct {
		err  error
		want console.Problem
	}{
		{apperr.Invalid(apperr.FieldError{Field: "size[0]", Message: "is too large"}), console.Problem{Field: "size", Text: "Size is too large"}},
		{apperr.NotFound("There is no such box"), console.Problem{Text: "There is no such box"}},
		{apperr.New(apperr.KindForbidden, "Sign in again"), console.Problem{Text: "Sign in again"}},
		{apperr.New(apperr.KindPaymentRequired, "The cap is reached"), console.Problem{Text: "The cap is reached"}},
	} {
		api.err = test.err
		v, err = pages[1].Load(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, test.err, v.Failure)
		require.Equal(t, []console.Problem{test.want}, v.Forms[0].Problems())
		require.Equal(t, "Lamp", v.Forms[0].Value("name"))
		_, err = pages[2].Load(t.Context(), r)
		require.Equal(t, test.err, err)
	}
	api.err = errors.New("boom")
	_, err = pages[1].Load(t.Context(), r)
	require.Equal(t, api.err, err)
	for text, want := range map[string]any{"": "", "12": json.Number("12"), "0.25": json.Number("0.25"), "NaN": "NaN", "1 2": "1 2", "\"1\"": "\"1\"", "null": "null", "0x1": "0x1"} {
		require.Equal(t, want, console.NumberOrText(text), text)
	}
}
