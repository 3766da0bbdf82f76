package pages

import (
	"context"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/console"
)

func verifyView(r *console.Request) console.View {
	return view("Confirm your email address", verifyBody, &console.Form{
		Action: verifyPath, Submit: "Confirm address", Fields: []console.Field{tokenField(r)},
	}, r)
}

// showVerify does not check the token, because opening the link has no effect.
func (p pages) showVerify(_ context.Context, r *console.Request) (console.View, error) {
	return verifyView(r), nil
}

func (p pages) verify(ctx context.Context, r *console.Request) (console.View, error) {
	v := verifyView(r)
	if err := v.Form.Read(r); err != nil {
		return refused(v, err)
	}
	_, _, err := p.verification.Verify(ctx, v.Form.Value("token"))
	notice := "verified"
	if err != nil && apperr.From(err).Kind == apperr.KindConflict {
		err, notice = nil, "already"
	}
	if err != nil {
		return refused(v, err)
	}
	if signedIn(ctx) {
		return lead(console.KeysPath, notice), nil
	}
	v = lead(loginPath, notice)
	v.Redirect += "&next=" + nextKeys
	return v, nil
}

func (p pages) resend(ctx context.Context, r *console.Request) (console.View, error) {
	_, _, err := p.verification.Resend(ctx, auth.From(ctx).UserID)
	if err != nil && apperr.From(err).Kind == apperr.KindConflict {
		return lead(accountPath, "already"), nil
	}
	if err == nil {
		return lead(accountPath, "resent"), nil
	}
	v, failed := p.account(ctx, r)
	if failed != nil || v.Form == nil {
		return console.View{}, err
	}
	return refused(v, err)
}
