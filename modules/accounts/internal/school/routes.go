package school

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// Routes are the operations of the programme. {school} is the slug of a school that is configured.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/{school}/verify", "verify-student", s.verify,
			httpapi.AlwaysOpen(), httpapi.Summary("Whether an address is of a school's graduate class"), httpapi.Describe(verifyText),
			httpapi.Errors(http.StatusNotFound)),
		httpapi.Post("/v1/{school}/survey", "answer-survey", s.survey,
			httpapi.Grant(httpapi.Login), httpapi.Success(http.StatusCreated), httpapi.Summary("Answer the month's survey"), httpapi.Describe(surveyText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable)),
	}, httpapi.Tag("School program"))
}

const verifyText = `Students of a school in the programme use the service free of charge until they graduate. The address decides: its domain must be that of a graduate class of this or a coming year (UTC), as ` + "`mba2027.bschool.edu`" + `. The answer speaks of the address alone, not of whether there is an account.`

const surveyText = `Once a calendar month (UTC); a second answer is 409. An account of the programme keeps its access as long as it answers: one that lets a whole calendar month pass (that of the registration is not asked for) falls to the free plan and the API tier starter, until it answers. Other accounts, and graduates, get 403.

Answers are by the names of the questions; each is a text, a number, true or false, or a list of texts.`

// VerifyInput is what the check of an address takes.
type VerifyInput struct {
	School string `path:"school" maxLength:"30" doc:"Slug of the school." example:"bschool"`
	Body   struct {
		Email string `json:"email" minLength:"3" maxLength:"254" doc:"The address." example:"ada@mba2027.bschool.edu"`
	}
}

func (s *Service) verify(_ context.Context, in *VerifyInput) (*httpapi.Reply[httpapi.Data[Eligibility]], error) {
	e, err := s.Verify(in.School, in.Body.Email)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[Eligibility]]{Body: httpapi.Data[Eligibility]{Data: e}}, nil
}

// SurveyInput is what the survey takes.
type SurveyInput struct {
	School string `path:"school" maxLength:"30" doc:"Slug of the school." example:"bschool"`
	Body   struct {
		Answers map[string]any `json:"answers" doc:"The answers by the names of questions: texts, numbers, true or false, lists of texts; 1 to 50."`
	}
}

func (s *Service) survey(ctx context.Context, in *SurveyInput) (*httpapi.Reply[httpapi.Data[Answered]], error) {
	a, err := s.Answer(ctx, auth.From(ctx).UserID, in.School, in.Body.Answers)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[Answered]]{Body: httpapi.Data[Answered]{Data: a}}, nil
}
