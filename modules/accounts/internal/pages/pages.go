// Package pages serves the account pages in a browser: registration, sign-in, and the pages that links in mails lead to. Each
// page calls the same service as the API operation, so both have the same rules, throttles and messages. A GET changes nothing,
// because mail scanners open links. The POST acts and redirects.
package pages

import (
	"context"
	"embed"
	"html/template"
	"net/http"
	"slices"

	"gpatlas/modules/accounts/internal/deletion"
	"gpatlas/modules/accounts/internal/register"
	"gpatlas/modules/accounts/internal/reset"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/modules/accounts/internal/verification"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

// The paths. Those in mails are also in package mailing.
const (
	loginPath    = console.SignInPath
	logoutPath   = "/logout"
	registerPath = "/register"
	verifyPath   = "/verify-email"
	resendPath   = "/resend-verification"
	forgotPath   = "/forgot-password"
	resetPath    = "/reset-password"
	recoverPath  = "/recover-account"
	accountPath  = console.AccountPath
)

// pages call the services below them.
type pages struct {
	registration *register.Service
	sessions     *session.Service
	verification *verification.Service
	resets       *reset.Service
	deletion     *deletion.Service
	users        *user.Store
	clock        clock.Clock
}

// Part is the pages.
func Part(
	registration *register.Service, sessions *session.Service, verifier *verification.Service, resets *reset.Service,
	deletions *deletion.Service, users *user.Store, clk clock.Clock,
) module.Part {
	p := pages{registration, sessions, verifier, resets, deletions, users, clk}
	lists, saved := lists(), searches()
	return module.Part{Panels: slices.Concat(lists.Panels, saved.Panels), Pages: slices.Concat(lists.Pages, saved.Pages, p.own(), []console.Page{
		{Method: http.MethodGet, Path: loginPath, Load: p.showLogin},
		{Method: http.MethodPost, Path: loginPath, Load: p.login},
		{Method: http.MethodPost, Path: logoutPath, Load: p.logout},
		{Method: http.MethodGet, Path: registerPath, Load: p.showRegister},
		{Method: http.MethodPost, Path: registerPath, Load: p.register},
		{Method: http.MethodGet, Path: verifyPath, Load: p.showVerify},
		{Method: http.MethodPost, Path: verifyPath, Load: p.verify},
		{Method: http.MethodPost, Path: resendPath, Access: console.SignedIn, Load: p.resend},
		{Method: http.MethodGet, Path: forgotPath, Load: p.showForgot},
		{Method: http.MethodPost, Path: forgotPath, Load: p.forgot},
		{Method: http.MethodGet, Path: resetPath, Load: p.showReset},
		{Method: http.MethodPost, Path: resetPath, Load: p.reset},
		{Method: http.MethodGet, Path: recoverPath, Load: p.showRecover},
		{Method: http.MethodPost, Path: recoverPath, Load: p.recover},
		{Method: http.MethodGet, Path: accountPath, Access: console.SignedIn, Menu: "Overview", Order: 10, Load: p.account},
	})}
}

//go:embed *.html
var files embed.FS

var (
	loginBody    = templates.Parse(files, "login.html")
	registerBody = templates.Parse(files, "register.html")
	verifyBody   = templates.Parse(files, "verify.html")
	forgotBody   = templates.Parse(files, "forgot.html")
	resetBody    = templates.Parse(files, "reset.html")
	recoverBody  = templates.Parse(files, "recover.html")
	accountBody  = templates.Parse(files, "account.html")
	watchBody    = templates.Parse(files, "watch.html")
	saveBody     = templates.Parse(files, "save.html")
)

// notices are the texts for "?notice=". A link can select one of these texts and nothing else.
var notices = map[string]string{
	console.NoticeEnded: "Your session has ended. Sign in again.",
	"signed-out":        "You are signed out.",
	"reset":             "Your password is changed, and all sessions have ended. Sign in with the new password.",
	"deleted":           "Your account is deleted. Until 30 days have passed, you can recover it.",
	"recovered":         "Your account is active again. Sign in.",
	"asked":             "If an account has this email address, an email with a link to reset the password is on its way.",
	"registered":        "Your account is created. We have sent you an email with a link. Open it to confirm your email address.",
	"resent":            "We have sent you a new email. The link in an earlier email no longer works.",
}

// view shows a form on its own page.
func view(title string, body *template.Template, form *console.Form, r *console.Request) console.View {
	return console.View{Title: title, Body: body, Form: form, Notice: notices[r.Value("notice")]}
}

// refused shows a form again with its faults; errors that no form can show go to the error page.
func refused(v console.View, err error) (console.View, error) {
	if !v.Form.Fail(err) {
		return console.View{}, err
	}
	v.Failure = err
	return v, nil
}

func lead(path, notice string) console.View {
	if notice != "" {
		path += "?notice=" + notice
	}
	return console.View{Redirect: path}
}

// client is the browser that a session is opened for.
func client(ctx context.Context, r *console.Request) session.Client {
	c := session.From(ctx, r.UserAgent)
	c.Browser = true
	return c
}

func signedIn(ctx context.Context) bool { return auth.From(ctx).Kind == auth.Session }

// The fields that several forms have, with the longest texts that the operations of the API take.
func emailField() console.Field {
	return console.Field{Name: "email", Label: "Email address", Type: console.Email, Autocomplete: "email", Max: user.EmailMax}
}

func passwordField() console.Field {
	return console.Field{Name: "password", Label: "Password", Type: console.Password, Autocomplete: "current-password", Max: passwordMax}
}

func newPasswordField(name, label string) console.Field {
	return console.Field{
		Name: name, Label: label, Type: console.Password, Autocomplete: "new-password", Max: passwordMax,
		Hint: "12 to 128 characters. Several unrelated words make a good password.",
	}
}

func tokenField(r *console.Request) console.Field {
	return console.Field{Name: "token", Type: console.Hidden, Max: tokenMax, Value: r.Value("token"), Optional: true}
}

const (
	passwordMax = 128
	tokenMax    = 256
)
