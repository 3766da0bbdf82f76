// Package webhook has the operations on webhook endpoints: addresses of an account that are called when something changes. Package
// sending calls them.
package webhook

import (
	"net/http"
	"time"

	"gpatlas/platform/apperr"
)

// Endpoint is an address that is called.
type Endpoint struct {
	ID           string     `json:"id" format:"uuid" doc:"ID of the endpoint." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	URL          string     `json:"url" doc:"Where messages are posted." example:"https://hooks.example.com/gpatlas"`
	Kinds        []string   `json:"kinds" doc:"Kinds of events that are sent. Empty: all." example:"[\"aum_change\",\"new_fund\"]"`
	Scope        Scope      `json:"scope" doc:"The GPs whose events are sent."`
	Mode         string     `json:"mode" enum:"each,notify" doc:"each: one message for each event. notify: a message says that there are events, at most every 5 seconds; ask GET /v1/changes for them." example:"each"`
	Headers      []string   `json:"headers" doc:"Names of the extra headers of each request. Their values are not shown." example:"[\"Authorization\"]"`
	State        string     `json:"state" enum:"active,paused,disabled" doc:"paused: by you, or because the plan allows fewer endpoints. disabled: by GP Atlas, because requests failed. PATCH with active continues where the endpoint stood." example:"active"`
	Why          *string    `json:"why" enum:"plan,gone,failing" doc:"Why it is not active. plan: the account's plan allows fewer endpoints. gone: it answered 410. failing: for 5 days, and at least 20 times. Null: active, or paused by you." example:"failing"`
	FailingSince *time.Time `json:"failing_since" doc:"The first failure since the last success (UTC)." example:"2026-11-14T06:00:14.250000Z"`
	Failures     int        `json:"failures" doc:"Failed attempts since the last success." example:"0"`
	Waiting      int64      `json:"waiting" doc:"Messages that are not delivered yet." example:"0"`
	Cursor       string     `json:"cursor" doc:"How far the endpoint has read the log of changes." example:"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"`
	CreatedAt    time.Time  `json:"created_at" doc:"When the endpoint was created (UTC)." example:"2026-11-12T09:30:00.000000Z"`
	UpdatedAt    time.Time  `json:"updated_at" doc:"When its settings or its state last changed (UTC)." example:"2026-11-12T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Endpoint) SchemaName() string { return "WebhookEndpoint" }

// Scope selects GPs. Exactly one field is set.
type Scope struct {
	All          bool     `json:"all,omitempty" doc:"All GPs." example:"true"`
	Watchlist    bool     `json:"watchlist,omitempty" doc:"The GPs on your watchlist, as it is when an event is read."`
	CRDs         []string `json:"crds,omitempty" maxItems:"200" doc:"These GPs: CRD numbers, at most 200."`
	CollectionID string   `json:"collection_id,omitempty" format:"uuid" doc:"The GPs in this collection of yours, as it is when an event is read."`
}

// SchemaName is its name in the OpenAPI document.
func (Scope) SchemaName() string { return "WebhookScope" }

// Created is a new endpoint with its secret.
type Created struct {
	Endpoint
	Secret string `json:"secret" doc:"Signs the messages. It is shown only in this response." example:"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="`
}

// SchemaName is its name in the OpenAPI document.
func (Created) SchemaName() string { return "WebhookEndpointCreated" }

// Rolled is a new secret.
type Rolled struct {
	Secret    string    `json:"secret" doc:"The new secret. It is shown only in this response." example:"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="`
	ExpiresAt time.Time `json:"previous_expires_at" doc:"Until then, messages are signed with the previous secrets too (UTC)." example:"2026-11-13T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Rolled) SchemaName() string { return "WebhookSecret" }

// Attempt is one request.
type Attempt struct {
	No     int       `json:"no" doc:"Number of the attempt." example:"1"`
	At     time.Time `json:"at" doc:"When it was made (UTC)." example:"2026-11-14T06:00:14.450000Z"`
	Status *int      `json:"status" doc:"Status of the response. Null: there was none." example:"200"`
	MS     int       `json:"ms" doc:"Milliseconds until the response." example:"48"`
	Error  *string   `json:"error" doc:"Why there was no response." example:"no response in 15s"`
	Said   *string   `json:"said" doc:"Beginning of the response: its printable characters, at most 512 bytes." example:"ok"`
}

// SchemaName is its name in the OpenAPI document.
func (Attempt) SchemaName() string { return "WebhookAttempt" }

// Message is what is sent to an endpoint about an event.
type Message struct {
	ID        string     `json:"id" doc:"ID of the message: the header webhook-id. It is the same in each attempt." example:"msg_mfrggzdfmztwq2lknnwg23tpob"`
	Kind      string     `json:"kind" doc:"Kind of the event, changes.available or search_match." example:"aum_change"`
	EventID   *string    `json:"event_id" doc:"The event. Null for changes.available and search_match." example:"chg_0000000000001a2b"`
	Events    int64      `json:"events" doc:"Events that the message is about: more than 1 only for changes.available and search_match." example:"1"`
	State     string     `json:"state" enum:"waiting,sending,done,failed" doc:"failed: no attempt is left." example:"done"`
	Attempts  int        `json:"attempts" doc:"Attempts so far." example:"1"`
	NextAt    *time.Time `json:"next_attempt_at" doc:"When the next attempt is due (UTC). Null: none is planned." example:"2026-11-14T06:05:14.450000Z"`
	CreatedAt time.Time  `json:"created_at" doc:"When the message was made (UTC)." example:"2026-11-14T06:00:14.400000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Message) SchemaName() string { return "WebhookMessage" }

// Full is a message with its attempts.
type Full struct {
	Message
	Deliveries []Attempt `json:"deliveries" doc:"Its attempts of the last 30 days, the newest first."`
}

// SchemaName is its name in the OpenAPI document.
func (Full) SchemaName() string { return "WebhookMessageDetail" }

// Tested is what came back from a test.
type Tested struct {
	Delivered bool    `json:"delivered" doc:"True if the response has a status 2xx." example:"true"`
	MessageID string  `json:"message_id" doc:"The header webhook-id of the test." example:"msg_mfrggzdfmztwq2lknnwg23tpob"`
	Status    *int    `json:"status" doc:"Status of the response. Null: there was none." example:"200"`
	MS        int64   `json:"ms" doc:"Milliseconds until the response." example:"48"`
	Error     *string `json:"error" doc:"Why there was no response." example:"no response in 15s"`
	Said      *string `json:"said" doc:"Beginning of the response: its printable characters, at most 512 bytes." example:"ok"`
}

// SchemaName is its name in the OpenAPI document.
func (Tested) SchemaName() string { return "WebhookTested" }

// EndpointsMost is how many endpoints an account may have, by plan. Without billing, every account has those of enterprise.
var EndpointsMost = map[string]int{"free": 1, "starter": 3, "pro": 10, "enterprise": 50}

// The refusals. Another account's endpoint is answered like one that does not exist.
var (
	errNoEndpoint = apperr.NotFound("Webhook endpoint not found")
	errNoMessage  = apperr.NotFound("Webhook message not found")
	errGone       = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errSecrets    = apperr.New(apperr.KindConflict, "The endpoint has %d secrets that still sign; wait until the oldest expires, or roll with expires_in 0", secretsMost)
	errInactive   = apperr.New(apperr.KindConflict, "The endpoint is not active; continue it first: PATCH it with {\"state\":\"active\"}")
	errExpired    = &apperr.Error{Kind: apperr.KindGone, Code: "cursor_expired", Message: "Events since then are no longer in the log; read what you need again, then recover from a newer cursor"}
	errBusy       = apperr.Unavailable("Too many tests are running; try again in a few seconds")
)

func errTooMany(plan string, most int) error {
	return apperr.New(apperr.KindConflict, "An account with plan %s can have at most %d active webhook endpoints; pause or delete one first", plan, most)
}

// secretsMost is how many secrets of an endpoint can sign at the same time.
const secretsMost = 5

const (
	unauthorized, forbidden, missing = http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound
	conflict, unavailable            = http.StatusConflict, http.StatusServiceUnavailable
)
