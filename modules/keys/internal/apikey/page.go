package apikey

import (
	"context"
	"embed"
	"errors"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/keys/internal/secret"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	"gpatlas/platform/plaintext"
	templates "gpatlas/templates/console"
)

//go:embed page.html
var files embed.FS

var body = templates.Parse(files, "page.html")

// content is what the page shows: the form, or the new key.
type content struct {
	Confirmed bool
	Made      *Created
	API       string // the URL of the API
}

// notices are the texts for "?notice=" on this page.
var notices = map[string]string{
	"verified": "Your email address is confirmed.",
	"already":  "Your email address is already confirmed.",
}

const (
	testField = "test"
	idField   = "key_id" // ID of the key that the form creates, so that sending it again creates no other
)

// Pages is the page that creates a key and shows it once. url is the public URL of the pages: the same process serves the API.
func Pages(s *Service, url accountsapi.PublicURL) []console.Page {
	p := page{s, url}
	return []console.Page{
		{Method: http.MethodGet, Path: console.KeysPath, Access: console.SignedIn, Load: p.show},
		{Method: http.MethodPost, Path: console.KeysPath, Access: console.SignedIn, Load: p.create},
	}
}

type page struct {
	keys *Service
	url  accountsapi.PublicURL
}

func (p page) view(ctx context.Context) (console.View, error) {
	account, err := p.keys.store.findOwner(ctx, auth.From(ctx).UserID)
	if err == nil && account == nil {
		err = errNoAccount
	}
	if err != nil {
		return console.View{}, err
	}
	form := &console.Form{Action: console.KeysPath, Submit: "Create an API key", Fields: []console.Field{{
		Name: "name", Label: "Name", Type: console.Text, Autocomplete: "off", Max: plaintext.NameMax, Value: "My first key", Hint: "To tell your keys apart. You can change it later.",
	}, {Name: idField, Type: console.Hidden, Value: uuid.NewString()}}}
	if account.EmailVerified {
		form.Fields = append(form.Fields, console.Field{
			Name: testField, Label: "Test key: never charged, and people are invented", Type: console.Checkbox, Optional: true,
		})
	}
	return console.View{Title: "Create an API key", Body: body, Form: form, Data: content{Confirmed: account.EmailVerified, API: string(p.url)}}, nil
}

func (p page) show(ctx context.Context, r *console.Request) (console.View, error) {
	v, err := p.view(ctx)
	v.Notice = notices[r.Value("notice")]
	return v, err
}

// create responds with the key itself and not with a redirect: no URL contains it, and no later page can show it.
//
// Spec: not shown; the key has the API tier of the account. Without a verified address it is a test key, as everywhere.
func (p page) create(ctx context.Context, r *console.Request) (console.View, error) {
	v, err := p.view(ctx)
	if err != nil {
		return v, err
	}
	shown, _ := v.Data.(content)
	err = v.Form.Read(r)
	if err == nil {
		mode := secret.Live
		if !shown.Confirmed || v.Form.Value(testField) != "" {
			mode = secret.Test
		}
		caller := auth.From(ctx)
		shown.Made, err = p.keys.Create(ctx, CreateInput{
			ID: v.Form.Value(idField), UserID: caller.UserID, Name: v.Form.Value("name"), Tier: lower(caller.APITier, auth.TierScale), Mode: mode,
		})
	}
	ofID := func(f apperr.FieldError) bool { return f.Field == idField }
	if errors.Is(err, errMade) || err != nil && slices.ContainsFunc(apperr.From(err).Fields, ofID) { // a new form creates another
		failed := err
		if v, err = p.view(ctx); err == nil {
			err = failed
		}
	}
	if err != nil {
		if !v.Form.Fail(err) {
			return console.View{}, err
		}
		v.Failure = err
		return v, nil
	}
	return console.View{Title: "Your API key", Body: body, Data: shown}, nil
}
