package console

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gpatlas/platform/apperr"
)

// Action is what a form on a page does: it sends the form to an operation of the API.
type Action struct {
	Path      string // the form is posted to it. Parameters in braces are those of the operation, too
	Operation string
	// Button means that the form is a button without fields that a person fills in. An error of it is shown on the error page.
	Button bool
	// Query are the fields that are parameters of the operation. The others are members of its body.
	Query []string
	// Of are parameters of Path that are members of the body, by the name that they have there.
	Of map[string]string
	// Body makes the body; nil sends every field under its name.
	Body func(f *Form) any
	// Lead is the path that success leads to, with an optional notice: "/account/keys/{key_id}?notice=saved".
	Lead string
	// Then is used instead of Lead by actions whose response is shown.
	Then func(ctx context.Context, r *Request, a *Answer) (View, error)
}

// Notices are the texts for "?notice=" on pages with actions. A link can select one of these texts and nothing else.
var Notices = map[string]string{
	"verified": "Your email address is confirmed.",
	"already":  "Your email address is already confirmed.",
	"saved":    "Saved.",
	"added":    "Added.",
	"removed":  "Removed.",
	"sent":     "Sent. The email should arrive within some minutes.",
	"revoked":  "The key is revoked. It no longer works.",
	"ended":    "Ended.",
	"started":  "Started. It runs in the background.",
	"queued":   "Queued.",
	"noted":    "Acknowledged.",
	"resolved": "Resolved.",
}

// With returns the page with the pages that its forms are posted to. A form that is refused is shown again on the page, with its faults.
// Load must return it in View.Forms.
func (p Page) With(actions ...Action) []Page {
	load := p.Load
	p.Load = func(ctx context.Context, r *Request) (View, error) {
		v, err := load(ctx, r)
		if v.Notice == "" {
			v.Notice = Notices[r.Value("notice")]
		}
		return v, err
	}
	pages := []Page{p}
	for _, a := range actions {
		pages = append(pages, Page{Method: http.MethodPost, Path: a.Path, Access: p.Access, Load: func(ctx context.Context, r *Request) (View, error) {
			return a.act(ctx, r, load)
		}})
	}
	return pages
}

var errNoForm = apperr.New(apperr.KindConflict, "This form is not available any more. Load its page again.")

func (a Action) act(ctx context.Context, r *Request, load func(context.Context, *Request) (View, error)) (View, error) {
	form, page := &Form{}, View{}
	if !a.Button {
		var err error
		if page, err = load(ctx, r); err != nil {
			return View{}, err
		}
		at := slices.IndexFunc(page.Forms, func(f *Form) bool { return f.Action == Fill(a.Path, r.Parameters) })
		if at < 0 {
			return View{}, errNoForm
		}
		form = page.Forms[at]
		err = form.Take(r)
		if err == nil && form.Check != nil {
			if err = form.Check(form); err != nil && !form.Fail(err) {
				return View{}, err
			}
		}
		if err != nil {
			page.Failure = err
			return page, nil //nolint:nilerr // the page shows it
		}
	}
	answer, err := a.send(ctx, r, form)
	switch {
	case err != nil && (a.Button || !form.Refuse(err)):
		return View{}, err
	case err != nil:
		page.Failure = err
		return page, nil //nolint:nilerr // the page shows it
	case a.Then != nil:
		return a.Then(ctx, r, answer)
	}
	return View{Redirect: Fill(a.Lead, r.Parameters)}, nil
}

func (a Action) send(ctx context.Context, r *Request, form *Form) (*Answer, error) {
	values := url.Values{}
	body := map[string]any{}
	for name, value := range r.Parameters {
		if member := a.Of[name]; member != "" {
			body[member] = value
		} else {
			values.Set(name, value)
		}
	}
	for i := range form.Fields {
		f := &form.Fields[i]
		switch {
		case slices.Contains(a.Query, f.Name):
			values.Set(f.Name, f.Value)
		case f.Value != "" || !f.Optional || f.Always || f.Type == Checkbox:
			body[f.Name] = f.JSON()
		}
	}
	switch {
	case a.Body != nil:
		return r.API.Do(ctx, a.Operation, values, a.Body(form))
	case len(body) > 0:
		return r.API.Do(ctx, a.Operation, values, body)
	}
	return r.API.Do(ctx, a.Operation, values, nil)
}

// JSON is the value as the API has it: true or false of a checkbox, a number if one was typed, else text.
func (f *Field) JSON() any {
	switch f.Type {
	case Checkbox:
		return f.Checked()
	case Number:
		return NumberOrText(f.Value)
	}
	return f.Value
}

// NumberOrText converts text to a JSON number. Text that is no number is returned unchanged, and the API reports the error.
func NumberOrText(text string) any {
	text = strings.TrimSpace(text)
	var n json.Number
	if json.Unmarshal([]byte(text), &n) == nil && n != "" && text[0] != '"' {
		return n
	}
	return text
}

// Fill puts the parameters of a path in their places.
func Fill(path string, parameters map[string]string) string {
	for name, value := range parameters {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	return path
}
