package deletion

import (
	"context"
	"net/http"
	"time"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// Routes are the operations on the end of an account.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Delete("/v1/me/account", "delete-account", s.deleteAccount,
			httpapi.Grant(httpapi.Login), httpapi.Success(http.StatusNoContent), httpapi.Summary("Delete the account"), httpapi.Describe(deleteText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
		httpapi.Post("/v1/me/account/recover", "recover-account", s.recoverAccount,
			httpapi.AlwaysOpen(), httpapi.Summary("Recover a deleted account"), httpapi.Describe(recoverText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const deleteText = `The account is signed out everywhere, its API keys are revoked and its subscription is cancelled. Saved searches, watchlist and export history are kept: within 30 days the account can be recovered with its address and password. Then everything is erased, and the address is free again.

A wrong password is 401 and counts as a failed sign-in.`

const recoverText = `Needs no session: address and password of an account that was deleted less than 30 days ago. It is active again, with everything that was in it; revoked keys stay revoked. Sign in afterwards.

Failures are answered as those of signing in are, whatever the reason, and count as such. An account that is not deleted is 409, with the right password.`

// DeleteInput is what deletion takes.
type DeleteInput struct {
	Body struct {
		Confirmation string `json:"confirmation" maxLength:"20" doc:"The word DELETE, as the person types it." example:"DELETE"`
		Password     string `json:"password" minLength:"1" maxLength:"128" doc:"The password of the account." example:"three herons cross the pond"`
	}
}

func (s *Service) deleteAccount(ctx context.Context, in *DeleteInput) (*httpapi.Reply[struct{}], error) {
	caller := auth.From(ctx)
	if err := s.Delete(ctx, caller.UserID, in.Body.Confirmation, in.Body.Password, session.From(ctx, "")); err != nil {
		return nil, err
	}
	return &httpapi.Reply[struct{}]{}, nil
}

// RecoverInput is what recovery takes.
type RecoverInput struct {
	Body struct {
		Email    string `json:"email" minLength:"1" maxLength:"254" doc:"The address of the account, in any case." example:"ada@larkspur.example"`
		Password string `json:"password" minLength:"1" maxLength:"128" doc:"Its password." example:"three herons cross the pond"`
	}
}

// RecoverAnswer is what recovery answers.
type RecoverAnswer struct {
	Message     string    `json:"message" doc:"A sentence for people." example:"Account recovered"`
	Email       string    `json:"email" doc:"The address of the account." example:"ada@larkspur.example"`
	RecoveredAt time.Time `json:"recovered_at" doc:"When it was recovered (UTC)." example:"2026-11-20T09:40:00Z"`
}

func (s *Service) recoverAccount(ctx context.Context, in *RecoverInput) (*httpapi.Reply[RecoverAnswer], error) {
	email, at, err := s.Recover(ctx, in.Body.Email, in.Body.Password, session.From(ctx, ""))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[RecoverAnswer]{Body: RecoverAnswer{Message: "Account recovered", Email: email, RecoveredAt: at}}, nil
}
