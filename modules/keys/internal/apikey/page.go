package apikey

import (
	"context"
	"embed"
	"errors"
	"net/http"
	"net/url"
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
	Replaces  map[string]any // the key that the new one replaces; nil is none
	API       string         // the URL of the API
}

const (
	testField = "test"
	// replacesField is the ID of the key that the new one replaces.
	replacesField = "replaces"
	idField       = "key_id" // ID of the key that the form creates, so that sending it again creates no other
)

// Pages is the page that creates a key and shows it once. public is the public URL of the pages: the same process serves the API.
func Pages(s *Service, public accountsapi.PublicURL) []console.Page {
	p := page{s, public}
	return []console.Page{
		{Method: http.MethodGet, Path: console.KeysPath, Access: console.SignedIn, Load: p.show},
		{Method: http.MethodPost, Path: console.KeysPath, Access: console.SignedIn, Load: p.create},
	}
}

type page struct {
	keys *Service
	url  accountsapi.PublicURL
}

func (p page) view(ctx context.Context, r *console.Request) (console.View, error) {
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
	shown := content{Confirmed: account.EmailVerified, API: string(p.url)}
	if id := r.Value(replacesField); id != "" {
		old, err := r.API.Get(ctx, "get-api-key", url.Values{"key_id": {id}})
		if err != nil {
			return console.View{}, err
		}
		shown.Replaces = old.Record()
		form.Submit, form.Fields[0].Value = "Create the new key", console.Plain(shown.Replaces["name"])
		form.Fields = append(form.Fields, console.Field{Name: replacesField, Type: console.Hidden, Value: id})
		if at := len(form.Fields) - 2; form.Fields[at].Name == testField && shown.Replaces["mode"] == secret.Test {
			form.Fields[at].Value = "yes"
		}
	}
	return console.View{Title: "Create an API key", Body: body, Form: form, Data: shown}, nil
}

func (p page) show(ctx context.Context, r *console.Request) (console.View, error) {
	v, err := p.view(ctx, r)
	v.Notice = console.Notices[r.Value("notice")]
	return v, err
}

// create responds with the key itself and not with a redirect: no URL contains it, and no later page can show it.
//
// Spec: not shown; the key has the API tier of the account. Without a verified address it is a test key, as everywhere.
func (p page) create(ctx context.Context, r *console.Request) (console.View, error) {
	v, err := p.view(ctx, r)
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
		tier := lower(caller.APITier, auth.TierScale)
		if old, ok := shown.Replaces["tier"].(string); ok {
			tier = lower(tier, old)
		}
		shown.Made, err = p.keys.Create(ctx, CreateInput{
			ID: v.Form.Value(idField), UserID: caller.UserID, Name: v.Form.Value("name"), Tier: tier, Mode: mode,
		})
	}
	ofID := func(f apperr.FieldError) bool { return f.Field == idField }
	if errors.Is(err, errMade) || err != nil && slices.ContainsFunc(apperr.From(err).Fields, ofID) { // a new form creates another
		failed := err
		if v, err = p.view(ctx, r); err == nil {
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
