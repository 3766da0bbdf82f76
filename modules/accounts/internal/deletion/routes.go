package deletion

import (
	"context"
	"net/http"
	"time"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Jobs: Handlers(s),
		Schedules: []jobs.Schedule{{Type: PurgeJob, Cron: "40 3 * * *", Bucket: jobs.Daily}},
	}
}

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

const deleteText = `Ends all sessions of the account, revokes its API keys and cancels its subscription. Saved searches, watchlist and export history are kept for 30 days. Within that time, the account can be recovered with its email address and password. After that, all data are erased and the email address can be registered again.

A wrong password returns 401 and counts as a failed sign-in.`

const recoverText = `Needs no session. Send the email address and password of an account that was deleted less than 30 days ago. The account becomes active again with all its data. Revoked keys stay revoked. Sign in afterwards.

Failures return the same errors as failed sign-ins, for any reason, and count as failed sign-ins. An account that is not deleted returns 409 if the password is correct.`

// DeleteInput is what deletion accepts.
type DeleteInput struct {
	Body struct {
		Confirmation string `json:"confirmation" maxLength:"20" doc:"The word DELETE, typed by the person." example:"DELETE"`
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

// RecoverInput is what recovery accepts.
type RecoverInput struct {
	Body struct {
		Email    string `json:"email" minLength:"1" maxLength:"254" doc:"Email address of the account, in any case." example:"ada@larkspur.example"`
		Password string `json:"password" minLength:"1" maxLength:"128" doc:"Password of the account." example:"three herons cross the pond"`
	}
}

// RecoverAnswer is what recovery answers.
type RecoverAnswer struct {
	Message     string    `json:"message" doc:"Message to show to the person." example:"Account recovered"`
	Email       string    `json:"email" doc:"Email address of the account." example:"ada@larkspur.example"`
	RecoveredAt time.Time `json:"recovered_at" doc:"When the account was recovered (UTC)." example:"2026-11-20T09:40:00.000000Z"`
}

func (s *Service) recoverAccount(ctx context.Context, in *RecoverInput) (*httpapi.Reply[RecoverAnswer], error) {
	email, at, err := s.Recover(ctx, in.Body.Email, in.Body.Password, session.From(ctx, ""))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[RecoverAnswer]{Body: RecoverAnswer{Message: "Account recovered", Email: email, RecoveredAt: at}}, nil
}
