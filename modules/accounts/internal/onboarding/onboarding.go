// Package onboarding answers the account's own record, and moves its onboarding.
package onboarding

import (
	"context"
	"net/http"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Service reads accounts for their holders and moves their onboarding.
type Service struct {
	users *user.Store
	clock clock.Clock
}

// NewService works on the store of accounts.
func NewService(users *user.Store, clk clock.Clock) *Service {
	return &Service{users: users, clock: clk}
}

// errGone is the error if the caller's account ends during the request.
var errGone = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")

// Me returns the caller's account.
func (s *Service) Me(ctx context.Context, userID int64) (user.Record, error) {
	u, err := s.users.FindByID(ctx, userID)
	return s.record(u, err)
}

// Patch is a change of the onboarding; nil = left as it is.
type Patch struct {
	Step      *int
	Completed *bool
}

// Advance moves the onboarding. It never goes back: a step below the one reached changes nothing, and what is completed stays
// so. Step 3 completes it.
//
// Spec: not shown how a step backwards is answered; it is accepted, because a reloaded page sends the step that it shows; the
// response has the present step. completed = true alone also completes it, at step 3.
func (s *Service) Advance(ctx context.Context, userID int64, p Patch) (user.Record, error) {
	if p.Step == nil && p.Completed == nil {
		return user.Record{}, apperr.Invalid(apperr.FieldError{Field: "body", Message: "must have step or completed"})
	}
	step := 1
	if p.Step != nil {
		step = *p.Step
	}
	if step < 1 || step > 3 {
		return user.Record{}, apperr.Invalid(apperr.FieldError{Field: "step", Message: "must be a whole number from 1 to 3"})
	}
	u, err := s.users.Advance(ctx, userID, step, p.Completed != nil && *p.Completed, s.clock.Now())
	return s.record(u, err)
}

func (s *Service) record(u *user.User, err error) (user.Record, error) {
	if err == nil && (u == nil || u.Deleted()) {
		err = errGone
	}
	if err != nil {
		return user.Record{}, err
	}
	return u.Record(s.clock.Now()), nil
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on the caller's own account.
func Routes(s *Service) []httpapi.Route {
	errs := httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/auth/me", "get-me", s.me,
			httpapi.Grant(httpapi.Login), httpapi.Summary("Get the current account"),
			httpapi.Describe("The account of the session: its address, plan, limits tier, trial and progress of the onboarding."), errs),
		httpapi.Patch("/v1/auth/me/onboarding", "update-onboarding", s.advance,
			httpapi.Grant(httpapi.Login), httpapi.Summary("Update the onboarding"), httpapi.Describe(advanceText), errs),
	}, httpapi.Tag("Accounts"))
}

const advanceText = `Steps only increase. A step below the current one changes nothing. Step 3, or ` + "`completed: true`" + `, completes the onboarding permanently. Returns the account with its current onboarding.`

func (s *Service) me(ctx context.Context, _ *struct{}) (*httpapi.Reply[user.Record], error) {
	r, err := s.Me(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[user.Record]{Body: r}, nil
}

// PatchInput is what the onboarding accepts.
type PatchInput struct {
	Body struct {
		Step      *int  `json:"step,omitempty" minimum:"1" maximum:"3" doc:"Step, 1 to 3." example:"2"`
		Completed *bool `json:"completed,omitempty" doc:"True completes the onboarding. False changes nothing." example:"false"`
	}
}

func (s *Service) advance(ctx context.Context, in *PatchInput) (*httpapi.Reply[user.Record], error) {
	r, err := s.Advance(ctx, auth.From(ctx).UserID, Patch{Step: in.Body.Step, Completed: in.Body.Completed})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[user.Record]{Body: r}, nil
}
