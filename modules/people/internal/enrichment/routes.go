package enrichment

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{profileRow{}, jobRow{}, askerRow{}, firmRow{}}, Jobs: Handlers(s), Schedules: Schedules(),
		Exporters: []module.Exporter{module.Export("enrichments", s.store.askedBy)}, Purged: []module.AccountListener{s.store.forgetAccount},
	}
}

// Routes are the operations of enrichment.
func Routes(s *Service) []httpapi.Route {
	login := []httpapi.Option{httpapi.Tag("People"), httpapi.Grant(httpapi.Login), httpapi.KeyToo(), httpapi.Volatile()}
	routes := httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/gps/{crd}/enrich", "enrich-gp", s.handleEnrich,
			httpapi.Summary("Enrich the people of a fund manager"), httpapi.Describe(enrichText),
			httpapi.Answers(http.StatusAccepted, "The enrichment is in progress: `async_mode` was true, or it took longer than a request waits."),
			// Spec: not shown; providers bill each enrichment to the operator.
			httpapi.Confirmed(),
			httpapi.Errors(http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests), httpapi.Refuses(unread.ErrFirm)),
		httpapi.Get("/v1/gps/{crd}/enrich/status/{job_id}", "get-enrichment", s.handleStatus,
			httpapi.Summary("Get an enrichment"), httpapi.Describe(statusText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusNotFound, http.StatusServiceUnavailable)),
	}, login...)
	return append(routes, httpapi.Get("/v1/gps/{crd}/enrichment-info", "get-enrichment-info", s.handleInfo,
		httpapi.Tag("People"), httpapi.Summary("Get what is known about the people of a fund manager"), httpapi.Describe(infoText), httpapi.Volatile(),
		httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)))
}

const enrichText = `Finds out more about the team and the alumni of the manager than its last filing says: employment from all filings, and education, location and business contacts from the providers that the operator of this service has configured. Free. The response has no names, only counts. Afterward, the people can be found by search, and have profiles.

With ` + "`async_mode`" + ` false, the response is sent when the enrichment has ended, or as 202 after 60 seconds. With ` + "`async_mode`" + ` true, it is 202 at once. Poll the enrichment by its ` + "`job_id`" + `. A manager has one enrichment at a time: whoever asks meanwhile gets the same ` + "`job_id`" + `. A result is returned again for 24 hours, with ` + "`cached`" + ` true, and for 15 minutes if a provider failed. An account can start 20 enrichments a day (UTC). It needs a confirmed email address.

With a test key, nothing is started, and the result is invented.`

const statusText = `Returns an enrichment that the account has asked for. Those of other accounts are not found. They are kept for 90 days.`

const infoText = `Shows what is known about the people of the manager, from which sources, and when the last enrichment ended, without names. Starts nothing.`

// EnrichInput requests an enrichment.
type EnrichInput struct {
	catalogapi.GPPath
	Body struct {
		AsyncMode *bool `json:"async_mode,omitempty" doc:"Whether to respond at once, with status 202, rather than when the enrichment has ended (default false)." example:"false"`
	}
}

// Job is an enrichment.
type Job struct {
	JobID  string `json:"job_id" doc:"ID of the enrichment." example:"7b0c5d2e-6a41-4f0e-9a37-1c2d3e4f5a6b"`
	CRD    string `json:"crd" doc:"CRD number of the manager." example:"900001"`
	State  string `json:"state" enum:"queued,running,completed,failed" doc:"queued: it has not begun. running: providers are being asked. completed, failed: it has ended." example:"completed"`
	Cached bool   `json:"cached" doc:"Whether this is the result of an earlier request." example:"false"`
	// Spec: not shown.
	Error      *string    `json:"error" nullable:"true" enum:"interrupted,not_started,timed_out,internal" doc:"Why the enrichment failed; null unless it has failed."`
	CreatedAt  time.Time  `json:"created_at" doc:"When the enrichment was requested." example:"2026-11-20T09:30:00.000000Z"`
	StartedAt  *time.Time `json:"started_at" nullable:"true" doc:"When it began. Null: it has not." example:"2026-11-20T09:30:01.000000Z"`
	FinishedAt *time.Time `json:"finished_at" nullable:"true" doc:"When it ended. Null: it has not." example:"2026-11-20T09:30:04.000000Z"`
	Result     *Outcome   `json:"result,omitempty" doc:"Counts. Absent unless the enrichment has completed."`
}

// SchemaName is its name in the OpenAPI document.
func (Job) SchemaName() string { return "Enrichment" }

type jobBody = httpapi.Data[Job]

func (s *Service) handleEnrich(ctx context.Context, in *EnrichInput) (*httpapi.Reply[jobBody], error) {
	caller, async := auth.From(ctx), in.Body.AsyncMode != nil && *in.Body.AsyncMode
	if caller.Mode == auth.ModeTest {
		job, err := s.invented(ctx, in.CRD, caller.UserID)
		return reply(job, async), err
	}
	row, cached, err := s.Start(ctx, caller.UserID, in.CRD)
	if err != nil {
		return nil, err
	}
	if !async {
		if row, err = s.wait(ctx, row, caller.UserID); err != nil {
			return nil, err
		}
		if row.State == failed {
			return nil, apperr.Unavailable("Enrichment %s failed; try again", row.ID)
		}
	}
	job, err := shown(row, cached)
	return reply(job, async || job.State != completed), err
}

// reply answers 200 with an enrichment that has ended, and 202 with one that has not or if async_mode is set.
//
// Spec: not shown what a cached result is with async_mode true; 202 like every other, for callers that poll.
func reply(job Job, accepted bool) *httpapi.Reply[jobBody] {
	r := &httpapi.Reply[jobBody]{Body: jobBody{Data: job}}
	if accepted {
		r.Status = http.StatusAccepted
	}
	return r
}

// shown is a job as its caller sees it.
func shown(row *jobRow, cached bool) (Job, error) {
	j := Job{JobID: row.ID, CRD: row.CRD, State: row.State, Cached: cached, Error: row.Error, CreatedAt: row.CreatedAt.UTC(), StartedAt: clock.UTC(row.StartedAt), FinishedAt: clock.UTC(row.FinishedAt)}
	if row.State != completed {
		return j, nil
	}
	j.Result = &Outcome{}
	if err := json.Unmarshal(row.Outcome, j.Result); err != nil {
		return Job{}, fmt.Errorf("read the outcome of an enrichment: %w", err)
	}
	return j, nil
}

// inventedSpace is the name space of the IDs of test keys' enrichments.
var inventedSpace = uuid.MustParse("5b9d9d0e-3a52-4c55-8d0b-2f0a4c1d7e61")

// invented is the enrichment that a test key sees: no work is done. It is the same on every call of a day. It has no counts where real ones
// are unknown.
func (s *Service) invented(ctx context.Context, crd string, userID int64) (Job, error) {
	about, err := s.about(ctx, crd)
	if err != nil {
		return Job{}, err
	}
	sum := sha256.Sum256([]byte("invented enrichment|" + crd))
	n := 3 + int(sum[0])%10
	at := clock.Today(s.clock)
	job := Job{
		JobID: uuid.NewSHA1(inventedSpace, fmt.Appendf(nil, "%d %s", userID, crd)).String(), CRD: crd, State: completed,
		CreatedAt: at, StartedAt: &at, FinishedAt: &at,
		Result: &Outcome{
			People: &n, LeftOut: new(0), Fields: &FieldCounts{Experience: n, Education: n - 1, Email: n - 2, Location: n - 1, NetworkURL: n - 1},
			Providers: []ProviderOutcome{{Name: SourceFilings, Asked: n, Found: n}, {Name: invented.Source, Asked: n, Found: n - 1, NoMatch: 1}},
		},
	}
	if about.Unfiled {
		job.Result = new(unfiled())
	}
	return job, nil
}

// StatusInput selects an enrichment.
type StatusInput struct {
	catalogapi.GPPath
	JobID string `path:"job_id" maxLength:"64" example:"7b0c5d2e-6a41-4f0e-9a37-1c2d3e4f5a6b" doc:"ID of the enrichment."`
}

func (s *Service) handleStatus(ctx context.Context, in *StatusInput) (*httpapi.Reply[jobBody], error) {
	caller := auth.From(ctx)
	if caller.Mode == auth.ModeTest {
		job, err := s.invented(ctx, in.CRD, caller.UserID)
		if err == nil && job.JobID != in.JobID {
			err = noJob(in.JobID, in.CRD)
		}
		return reply(job, false), err
	}
	row, err := s.Job(ctx, in.JobID, in.CRD, caller.UserID)
	if err != nil {
		return nil, err
	}
	job, err := shown(row, false)
	return reply(job, false), err
}

// Info summarizes what is known about the people of an adviser.
type Info struct {
	CRD        string     `json:"crd" doc:"CRD number of the manager." example:"900001"`
	Enriched   bool       `json:"enriched" doc:"Whether an enrichment of the manager has completed." example:"true"`
	EnrichedAt *time.Time `json:"enriched_at" nullable:"true" doc:"When the last one completed; null if none has." example:"2026-11-20T09:30:04.000000Z"`
	State      string     `json:"state" enum:"none,queued,running,completed,failed" doc:"State of the newest enrichment." example:"completed"`
	People     *int64     `json:"people" nullable:"true" doc:"People of the team and alumni, as filings name them. Null if unknown: see reason." example:"9"`
	Reason     *string    `json:"reason" nullable:"true" doc:"Why the number of people is null: filings were loaded a short time ago and their people are not read yet, or no filing that could name people was loaded. Null if there is a number."`
	// Spec: not shown; what is known of people by enrichments of other managers is left out, because it would show that they work for both.
	Known     []Known  `json:"known" doc:"What providers have said about them in enrichments of this manager, by field and provider. Empty until the manager is enriched. Employment and titles from filings are known of all."`
	Providers []Source `json:"providers" doc:"Whom an enrichment asks, in this order."`
}

// SchemaName is its name in the OpenAPI document.
func (Info) SchemaName() string { return "EnrichmentInfo" }

// Known counts the people who have a field from a provider.
type Known struct {
	Field         string    `json:"field" doc:"What is known, such as education or location." example:"education"`
	Source        string    `json:"source" doc:"Name of the provider." example:"pdl"`
	People        int64     `json:"people" doc:"People of the team for whom it is known." example:"6"`
	LastFetchedAt time.Time `json:"last_fetched_at" db:"-" doc:"When the last enrichment of the manager completed." example:"2026-11-20T09:30:04.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Known) SchemaName() string { return "EnrichmentKnown" }

// Source is a provider that an enrichment asks.
type Source struct {
	Name   string   `json:"name" doc:"filings, or the name of a provider." example:"filings"`
	Fields []string `json:"fields" doc:"What it may know." example:"[\"experience\"]"`
}

// SchemaName is its name in the OpenAPI document.
func (Source) SchemaName() string { return "EnrichmentSource" }

// about returns what is known about the enrichments of an adviser.
func (s *Service) about(ctx context.Context, crd string) (*info, error) {
	about, err := s.store.info(ctx, crd)
	if err == nil && about == nil {
		err = apperr.NotFound(catalogapi.NoGP, crd)
	}
	return about, err
}

func (s *Service) handleInfo(ctx context.Context, in *catalogapi.GPPath) (*httpapi.Reply[httpapi.Data[Info]], error) {
	about, err := s.about(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	people, why := &about.People, (*string)(nil)
	if yet, err := s.unread.Firm(ctx, in.CRD); err != nil {
		return nil, err
	} else if yet {
		people, why = nil, new(unread.Reason)
	} else if about.Unfiled {
		people, why = nil, new(unread.Unfiled)
	}
	known := []Known{}
	if about.EnrichedAt != nil {
		if known, err = s.store.known(ctx, in.CRD, s.clock.Now().Add(-keepProfiles)); err != nil {
			return nil, err
		}
	}
	for i := range known {
		known[i].LastFetchedAt = about.EnrichedAt.UTC()
	}
	sources := []Source{{SourceFilings, []string{"experience"}}}
	for _, p := range s.settings.Providers {
		sources = append(sources, Source{p.Name(), p.Gives()})
	}
	return &httpapi.Reply[httpapi.Data[Info]]{Body: httpapi.Data[Info]{Data: Info{
		CRD: in.CRD, Enriched: about.EnrichedAt != nil, EnrichedAt: clock.UTC(about.EnrichedAt), State: about.State, People: people, Reason: why,
		Known: append([]Known{}, known...), Providers: sources,
	}}}, nil
}
