package pages

import (
	"context"

	"gpatlas/platform/auth"
	"gpatlas/platform/console"
)

func loginView(r *console.Request) console.View {
	address := emailField()
	address.Name, address.Autocomplete = "username", "username"
	return view("Sign in", loginBody, &console.Form{
		Action: loginPath, Submit: "Sign in", Fields: []console.Field{address, passwordField()},
	}, r)
}

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
	return console.View{Redirect: accountPath, SignIn: tokens.BrowserSecret}, nil
}

// logout also takes a cookie away whose session has ended already.
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
