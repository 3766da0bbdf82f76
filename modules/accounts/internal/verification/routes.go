package verification

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// Routes are the operations of verification.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/auth/verify-email", "verify-email", s.verify,
			httpapi.AlwaysOpen(), httpapi.Summary("Verify an address by the token from the mail"), httpapi.Describe(verifyText),
			httpapi.Errors(http.StatusConflict, http.StatusServiceUnavailable)),
		httpapi.Post("/v1/auth/resend-verification", "resend-verification", s.resend,
			httpapi.Grant(httpapi.Login), httpapi.Summary("Send the verification mail again"), httpapi.Describe(resendText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const verifyText = `The link in the verification mail carries the token as ` + "`?token=…`" + `. It is good once, for 24 hours, and only the newest one is. A token that is unknown, too old or replaced by a newer one is 400; any token of an address that is verified already is 409.`

const resendText = `The mail is on its way when the answer comes; the link of an earlier one ends. At most three requests an hour: the fourth is 429 with ` + "`Retry-After`" + `. An address that is verified already is 409.`

// VerifyInput is what verification takes.
type VerifyInput struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"256" doc:"The token from the link in the mail." example:"3q2-7wK0aZxV5rT9cYbN1mQeUjHs4dLfPgOiXy8uEwA"`
	}
}

// VerifyAnswer is what verification answers.
type VerifyAnswer struct {
	Message    string    `json:"message" doc:"A sentence for people." example:"Email verified"`
	Email      string    `json:"email" doc:"The address." example:"ada@larkspur.example"`
	VerifiedAt time.Time `json:"verified_at" doc:"When it was verified (UTC)." example:"2026-11-20T09:40:00Z"`
}

func (s *Service) verify(ctx context.Context, in *VerifyInput) (*httpapi.Reply[VerifyAnswer], error) {
	email, at, err := s.Verify(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[VerifyAnswer]{Body: VerifyAnswer{Message: "Email verified", Email: email, VerifiedAt: at}}, nil
}

// ResendAnswer is what asking for another mail answers.
type ResendAnswer struct {
	Message string    `json:"message" doc:"A sentence for people." example:"Verification email sent"`
	Email   string    `json:"email" doc:"Where it goes." example:"ada@larkspur.example"`
	SentAt  time.Time `json:"sent_at" doc:"When it was handed over for delivery (UTC)." example:"2026-11-20T09:40:00Z"`
}

func (s *Service) resend(ctx context.Context, _ *struct{}) (*httpapi.Reply[ResendAnswer], error) {
	email, at, err := s.Resend(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[ResendAnswer]{Body: ResendAnswer{Message: "Verification email sent", Email: email, SentAt: at}}, nil
}
