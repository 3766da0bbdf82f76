package reset

import (
	"context"
	"net/http"

	"gpatlas/platform/httpapi"
)

// Routes are the operations on forgotten passwords.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/auth/forgot-password", "forgot-password", s.forgot,
			httpapi.AlwaysOpen(), httpapi.Summary("Ask for a link that resets the password"), httpapi.Describe(forgotText),
			httpapi.Errors(http.StatusServiceUnavailable)),
		httpapi.Post("/v1/auth/reset-password", "reset-password", s.reset,
			httpapi.AlwaysOpen(), httpapi.Summary("Set a new password by the token from the mail"), httpapi.Describe(resetText),
			httpapi.Errors(http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const forgotText = `The answer is always the same, in the same time, whether the address is known or not. A mail is sent to the address of an account, at most three within an hour; beyond that nothing is sent, and the answer is the same.`

const resetText = `The link in the mail carries the token as ` + "`?token=…`" + `. It is good once, for one hour, and only the newest one is. The password follows the rules of registration; one that is refused leaves the token good. All sessions of the account end, failed sign-ins with its address no longer count, and its holder is told by mail.`

// ForgotInput is what asking for a link takes.
type ForgotInput struct {
	Body struct {
		Email string `json:"email" minLength:"3" maxLength:"254" doc:"The address of the account, in any case." example:"ada@larkspur.example"`
	}
}

// Answer is a sentence for people.
type Answer struct {
	Message string `json:"message" doc:"A sentence for people." example:"If an account has this address, a mail with a link to reset its password is on its way."`
}

const forgotAnswer = "If an account has this address, a mail with a link to reset its password is on its way."

func (s *Service) forgot(ctx context.Context, in *ForgotInput) (*httpapi.Reply[Answer], error) {
	if err := s.Forgot(ctx, in.Body.Email); err != nil {
		return nil, err
	}
	return &httpapi.Reply[Answer]{Body: Answer{forgotAnswer}}, nil
}

// ResetInput is what resetting takes.
type ResetInput struct {
	Body struct {
		Token       string `json:"token" minLength:"1" maxLength:"256" doc:"The token from the link in the mail." example:"3q2-7wK0aZxV5rT9cYbN1mQeUjHs4dLfPgOiXy8uEwA"`
		NewPassword string `json:"new_password" minLength:"12" maxLength:"128" doc:"12 to 128 characters, none of the common ones." example:"three herons cross the pond"`
	}
}

func (s *Service) reset(ctx context.Context, in *ResetInput) (*httpapi.Reply[Answer], error) {
	if err := s.Reset(ctx, in.Body.Token, in.Body.NewPassword); err != nil {
		return nil, err
	}
	return &httpapi.Reply[Answer]{Body: Answer{"The password was changed, and all sessions have ended. Sign in with the new password."}}, nil
}
