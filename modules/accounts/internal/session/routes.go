package session

import (
	"context"
	"net/http"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Jobs: Jobs(s),
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "23 3 * * *", Bucket: jobs.Daily}},
		Models:    []any{Row{}, RefreshRow{}},
	}
}

// Routes are the operations on sessions.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/auth/login", "login", s.login,
			httpapi.AlwaysOpen(), httpapi.Summary("Sign in"), httpapi.Describe(loginText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
		httpapi.Post("/v1/auth/refresh", "refresh-session", s.refresh,
			httpapi.AlwaysOpen(), httpapi.Summary("Refresh the tokens of a session"), httpapi.Describe(refreshText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusServiceUnavailable)),
		httpapi.Post("/v1/auth/logout", "logout", s.logout,
			httpapi.Grant(httpapi.Login), httpapi.Summary("Sign out"), httpapi.Describe(logoutText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
		httpapi.Get("/v1/auth/sessions", "list-sessions", s.list,
			httpapi.Grant(httpapi.Login), httpapi.Volatile(), httpapi.Summary("List sessions"), httpapi.Describe(listText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
		httpapi.Delete("/v1/auth/sessions", "end-other-sessions", s.endOthers,
			httpapi.Grant(httpapi.Login), httpapi.Summary("End all other sessions"), httpapi.Describe(endOthersText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
		httpapi.Delete("/v1/auth/sessions/{id}", "end-session", s.end,
			httpapi.Grant(httpapi.Login), httpapi.Summary("End a session"), httpapi.Describe(endText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const loginText = `Opens a session and ends all other sessions of the account that have tokens: only one device at a time is signed in. A browser that is signed in on the pages stays so. The access token is valid for 15 minutes, the refresh token for 30 days.

An unknown email address, a wrong password and a deleted account return the same response in similar time. The response is 429 with ` + "`Retry-After`" + `, even with the correct password, after too many failures within 15 minutes: 10 for one email address from one IP address, 50 from one IP address (IPv6: from its /64), or 100 for one email address in total. A completed password reset clears the failures of the email address. An account can sign in before its email address is verified.`

const refreshText = `Send the token in the body or as a parameter. It works once. Anything else, such as an access token, is answered 401. The response has a new one, which extends the session to 30 days from now. A token that is used again ends its session. Within ten seconds of its first use (for example by two browser windows), it is only rejected and the session stays active.`

const logoutText = `Ends the session on the server. Its tokens stop working from the next request.`

const listText = `Returns the active sessions, last used first. Ended and expired sessions are left out.`

const endText = `Ends any session of the account, including the session of the request. A session of another account returns the same 404 as one that does not exist.`

const endOthersText = `Ends all sessions except the session of the request. As a check, you can send its ID in the header ` + "`X-Session-ID`" + `. Any other ID is rejected.`

// LoginInput is what login accepts.
type LoginInput struct {
	UserAgent string `header:"User-Agent" doc:"Names the device in the list of sessions." example:"curl/8.5.0"`
	Body      struct {
		Username string `json:"username" minLength:"1" maxLength:"254" doc:"Email address of the account, in any case." example:"ada@larkspur.example"`
		Password string `json:"password" minLength:"1" maxLength:"128" doc:"Password of the account." example:"three herons cross the pond"`
	}
}

// LoginAnswer is what login answers.
type LoginAnswer struct {
	Tokens

	User user.Summary `json:"user" doc:"The account."`
}

// From is the client of a request.
func From(ctx context.Context, userAgent string) Client {
	return Client{Address: auth.From(ctx).Address, UserAgent: userAgent}
}

func (s *Service) login(ctx context.Context, in *LoginInput) (*httpapi.Reply[LoginAnswer], error) {
	tokens, who, err := s.Login(ctx, in.Body.Username, in.Body.Password, From(ctx, in.UserAgent))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[LoginAnswer]{Body: LoginAnswer{Tokens: tokens, User: who}}, nil
}

// RefreshInput is what refresh accepts.
type RefreshInput struct {
	RefreshToken httpapi.Opt[string] `query:"refresh_token" maxLength:"4096" doc:"Refresh token. Prefer to send it in the body, because URLs are often logged." example:"gpar_3q2-7w"`
	Body         *struct {
		RefreshToken string `json:"refresh_token,omitempty" maxLength:"4096" doc:"Refresh token, unless it is sent as a parameter." example:"gpar_3q2-7w"`
	}
}

// token is the refresh token, from the cookie or the body.
func (in *RefreshInput) token() (string, error) {
	sent, field := in.RefreshToken.Or(""), "refresh_token"
	if in.Body != nil && in.Body.RefreshToken != "" {
		if sent != "" && sent != in.Body.RefreshToken {
			return "", apperr.Invalid(apperr.FieldError{Field: field, Message: "was sent twice; send it in the body or as a parameter"})
		}
		sent = in.Body.RefreshToken
	}
	if sent == "" {
		return "", apperr.Invalid(apperr.FieldError{Field: field, Message: "is required, in the body or as a parameter"})
	}
	return sent, nil
}

func (s *Service) refresh(ctx context.Context, in *RefreshInput) (*httpapi.Reply[Tokens], error) {
	sent, err := in.token()
	if err != nil {
		return nil, err
	}
	tokens, err := s.Refresh(ctx, sent)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[Tokens]{Body: tokens}, nil
}

// LogoutAnswer is what logout answers.
type LogoutAnswer struct {
	Message string `json:"message" doc:"Message to show to the person." example:"Signed out"`
}

func (s *Service) logout(ctx context.Context, _ *struct{}) (*httpapi.Reply[LogoutAnswer], error) {
	caller := auth.From(ctx)
	if err := s.Logout(ctx, caller.UserID, caller.SessionID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[LogoutAnswer]{Body: LogoutAnswer{Message: "Signed out"}}, nil
}

// ListAnswer is the list of sessions.
type ListAnswer struct {
	Sessions []Session `json:"sessions" doc:"Active sessions, last used first."`
	Total    int       `json:"total" doc:"Number of active sessions." example:"1"`
}

func (s *Service) list(ctx context.Context, _ *struct{}) (*httpapi.Reply[ListAnswer], error) {
	caller := auth.From(ctx)
	list, err := s.List(ctx, caller.UserID, caller.SessionID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[ListAnswer]{Body: ListAnswer{Sessions: list, Total: len(list)}}, nil
}

// EndInput names the session to end.
type EndInput struct {
	ID string `path:"id" doc:"ID of the session." example:"sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"`
}

// EndAnswer is the response to ending a session.
type EndAnswer struct {
	Message   string `json:"message" doc:"Message to show to the person." example:"Session terminated"`
	SessionID string `json:"session_id" doc:"ID of the ended session." example:"sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"`
}

func (s *Service) end(ctx context.Context, in *EndInput) (*httpapi.Reply[EndAnswer], error) {
	if err := s.End(ctx, auth.From(ctx).UserID, in.ID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[EndAnswer]{Body: EndAnswer{Message: "Session terminated", SessionID: in.ID}}, nil
}

// EndOthersInput names the session that stays.
type EndOthersInput struct {
	SessionID string `header:"X-Session-ID" doc:"ID of the session of the request." example:"sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"` //nolint:tagliatelle // the contract writes it so
}

// EndOthersAnswer is the response to ending the other sessions.
type EndOthersAnswer struct {
	Message    string `json:"message" doc:"Message to show to the person." example:"All other sessions terminated"`
	Terminated int    `json:"sessions_terminated" doc:"Number of ended sessions." example:"0"`
}

// Spec: not shown; the access token identifies the session of the request, so the header can be omitted. A header that names
// another session returns 400: the request would end the session that it intends to keep.
func (s *Service) endOthers(ctx context.Context, in *EndOthersInput) (*httpapi.Reply[EndOthersAnswer], error) {
	caller := auth.From(ctx)
	if in.SessionID != "" && in.SessionID != caller.SessionID {
		return nil, apperr.Invalid(apperr.FieldError{Field: "X-Session-ID", Message: "must be the ID of the session making the request"})
	}
	ended, err := s.EndAll(ctx, caller.UserID, ByUser, caller.SessionID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[EndOthersAnswer]{Body: EndOthersAnswer{Message: "All other sessions terminated", Terminated: ended}}, nil
}
