package verification

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations of verification.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/auth/verify-email", "verify-email", s.verify,
			httpapi.AlwaysOpen(), httpapi.Summary("Verify an email address"), httpapi.Describe(verifyText),
			httpapi.Errors(http.StatusServiceUnavailable), httpapi.Refuses(errVerified)),
		httpapi.Post("/v1/auth/resend-verification", "resend-verification", s.resend,
			httpapi.Grant(httpapi.Login), httpapi.Summary("Resend the verification email"), httpapi.Describe(resendText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const verifyText = `The link in the verification email contains the token as ` + "`?token=…`" + `. The token works once, for 24 hours, and only the newest token works. A token that is unknown, expired or replaced by a newer one returns 400. Any token of an email address that is already verified returns 409.`

const resendText = `The email is on its way when the response arrives. The link in an earlier email stops working. At most three requests per hour are allowed; the fourth returns 429 with ` + "`Retry-After`" + `. An email address that is already verified returns 409.`

// VerifyInput is what verification accepts.
type VerifyInput struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"256" doc:"Token from the link in the email." example:"3q2-7wK0aZxV5rT9cYbN1mQeUjHs4dLfPgOiXy8uEwA"`
	}
}

// VerifyAnswer is what verification answers.
type VerifyAnswer struct {
	Message    string    `json:"message" doc:"Message to show to the person." example:"Email verified"`
	Email      string    `json:"email" doc:"Email address." example:"ada@larkspur.example"`
	VerifiedAt time.Time `json:"verified_at" doc:"When the email address was verified (UTC)." example:"2026-11-20T09:40:00.000000Z"`
}

func (s *Service) verify(ctx context.Context, in *VerifyInput) (*httpapi.Reply[VerifyAnswer], error) {
	email, at, err := s.Verify(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[VerifyAnswer]{Body: VerifyAnswer{Message: "Email verified", Email: email, VerifiedAt: at}}, nil
}

// ResendAnswer is the response to a request for another mail.
type ResendAnswer struct {
	Message string    `json:"message" doc:"Message to show to the person." example:"Verification email sent"`
	Email   string    `json:"email" doc:"Email address of the recipient." example:"ada@larkspur.example"`
	SentAt  time.Time `json:"sent_at" doc:"When the email was queued for delivery (UTC)." example:"2026-11-20T09:40:00.000000Z"`
}

func (s *Service) resend(ctx context.Context, _ *struct{}) (*httpapi.Reply[ResendAnswer], error) {
	email, at, err := s.Resend(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[ResendAnswer]{Body: ResendAnswer{Message: "Verification email sent", Email: email, SentAt: at}}, nil
}
