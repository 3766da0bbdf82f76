package pages

import (
	"context"

	"gpatlas/platform/auth"
	"gpatlas/platform/console"
)

func loginView(r *console.Request) console.View {
	address := emailField()
	address.Name, address.Autocomplete = "username", "username"
	next := console.Field{Name: "next", Type: console.Hidden, Optional: true}
	if asked := r.Value("next"); asked == nextKeys || console.Local(asked) { // all other values of the link are dropped
		next.Value = asked
	}
	return view("Sign in", loginBody, &console.Form{
		Action: loginPath, Submit: "Sign in", Fields: []console.Field{address, passwordField(), next},
	}, r)
}

// nextKeys as "?next=" leads from signing in to the page that creates a key instead of the account's page.
const nextKeys = "api-keys"

func (p pages) showLogin(ctx context.Context, r *console.Request) (console.View, error) {
	if signedIn(ctx) {
		return lead(accountPath, ""), nil
	}
	return loginView(r), nil
}

func (p pages) login(ctx context.Context, r *console.Request) (console.View, error) {
	v := loginView(r)
	if err := v.Form.Read(r); err != nil {
		return refused(v, err)
	}
	tokens, _, err := p.sessions.Login(ctx, v.Form.Value("username"), v.Form.Value("password"), client(ctx, r))
	if err != nil {
		return refused(v, err)
	}
	switch next := r.Value("next"); {
	case next == nextKeys:
		v = lead(console.KeysPath, "")
	case console.Local(next):
		v = lead(next, "")
	default:
		v = lead(accountPath, "")
	}
	v.SignIn = tokens.BrowserSecret
	return v, nil
}

// logout also removes the cookie of a session that has already ended.
func (p pages) logout(ctx context.Context, _ *console.Request) (console.View, error) {
	if caller := auth.From(ctx); caller.Kind == auth.Session {
		if err := p.sessions.Logout(ctx, caller.UserID, caller.SessionID); err != nil {
			return console.View{}, err
		}
	}
	v := lead(loginPath, "signed-out")
	v.SignOut = true
	return v, nil
}
