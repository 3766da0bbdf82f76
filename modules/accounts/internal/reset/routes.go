package reset

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations on forgotten passwords.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/auth/forgot-password", "forgot-password", s.forgot,
			httpapi.AlwaysOpen(), httpapi.Summary("Request a password reset link"), httpapi.Describe(forgotText),
			httpapi.Errors(http.StatusTooManyRequests, http.StatusServiceUnavailable)),
		httpapi.Post("/v1/auth/reset-password", "reset-password", s.reset,
			httpapi.AlwaysOpen(), httpapi.Summary("Reset the password"), httpapi.Describe(resetText),
			httpapi.Errors(http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const forgotText = `Returns the same response in the same time for known and unknown email addresses. If the address belongs to an account, an email is sent, at most three within an hour. Further requests send nothing and return the same response. Within an hour, one IP address can send at most 100 registrations and requests for a reset link.`

const resetText = `The link in the email contains the token as ` + "`?token=…`" + `. The token works once, for one hour, and only the newest token works. The password must follow the rules of registration. A rejected password does not use up the token. After the reset, all sessions of the account end, failed sign-ins with its email address no longer count, and its owner gets a notice by email.`

// ForgotInput is what a request for a link accepts.
type ForgotInput struct {
	Body struct {
		Email string `json:"email" minLength:"3" maxLength:"254" doc:"Email address of the account, in any case." example:"ada@larkspur.example"`
	}
}

// Answer is a message for people.
type Answer struct {
	Message string `json:"message" doc:"Message to show to the person." example:"If an account has this email address, an email with a link to reset the password is on its way."`
}

const forgotAnswer = "If an account has this email address, an email with a link to reset the password is on its way."

func (s *Service) forgot(ctx context.Context, in *ForgotInput) (*httpapi.Reply[Answer], error) {
	if err := s.Forgot(ctx, in.Body.Email, auth.From(ctx).Address); err != nil {
		return nil, err
	}
	return &httpapi.Reply[Answer]{Body: Answer{forgotAnswer}}, nil
}

// ResetInput is what resetting accepts.
type ResetInput struct {
	Body struct {
		Token       string `json:"token" minLength:"1" maxLength:"256" doc:"Token from the link in the email." example:"3q2-7wK0aZxV5rT9cYbN1mQeUjHs4dLfPgOiXy8uEwA"`
		NewPassword string `json:"new_password" minLength:"12" maxLength:"128" doc:"12 to 128 characters, not a common password." example:"three herons cross the pond"`
	}
}

func (s *Service) reset(ctx context.Context, in *ResetInput) (*httpapi.Reply[Answer], error) {
	if err := s.Reset(ctx, in.Body.Token, in.Body.NewPassword); err != nil {
		return nil, err
	}
	return &httpapi.Reply[Answer]{Body: Answer{"The password was changed, and all sessions have ended. Sign in with the new password."}}, nil
}
