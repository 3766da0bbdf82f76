package register

import (
	"context"
	"net/http"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/httpapi"
)

// Routes are the operations of registration.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/auth/register", "register", s.register,
			httpapi.AlwaysOpen(), httpapi.Success(http.StatusCreated), httpapi.Summary("Make an account"), httpapi.Describe(registerText),
			httpapi.Errors(http.StatusConflict, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const registerText = `Makes an account, opens its first session and sends a mail with the link that verifies the address.

The address decides the tier: one of a graduate class of a school in the programme, of this or a coming year, gets ` + "`<school>_student`" + ` (plan pro, API tier growth, free of charge until graduation); another ` + "`.edu`" + ` address ` + "`student`" + ` (starter, starter); any other ` + "`free_trial`" + ` (pro, starter) for 14 days.

A password has 12 to 128 characters, is not a common one, and does not contain the part of the address before the @. An address in use is 409, also where its account was deleted and can still be recovered.`

// Input is what registration takes.
type Input struct {
	UserAgent string `header:"User-Agent" doc:"Names the device in the list of sessions." example:"curl/8.5.0"`
	Body      struct {
		Email            string `json:"email" minLength:"3" maxLength:"254" doc:"The address, which must be able to receive mail. Compared without regard to case." example:"ada@larkspur.example"`
		Password         string `json:"password" minLength:"12" maxLength:"128" doc:"12 to 128 characters, none of the common ones." example:"three herons cross the pond"`
		FullName         string `json:"full_name" minLength:"1" maxLength:"200" doc:"Name of the person." example:"Ada Larkspur"`
		Company          string `json:"company,omitempty" maxLength:"200" doc:"Where the person works." example:"Harbor Ridge Capital"`
		JobTitle         string `json:"job_title,omitempty" maxLength:"200" doc:"As what." example:"Analyst"`
		UseCase          string `json:"use_case,omitempty" maxLength:"500" doc:"What the data are for." example:"Screening of managers"`
		MarketingConsent bool   `json:"marketing_consent,omitempty" doc:"Whether mails about the product may be sent. Without it: no." example:"false"`
	}
}

// Answer is what registration answers.
type Answer struct {
	session.Tokens

	User    user.Record `json:"user" doc:"The new account."`
	Message string      `json:"message" doc:"A sentence for people." example:"Account created. A mail with a link to verify the address is on its way."`
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
		Tokens: tokens, User: u.Record(), Message: "Account created. A mail with a link to verify the address is on its way.",
	}}, nil
}
