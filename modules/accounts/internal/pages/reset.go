package pages

import (
	"context"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
)

func forgotView(r *console.Request) console.View {
	return view("Reset your password", forgotBody, &console.Form{
		Action: forgotPath, Submit: "Send the link", Fields: []console.Field{emailField()},
	}, r)
}

func (p pages) showForgot(_ context.Context, r *console.Request) (console.View, error) {
	return forgotView(r), nil
}

// forgot answers every address alike.
func (p pages) forgot(ctx context.Context, r *console.Request) (console.View, error) {
	v := forgotView(r)
	err := v.Form.Read(r)
	if err == nil {
		err = p.resets.Forgot(ctx, v.Form.Value("email"))
	}
	if err != nil {
		return refused(v, err)
	}
	return lead(forgotPath, "asked"), nil
}

func resetView(r *console.Request) console.View {
	return view("Choose a new password", resetBody, &console.Form{
		Action: resetPath, Submit: "Set new password",
		Fields: []console.Field{tokenField(r), newPasswordField("new_password", "New password")},
	}, r)
}

// showReset does not look at the token: a link that was opened is as good as one that was not.
func (p pages) showReset(_ context.Context, r *console.Request) (console.View, error) {
	return resetView(r), nil
}

func (p pages) reset(ctx context.Context, r *console.Request) (console.View, error) {
	v := resetView(r)
	if err := v.Form.Read(r); err != nil {
		return refused(v, err)
	}
	err := p.resets.Reset(ctx, v.Form.Value("token"), v.Form.Value("new_password"))
	if err != nil {
		v.Data = len(apperr.From(err).Fields) == 0 // the link is at fault, not the password
		return refused(v, err)
	}
	return lead(loginPath, "reset"), nil
}
