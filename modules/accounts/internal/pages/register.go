package pages

import (
	"context"

	"gpatlas/modules/accounts/internal/register"
	"gpatlas/platform/console"
)

func registerView(r *console.Request) console.View {
	address := emailField()
	address.Hint = "We send a link to this email address to confirm it."
	return view("Create an account", registerBody, &console.Form{
		Action: registerPath, Submit: "Create account",
		Fields: []console.Field{
			{Name: "full_name", Label: "Full name", Type: console.Text, Autocomplete: "name"},
			address,
			newPasswordField("password", "Password"),
			{Name: "company", Label: "Company", Type: console.Text, Autocomplete: "organization", Optional: true},
			{Name: "marketing_consent", Label: "Send me news about the product", Type: console.Checkbox, Optional: true},
		},
	}, r)
}

func (p pages) showRegister(ctx context.Context, r *console.Request) (console.View, error) {
	if signedIn(ctx) {
		return lead(accountPath, ""), nil
	}
	return registerView(r), nil
}

func (p pages) register(ctx context.Context, r *console.Request) (console.View, error) {
	v := registerView(r)
	if err := v.Form.Take(r); err != nil {
		return refused(v, err)
	}
	_, tokens, err := p.registration.Register(ctx, register.Form{
		Email: v.Form.Value("email"), Password: v.Form.Value("password"), FullName: v.Form.Value("full_name"),
		Company: v.Form.Value("company"), MarketingConsent: v.Form.Value("marketing_consent") != "",
	}, client(ctx, r))
	if err != nil {
		return refused(v, err)
	}
	v = lead(accountPath, "registered")
	v.SignIn = tokens.BrowserSecret
	return v, nil
}
