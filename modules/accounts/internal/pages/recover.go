package pages

import (
	"context"

	"gpatlas/platform/console"
)

func recoverView(r *console.Request) console.View {
	return view("Recover your account", recoverBody, &console.Form{
		Action: recoverPath, Submit: "Recover account", Fields: []console.Field{emailField(), passwordField()},
	}, r)
}

func (p pages) showRecover(_ context.Context, r *console.Request) (console.View, error) {
	return recoverView(r), nil
}

func (p pages) recover(ctx context.Context, r *console.Request) (console.View, error) {
	v := recoverView(r)
	if err := v.Form.Read(r); err != nil {
		return refused(v, err)
	}
	if _, _, err := p.deletion.Recover(ctx, v.Form.Value("email"), v.Form.Value("password"), client(ctx, r)); err != nil {
		return refused(v, err)
	}
	return lead(loginPath, "recovered"), nil
}
