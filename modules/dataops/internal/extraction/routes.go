package extraction

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

type (
	listBody   = httpapi.DataMeta[[]Extraction, Meta]
	oneBody    = httpapi.Data[Extraction]
	detailBody = httpapi.Data[Detail]
)

// Meta counts the extractions.
type Meta struct {
	Total int `json:"total" doc:"Extractions in all." example:"1"`
	Limit int `json:"limit" doc:"Maximum number of extractions in this response." example:"20"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "ExtractionMeta" }

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{&row{}},
		Jobs: []jobs.Handler{{Type: SweepJob, Queue: jobs.Low, Timeout: sweepTimeout, Run: func(ctx context.Context, _ []byte) error {
			_, err := s.store.Recover(ctx, s.clock.Now())
			return err
		}}},
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "*/10 * * * *", Bucket: jobs.Minutely}},
	}
}

// Routes are the operations on extractions.
func Routes(s *Service) []httpapi.Route {
	const path = "/v1/admin/dataops/extractions"
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(path, "list-extractions", s.list, httpapi.Summary("List extractions"),
			httpapi.Describe("An extraction fetches what is new from a configured source and loads it. The newest first. The schedule, "+
				"`gpatlas ingest --source` and operators begin them."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
		httpapi.Post(path, "trigger-extraction", s.trigger, httpapi.Success(http.StatusAccepted), httpapi.Summary("Trigger an extraction"),
			httpapi.Describe("A worker carries it out in the background; ask for it by its `run_id`. One extraction of a source is queued or "+
				"running at a time: another one returns 409, and the detail names the active one."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable), httpapi.Refuses(errActive(212, "adv-monthly"))),
		httpapi.Get(path+"/{run_id}", "get-extraction", s.get, httpapi.Summary("Get an extraction"),
			httpapi.Describe("With the documents that it ingested, 1,000 at most, and the first rows that could not be used. An extraction whose process was killed is `failed` within ten minutes."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable)),
		// Spec: not shown; operators look for rows by their reason, whatever document they are of.
		httpapi.Get("/v1/admin/dataops/quarantine", "list-quarantined-rows", s.quarantined, httpapi.Summary("List rows that could not be used"),
			httpapi.Describe("Rows of the documents of the last days, those of the newest document first. `meta.reasons` counts the rows by reason, the most frequent first, 50 reasons at most."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Data operations"), httpapi.Grant(httpapi.Admin), httpapi.Volatile())
}

// ListInput selects extractions.
type ListInput struct {
	Source httpapi.Opt[string] `query:"source" maxLength:"40" example:"adv-monthly" doc:"Only those of this source."`
	Limit  httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"100" example:"20" doc:"Extractions to return, 1 to 100 (default 20)."`
}

// TriggerInput is the body of a trigger.
type TriggerInput struct {
	Body struct {
		// Spec: the body is not shown; a source is named as the list of sources names it.
		Source string   `json:"source" minLength:"1" maxLength:"40" doc:"Name of the configured source." example:"adv-monthly"`
		Accept []string `json:"accept,omitempty" maxItems:"7" doc:"Checks of the quality gate to let pass for this extraction: universe_shrunk, keys_doubled, column_lost, table_lost, rows_unusable, rows_lost, values_changed." example:"[\"universe_shrunk\"]"`
	}
}

// Path names an extraction.
type Path struct {
	RunID int64 `path:"run_id" minimum:"1" doc:"ID of the extraction." example:"12"`

	QuarantineLimit httpapi.Opt[int] `query:"quarantine_limit" minimum:"0" maximum:"1000" example:"100" doc:"Quarantined rows to return, 0 to 1,000 (default 100)."`
}

const (
	defaultLimit      = 20
	defaultQuarantine = 100
)

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	name, limit := in.Source.Or(""), in.Limit.Or(defaultLimit)
	if in.Source.Set && !slices.Contains(s.names(), name) {
		return nil, apperr.Invalid(apperr.FieldError{Field: "source", Message: "is not a configured source; the sources are " + strings.Join(s.names(), ", ")})
	}
	list, err := s.store.List(ctx, name, 0, limit)
	if err != nil {
		return nil, err
	}
	total, err := s.store.count(ctx, name)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: list, Meta: Meta{total, limit}}}, nil
}

func (s *Service) trigger(ctx context.Context, in *TriggerInput) (*httpapi.Reply[oneBody], error) {
	e, err := s.Trigger(ctx, in.Body.Source, ByOperator, in.Body.Accept, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *e}}, nil
}

func (s *Service) get(ctx context.Context, in *Path) (*httpapi.Reply[detailBody], error) {
	e, err := s.Find(ctx, in.RunID)
	if err != nil {
		return nil, err
	}
	runs, err := s.store.documents(ctx, in.RunID)
	if err != nil {
		return nil, err
	}
	rows, err := s.runs.Quarantined(ctx, run.Which{Extraction: in.RunID, Limit: in.QuarantineLimit.Or(defaultQuarantine)})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[detailBody]{Body: detailBody{Data: Detail{*e, runs, rows}}}, nil
}
