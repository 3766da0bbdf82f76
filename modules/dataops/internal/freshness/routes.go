package freshness

import (
	"context"
	"net/http"
	"strings"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/plaintext"
)

type (
	summaryBody = httpapi.Data[Summary]
	staleBody   = httpapi.DataMeta[[]StaleEntity, StaleMeta]
	queueBody   = httpapi.DataMeta[[]Entry, QueueMeta]
	entryBody   = httpapi.Data[Entry]
	startBody   = httpapi.Data[Started]
)

// QueueMeta counts what is in the queue.
type QueueMeta struct {
	Limit  int    `json:"limit" doc:"Maximum number of entries in this response." example:"50"`
	Counts Counts `json:"counts" doc:"Entries in all, by status."`
}

// SchemaName is its name in the OpenAPI document.
func (QueueMeta) SchemaName() string { return "FreshnessQueueMeta" }

// Started is a run over the queue that was started.
type Started struct {
	Queued int64 `json:"queued" doc:"Entries that wait." example:"1"`
	Limit  int   `json:"limit" doc:"Entries that this run takes at most." example:"100"`
}

// SchemaName is its name in the OpenAPI document.
func (Started) SchemaName() string { return "FreshnessRun" }

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{&row{}}, Jobs: s.jobs(),
		Schedules: []jobs.Schedule{{Type: WatchJob, Cron: "35 * * * *", Bucket: jobs.Hourly}},
	}
}

// Routes are the operations on freshness.
func Routes(s *Service) []httpapi.Route {
	const path = "/v1/admin/dataops/freshness"
	reads := httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(path, "get-freshness", s.summary, httpapi.Summary("Summarize how old the data is"),
			httpapi.Describe("Counts GPs, people and job boards by age, the configured sources by state, and what waits to be refreshed."), reads),
		httpapi.Get(path+"/stale", "list-stale-managers", s.stale, httpapi.Summary("List stale GPs, people or job boards"),
			httpapi.Describe("The oldest first. A GP is stale if its newest filing of any kind is older than 15 months: an annual amendment is due 90 days "+
				"after the end of the fiscal year. A GP that has withdrawn or is no longer listed is not among them. A person is stale if none of "+
				"the person's GPs was enriched within `DATAOPS_PERSON_STALE_AFTER` (180 days); people whose GPs were never enriched are not among them. "+
				"A job board is stale if it was not read within `DATAOPS_BOARD_STALE_AFTER` (7 days)."), reads),
		httpapi.Get(path+"/queue", "list-freshness-queue", s.list, httpapi.Summary("List the freshness queue"),
			httpapi.Describe("Entries that wait or are in progress come first, in the order in which they are taken; then the others, the newest first."), reads),
		httpapi.Post(path+"/queue", "queue-freshness-entity", s.enqueue, httpapi.Success(http.StatusCreated), httpapi.Summary("Queue an entity to be refreshed"),
			httpapi.Describe("An entity that waits already keeps its entry, which gets the higher priority and is returned with status 200. The entity must exist. "+
				"The queue is processed every hour, and by "+
				"`POST /v1/admin/dataops/freshness/queue/process`. A GP or person has its people read again from the filings, an LP its investments "+
				"matched to their managers again, a source is extracted. A job board cannot be queued: a worker reads each board once a day."),
			httpapi.Answers(http.StatusOK, "The entity waits already."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable), httpapi.Refuses(errRefreshed)),
		httpapi.Post(path+"/queue/process", "process-freshness-queue", s.process, httpapi.Success(http.StatusAccepted), httpapi.Summary("Process the freshness queue"),
			httpapi.Describe("A worker refreshes the entries of the highest priority in the background."), reads),
	}, httpapi.Tag("Data operations"), httpapi.Grant(httpapi.Admin), httpapi.Volatile())
}

// ListInput selects entries.
type ListInput struct {
	Status httpapi.Opt[string] `query:"status" enum:"queued,running,done,failed" example:"queued" doc:"Only entries of this status."`
	Limit  httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"200" example:"50" doc:"Entries to return, 1 to 200 (default 50)."`
}

// EnqueueInput is the body of an entry.
type EnqueueInput struct {
	Body struct {
		// Spec: the body is not shown.
		EntityType string `json:"entity_type" enum:"gp,person,lp,source,board" doc:"Type of the entity. board is rejected with the reason." example:"gp"`
		EntityID   string `json:"entity_id" minLength:"1" maxLength:"40" doc:"CRD number, person UID, LP ID or name of a source." example:"998243"`
		Reason     string `json:"reason" minLength:"1" maxLength:"500" doc:"Why it is to be refreshed." example:"A customer reports an old team"`
		Priority   *int64 `json:"priority,omitempty" minimum:"0" maximum:"100" default:"50" doc:"The higher, the sooner." example:"50"`
	}
}

// ProcessInput is how many entries to take.
type ProcessInput struct {
	Limit httpapi.Opt[int] `query:"limit" minimum:"1" maximum:"1000" example:"100" doc:"Entries to take at most, 1 to 1,000 (default 100)."`
}

const (
	defaultQueue    = 50
	defaultProcess  = 100
	defaultPriority = 50
)

func (s *Service) summary(ctx context.Context, _ *struct{}) (*httpapi.Reply[summaryBody], error) {
	sum, err := s.Summary(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[summaryBody]{Body: summaryBody{Data: sum}}, nil
}

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[queueBody], error) {
	limit := in.Limit.Or(defaultQueue)
	list, err := s.store.entries(ctx, which{status: in.Status.Or(""), limit: limit})
	if err != nil {
		return nil, err
	}
	counts, err := s.Queue(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[queueBody]{Body: queueBody{Data: list, Meta: QueueMeta{limit, counts}}}, nil
}

func (s *Service) enqueue(ctx context.Context, in *EnqueueInput) (*httpapi.Reply[entryBody], error) {
	e := Entry{
		EntityType: in.Body.EntityType, EntityID: in.Body.EntityID, Reason: strings.TrimSpace(in.Body.Reason), Priority: defaultPriority,
		RequestedBy: auth.From(ctx).UserID,
	}
	if message := plaintext.LineFault(e.Reason); message != "" {
		return nil, apperr.Invalid(apperr.FieldError{Field: "reason", Message: message})
	}
	if in.Body.Priority != nil {
		e.Priority = *in.Body.Priority
	}
	entry, added, err := s.Enqueue(ctx, e)
	if err != nil {
		return nil, err
	}
	reply := &httpapi.Reply[entryBody]{Body: entryBody{Data: *entry}}
	if !added {
		reply.Status = http.StatusOK
	}
	return reply, nil
}

func (s *Service) process(ctx context.Context, in *ProcessInput) (*httpapi.Reply[startBody], error) {
	limit := in.Limit.Or(defaultProcess)
	waiting, err := s.Start(ctx, limit)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[startBody]{Body: startBody{Data: Started{waiting, limit}}}, nil
}
