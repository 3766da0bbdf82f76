package pages

import (
	"context"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
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

// forgot answers every address identically.
func (p pages) forgot(ctx context.Context, r *console.Request) (console.View, error) {
	v := forgotView(r)
	err := v.Form.Read(r)
	if err == nil {
		err = p.resets.Forgot(ctx, v.Form.Value("email"), auth.From(ctx).Address)
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

// deadLink is shown instead of the form if a link no longer works.
const deadLink = "This link was already used or has expired."

// showReset checks the token without using it: a mail scanner may open the link first.
func (p pages) showReset(ctx context.Context, r *console.Request) (console.View, error) {
	v := resetView(r)
	if secret := v.Form.Value("token"); secret != "" {
		if err := p.resets.Check(ctx, secret); apperr.From(err).Kind == apperr.KindInvalid {
			v.Data = deadLink
		} else if err != nil {
			return console.View{}, err
		}
	}
	return v, nil
}

func (p pages) reset(ctx context.Context, r *console.Request) (console.View, error) {
	v := resetView(r)
	if err := v.Form.Read(r); err != nil {
		return refused(v, err)
	}
	err := p.resets.Reset(ctx, v.Form.Value("token"), v.Form.Value("new_password"))
	if err != nil {
		if failure := apperr.From(err); failure.Kind == apperr.KindInvalid && len(failure.Fields) == 0 {
			v.Data = deadLink // the link is invalid, not the password
		}
		return refused(v, err)
	}
	return lead(loginPath, "reset"), nil
}
