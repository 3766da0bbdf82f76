package register

import (
	"context"
	"net/http"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations of registration.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/auth/register", "register", s.register,
			httpapi.AlwaysOpen(), httpapi.Success(http.StatusCreated), httpapi.Summary("Create an account"), httpapi.Describe(registerText),
			httpapi.Errors(http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const registerText = `Creates an account, opens its first session and sends an email with a link that verifies the email address.

The email address determines the tier. An address of a graduate class of a participating school, of this or a future year, gets ` + "`<school>_student`" + ` (plan pro, API tier growth, free of charge until graduation). Another ` + "`.edu`" + ` address gets ` + "`student`" + ` (plan starter, API tier starter). Any other address gets ` + "`free_trial`" + ` (plan pro, API tier starter) for 14 days.

A password must have 12 to 128 characters, must not be a common one, and must not contain the part of the email address before the @. An email address in use returns 409, even if its account was deleted and can still be recovered. Within an hour, one IP address can send at most 100 registrations and requests for a reset link.`

// Input is what registration accepts.
type Input struct {
	UserAgent string `header:"User-Agent" doc:"Names the device in the list of sessions." example:"curl/8.5.0"`
	Body      struct {
		Email            string `json:"email" minLength:"3" maxLength:"254" doc:"Email address, which must be able to receive email. Compared without regard to case." example:"ada@larkspur.example"`
		Password         string `json:"password" minLength:"12" maxLength:"128" doc:"12 to 128 characters, not a common password." example:"three herons cross the pond"`
		FullName         string `json:"full_name" minLength:"1" maxLength:"200" doc:"Name of the person." example:"Ada Larkspur"`
		Company          string `json:"company,omitempty" maxLength:"200" doc:"Company of the person." example:"Harbor Ridge Capital"`
		JobTitle         string `json:"job_title,omitempty" maxLength:"200" doc:"Job title of the person." example:"Analyst"`
		UseCase          string `json:"use_case,omitempty" maxLength:"500" doc:"Intended use of the data." example:"Screening of managers"`
		MarketingConsent bool   `json:"marketing_consent,omitempty" doc:"Whether emails about the product may be sent. Default: false." example:"false"`
	}
}

// Answer is what registration answers.
type Answer struct {
	session.Tokens

	User    user.Record `json:"user" doc:"The new account."`
	Message string      `json:"message" doc:"Message to show to the person." example:"Account created. An email with a link to verify the email address is on its way."`
}

func (s *Service) register(ctx context.Context, in *Input) (*httpapi.Reply[Answer], error) {
	u, tokens, err := s.Register(ctx, Form{
		Email: in.Body.Email, Password: in.Body.Password, FullName: in.Body.FullName, Company: in.Body.Company,
		JobTitle: in.Body.JobTitle, UseCase: in.Body.UseCase, MarketingConsent: in.Body.MarketingConsent,
	}, session.From(ctx, in.UserAgent))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[Answer]{Body: Answer{
		Tokens: tokens, User: u.Record(u.CreatedAt), Message: "Account created. An email with a link to verify the email address is on its way.",
	}}, nil
}
