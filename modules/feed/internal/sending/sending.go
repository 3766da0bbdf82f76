// Package sending sends webhooks. Dispatch turns events of the log of changes into messages, one endpoint after the other, from the
// position of each. The sender posts messages that are due, repeats failed ones by a schedule, and disables endpoints that fail for
// days. Both run in every worker; rows are locked, so that no message is claimed twice.
package sending

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/modules/feed/internal/signing"
	"gpatlas/platform/changes"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/outbound"
	"gpatlas/platform/startstop"
)

const (
	// Available is the kind of the notice that there are events; the receiver asks GET /v1/changes for them.
	Available = "changes.available"
	// Test is the kind of messages that an account sends itself.
	Test = "webhook.test"
	// Match is the kind of the news of a saved search. Package alert queues its messages, with their bodies.
	Match = "search_match"
	// BodyMax is the longest body, in bytes.
	BodyMax = 20_000
)

// Feed makes the events of entries of the log.
type Feed interface {
	Events(ctx context.Context, entries []changes.Event) ([]changefeed.Event, error)
}

// Deps are what a sender needs.
type Deps struct {
	DB    *database.DB
	Hub   *changes.Hub
	Feed  Feed
	Out   *outbound.Client
	Vault signing.Vault
	Queue *jobs.Enqueuer
	Clock clock.Clock
	Log   *slog.Logger
	// Most is how many active endpoints an account may have, by plan; nil: all plans are open.
	Most map[string]int
}

// Service sends webhooks. It is a module.Background for workers.
type Service struct {
	Deps
	store *store
	slots slots
	work  []*startstop.Work

	dispatching, sending chan struct{} // wake the two loops; they have room for one
	results              chan result
}

// New makes a service; nothing is sent before Start.
func New(d Deps) *Service {
	s := &Service{
		Deps: d, store: &store{d.DB}, dispatching: make(chan struct{}, 1), sending: make(chan struct{}, 1), results: make(chan result, slotsAll),
	}
	s.work = []*startstop.Work{
		startstop.New("the listener for webhooks", s.listen),
		startstop.New("the dispatcher of webhooks", s.dispatchAlways),
		startstop.New("the sender of webhooks", s.sendAlways),
	}
	return s
}

// Start begins to send.
func (s *Service) Start(ctx context.Context) {
	s.Out.Announce(ctx, s.Log)
	for _, w := range s.work {
		w.Start(ctx)
	}
}

// Stop ends the work. Requests that were sent are waited for.
func (s *Service) Stop(ctx context.Context) (err error) {
	for _, w := range s.work {
		if fault := w.Stop(ctx); err == nil {
			err = fault
		}
	}
	return err
}

// pollEvery is how often the loops look for work that starts at a time or in another process: retries, endpoints that were enabled.
const pollEvery = time.Second

// listen wakes the dispatcher when events were appended. While the hub does not hear of them, the dispatcher looks every second.
func (s *Service) listen(ctx context.Context) {
	for ctx.Err() == nil && !s.Hub.Released() {
		head, ok := s.Hub.Head()
		if !ok {
			_ = clock.Sleep(ctx, pollEvery) // the loop checks ctx
			continue
		}
		page, err := s.Hub.Wait(ctx, head.At(head.Newest), 1, changes.Filter{})
		if err != nil {
			_ = clock.Sleep(ctx, pollEvery)
		}
		if len(page.Events) > 0 {
			wake(s.dispatching)
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is awake
	}
}

// Body is what is posted.
type Body struct {
	Type      string    `json:"type" doc:"What has happened: a kind of GET /v1/changes/kinds, changes.available, search_match or webhook.test." example:"aum_change"`
	Timestamp time.Time `json:"timestamp" doc:"When the event was written to the log (UTC)." example:"2026-11-14T06:00:14.250000Z"`
	Data      any       `json:"data" doc:"The event, as GET /v1/changes has it."`
}

// Notice is the data of changes.available.
type Notice struct {
	From  string `json:"from" doc:"Cursor before the first of the events. Send it as cursor to GET /v1/changes." example:"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"`
	To    string `json:"to" doc:"Cursor after the last of them." example:"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAACor"`
	Count int64  `json:"count" doc:"Events between the two cursors that the endpoint selects." example:"15210"`
}

// SchemaName is its name in the OpenAPI document.
func (Notice) SchemaName() string { return "ChangesAvailable" }

// Matches is the data of search_match.
type Matches struct {
	SearchID   string      `json:"search_id" format:"uuid" doc:"ID of the saved search." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	SearchName string      `json:"search_name" doc:"Name of the saved search." example:"Large buyout firms in Boston"`
	KnownAt    time.Time   `json:"known_at" doc:"The state after the news can be asked for with this known_at (UTC)." example:"2026-11-14T06:00:14.250000Z"`
	Count      int64       `json:"count" doc:"News of the search in this load." example:"3"`
	Truncated  bool        `json:"truncated" doc:"True if the load changed more than 1,000 GPs of the search: the others are not listed anywhere." example:"false"`
	Matches    []MatchedGP `json:"matches" doc:"The first 20 news."`
	News       string      `json:"news" doc:"The path that lists all of them." example:"/v1/me/searches/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60/news?cursor=nws_MTEgOTk5OTk5OTk5OQ"`
}

// SchemaName is its name in the OpenAPI document.
func (Matches) SchemaName() string { return "SearchMatches" }

// MatchedGP is one of the news.
type MatchedGP struct {
	CRD           string   `json:"crd" doc:"CRD number of the GP." example:"900001"`
	GPName        string   `json:"gp_name" doc:"Legal name of the GP." example:"Harbor Ridge Capital Partners LLC"`
	What          string   `json:"what" enum:"entered,left,changed" doc:"What has happened." example:"entered"`
	ChangedFields []string `json:"changed_fields" doc:"With changed: the fields of the GP that have other values. Otherwise empty." example:"[]"`
}

// SchemaName is its name in the OpenAPI document.
func (MatchedGP) SchemaName() string { return "SearchMatch" }

// compose makes the bodies of messages, by message. Those whose events are no longer in the log have none.
func (s *Service) compose(ctx context.Context, list []message) (map[string][]byte, error) {
	bodies := map[string][]byte{}
	entries, err := s.store.events(ctx, list)
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, 0, len(entries))
	ordered := make([]changes.Event, 0, len(entries))
	for n, e := range entries {
		numbers, ordered = append(numbers, n), append(ordered, e)
	}
	events, err := s.Feed.Events(ctx, ordered)
	if err != nil {
		return nil, err
	}
	encoded := map[int64][]byte{}
	for i := range events {
		if encoded[numbers[i]], err = httpapi.Marshal(Body{events[i].Kind, events[i].At, events[i]}); err != nil {
			return nil, err
		}
	}
	var head changes.Head
	for i := range list {
		m := &list[i]
		if m.Body != nil {
			bodies[m.key()] = []byte(*m.Body)
			continue
		}
		body, found := encoded[m.SeqHigh]
		if m.Kind != Available && (!found || len(body) <= BodyMax) {
			if found {
				bodies[m.key()] = body
			}
			continue
		}
		if head.Epoch == [16]byte{} { // an event that is too long is announced instead
			if head, err = changes.HeadOf(ctx, s.DB); err != nil {
				return nil, err
			}
		}
		at := s.Clock.Now()
		if m.CreatedAt != nil {
			at = *m.CreatedAt
		}
		notice := Notice{head.At(m.SeqLow).String(), head.At(m.SeqHigh).String(), m.Events}
		if bodies[m.key()], err = httpapi.Marshal(Body{Available, at, notice}); err != nil {
			return nil, err
		}
	}
	return bodies, nil
}

func (m *message) key() string { return m.EndpointID + m.ID }

// plans is the numbers of endpoints by plan, for a statement.
func (s *Service) plans() string {
	encoded, _ := json.Marshal(s.Most) // a map of numbers cannot fail
	return string(encoded)
}
