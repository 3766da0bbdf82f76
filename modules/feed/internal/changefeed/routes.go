package changefeed

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/changes"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// SweepJob deletes events that are older than CHANGES_KEEP.
const SweepJob = "feed.sweep_changes"

// Service answers the feed.
type Service struct {
	db      *database.DB
	store   *store
	hub     *changes.Hub
	clock   clock.Clock
	keep    time.Duration
	waiting waiting
}

// NewService works on db; hub has the newest events. keep is how long events stay in the log; 0: for ever.
func NewService(db *database.DB, hub *changes.Hub, clk clock.Clock, keep time.Duration) *Service {
	return &Service{db: db, store: &store{db: db}, hub: hub, clock: clk, keep: keep}
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Background: []module.Background{s.hub}, Release: []func(){s.hub.Release},
		Jobs:      []jobs.Handler{{Type: SweepJob, Queue: jobs.Low, Retries: 3, Run: jobs.Plain(s.sweep)}},
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "40 3 * * *", Bucket: func(t time.Time) string { return t.UTC().Format(time.DateOnly) }}},
	}
}

func (s *Service) sweep(ctx context.Context) (struct{}, error) {
	if s.keep == 0 {
		return struct{}{}, nil
	}
	return struct{}{}, changes.Sweep(ctx, s.db, s.clock.Now().Add(-s.keep))
}

// Meta describes a page of the feed.
type Meta struct {
	NextCursor string     `json:"next_cursor" doc:"Send it as cursor to continue. It is behind all events that were looked at, so it moves on even if no event is listed." example:"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"`
	HasMore    bool       `json:"has_more" doc:"True if more events may be there already. A page with few events, or none, can have more." example:"false"`
	NewestAt   *time.Time `json:"newest_at" doc:"When the newest event of the log was written (UTC). Null: the log is empty." example:"2026-11-14T06:00:14.250000Z"`
	OldestAt   *time.Time `json:"oldest_at" doc:"When the oldest event of the log was written (UTC)." example:"2026-01-14T06:00:14.250000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "ChangeLogMeta" }

type body = httpapi.DataMeta[[]Event, Meta]

// errExpired is the refusal of a cursor whose next events are no longer there.
var errExpired = &apperr.Error{Kind: apperr.KindGone, Code: "cursor_expired", Message: "The cursor has expired: events after it are no longer in the log. Read what you need again, then continue from a new cursor"}

// Routes are the operations of the feed.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/changes", "list-changes", s.list, httpapi.Summary("Follow what changes"), httpapi.Describe(text),
			httpapi.Volatile(), httpapi.BeyondDay(), httpapi.Produces("application/json", eventStream), httpapi.Examples(nil, streamExample),
			httpapi.Errors(http.StatusUnauthorized, http.StatusNotFound, http.StatusServiceUnavailable), httpapi.Refuses(errExpired)),
		httpapi.Get("/v1/changes/kinds", "list-kinds-of-changes", listKinds, httpapi.Summary("List the kinds of changes"),
			httpapi.Describe("Each kind of event of GET /v1/changes: what it means, the fields that it can name, an example and a JSON Schema.")),
	}, httpapi.Tag("Changes"))
}

const streamExample = "id: cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor\nevent: aum_change\ndata: {\"id\":\"chg_0000000000001a2b\",\"kind\":\"aum_change\"}\n\n"

const text = `One log of everything that changes in the catalog, the oldest event first, in the order in which changes became visible. Who follows ` + "`next_cursor`" + ` gets each event once and misses none.

To keep a copy: note a cursor, read what you need, then apply the events after the cursor. An event exists only where a listed field has changed; ` + "`changed`" + ` has the values before and after. To be told at once, send ` + "`wait`" + `: the response comes with the first event, or empty after that time. Or ask for ` + "`text/event-stream`" + `.

A cursor is 410 with code ` + "`cursor_expired`" + ` if events after it were deleted, or if the log was restored from a backup; ` + "`oldest_cursor`" + ` is the oldest that can be used. Requests do not count against the daily limit. At most 5 requests of an account can wait at the same time.

Events name no people. They are free.`

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[body], error) {
	q, err := s.question(ctx, in)
	if err != nil {
		return nil, err
	}
	from, head, err := s.begin(ctx, q)
	if err != nil {
		return nil, err
	}
	if head.Expired(from) {
		return expired(head)
	}
	leave := func() {}
	if in.Wait > 0 || q.stream {
		if leave, err = s.waiting.enter(auth.From(ctx).UserID); err != nil {
			return nil, err
		}
	}
	if q.stream {
		return s.stream(ctx, q, from, in.Limit, leave), nil
	}
	defer leave()
	var page changes.Page
	if in.Wait > 0 {
		patience, cancel := context.WithTimeout(ctx, time.Duration(in.Wait)*time.Second)
		defer cancel()
		if page, err = s.hub.Wait(patience, from, in.Limit, q.filter); err != nil && patience.Err() != nil && ctx.Err() == nil {
			page, err = changes.Page{Head: head, Next: from.Seq}, nil // the time is over
		}
	} else {
		page, err = s.hub.After(ctx, from.Seq, in.Limit, q.filter)
	}
	if err != nil {
		return nil, err
	}
	if page.Head.Expired(from) {
		return expired(page.Head)
	}
	events, err := s.events(ctx, page)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Body: body{Data: events, Meta: Meta{
		NextCursor: page.Head.At(page.Next).String(), HasMore: page.More, NewestAt: clock.UTC(page.Head.NewestAt), OldestAt: clock.UTC(page.Head.OldestAt),
	}}}, nil
}

// begin returns the cursor where a request begins, and the state of the log.
func (s *Service) begin(ctx context.Context, q question) (changes.Cursor, changes.Head, error) {
	head, ok := s.hub.Head()
	if !ok || q.oldest || q.since != nil {
		var err error
		if head, err = changes.HeadOf(ctx, s.db); err != nil {
			return changes.Cursor{}, head, err
		}
	}
	switch {
	case q.cursor != nil:
		return *q.cursor, head, nil
	case q.oldest:
		return head.Oldest(), head, nil
	case q.since != nil:
		seq, err := changes.Since(ctx, s.db, *q.since)
		if head.Swept > 0 && head.OldestAt != nil && q.since.Before(*head.OldestAt) {
			seq = 0 // events since then were deleted
		}
		return head.At(seq), head, err
	}
	return head.At(head.Newest), head, nil
}

// events makes the events of a page.
func (s *Service) events(ctx context.Context, page changes.Page) ([]Event, error) {
	arrivals := make([]int64, 0, len(page.Events))
	for i := range page.Events {
		if a := page.Events[i].Arrival; i == 0 || a != page.Events[i-1].Arrival {
			arrivals = append(arrivals, a)
		}
	}
	known, err := s.store.instants(ctx, arrivals)
	if err != nil {
		return nil, err
	}
	out := make([]Event, 0, len(page.Events))
	for i := range page.Events {
		e := &page.Events[i]
		at, ok := known[e.Arrival]
		if !ok {
			at = e.At
		}
		one, err := event(e, at)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// expired answers 410, with the oldest cursor that can be used.
func expired(head changes.Head) (*httpapi.Reply[body], error) {
	problem := httpapi.NewProblem(errExpired)
	problem.OldestCursor = head.Oldest().String()
	raw, err := json.Marshal(problem)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Status: http.StatusGone, Raw: raw}, nil
}
