package school

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Jobs: Handlers(s), Schedules: []jobs.Schedule{{Type: Job, Cron: "10 0 * * *", Bucket: jobs.Daily}}}
}

// Routes are the operations of the program. {school} is the slug of a configured school.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/{school}/verify", "verify-student", s.verify,
			httpapi.AlwaysOpen(), httpapi.Summary("Check the email address of a student"), httpapi.Describe(verifyText),
			httpapi.Errors(http.StatusNotFound)),
		httpapi.Post("/v1/{school}/survey", "answer-survey", s.survey,
			httpapi.Grant(httpapi.Login), httpapi.Success(http.StatusCreated), httpapi.Summary("Answer the monthly survey"), httpapi.Describe(surveyText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable), httpapi.Refuses(errAnswered)),
	}, httpapi.Tag("School program"))
}

const verifyText = `Students of a participating school use the service free of charge until they graduate. The domain of the email address must be that of a graduate class of this or a future year (UTC), such as ` + "`mba2027.bschool.edu`" + `. The response covers the email address only. It does not show whether an account exists.`

const surveyText = `The survey can be answered once per calendar month (UTC). A second answer returns 409. An account of the program keeps its access as long as it answers each month. The month of registration needs no answer. An account that misses a whole calendar month moves to the free plan and the API tier starter until it answers. Other accounts, and graduates, get 403.

Answers are keyed by the names of the questions. Each answer is a string, a number, true or false, or a list of strings.`

// VerifyInput is what the check of an address accepts.
type VerifyInput struct {
	School string `path:"school" maxLength:"30" doc:"Slug of the school." example:"bschool"`
	Body   struct {
		Email string `json:"email" minLength:"3" maxLength:"254" doc:"Email address." example:"ada@mba2027.bschool.edu"`
	}
}

func (s *Service) verify(_ context.Context, in *VerifyInput) (*httpapi.Reply[httpapi.Data[Eligibility]], error) {
	e, err := s.Verify(in.School, in.Body.Email)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[Eligibility]]{Body: httpapi.Data[Eligibility]{Data: e}}, nil
}

// SurveyInput is what the survey accepts.
type SurveyInput struct {
	School string `path:"school" maxLength:"30" doc:"Slug of the school." example:"bschool"`
	Body   struct {
		Answers map[string]any `json:"answers" doc:"Answers keyed by the names of the questions: strings, numbers, true or false, or lists of strings. 1 to 50 answers."`
	}
}

func (s *Service) survey(ctx context.Context, in *SurveyInput) (*httpapi.Reply[httpapi.Data[Answered]], error) {
	a, err := s.Answer(ctx, auth.From(ctx).UserID, in.School, in.Body.Answers)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[Answered]]{Body: httpapi.Data[Answered]{Data: a}}, nil
}
