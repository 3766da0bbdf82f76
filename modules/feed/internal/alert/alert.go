// Package alert tells the owners of saved searches which advisers enter a search, leave it, or change in it. After a load, a job compares the
// changed advisers, once for all searches with the same filters, and stores the news. The news operation, mails and webhooks read what is stored.
package alert

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// Alert says which news of a saved search its owner gets, and how.
type Alert struct {
	SearchID  string    `json:"search_id" format:"uuid" doc:"ID of the saved search." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	On        []string  `json:"on" enum:"entered,left,changed" doc:"What is news: entered (the search finds the GP now), left (it does not any more), changed (it finds it still, and a field of the GP has another value)." example:"[\"entered\",\"left\"]"`
	Fields    []string  `json:"fields" doc:"The fields of the GP that changed is about. Empty: all that alerts compare." example:"[\"total_aum\"]"`
	Mail      string    `json:"mail" enum:"off,each,daily,weekly" doc:"When news are sent by email: not at all, after each load, every morning or on Mondays. One email has the news of all alerts of the account." example:"weekly"`
	Webhooks  []string  `json:"webhooks" doc:"IDs of the webhook endpoints that get a message search_match after each load with news." example:"[]"`
	State     string    `json:"state" enum:"active,paused" doc:"paused: nothing is compared. PUT the alert again to continue." example:"active"`
	Why       *string   `json:"why" enum:"plan,filters" doc:"Why it is paused. plan: the account's plan allows fewer alerts. filters: the filters of the search are no longer valid, see fault. Null: active." example:"plan"`
	Fault     *string   `json:"fault" doc:"What is wrong with the filters. Null: nothing." example:"Invalid strategy: must be one of the documented strategies"`
	CreatedAt time.Time `json:"created_at" doc:"When the alert was created (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	UpdatedAt time.Time `json:"updated_at" doc:"When its settings or its state last changed (UTC)." example:"2026-11-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Alert) SchemaName() string { return "SearchAlert" }

// News is one of the news of a saved search.
type News struct {
	CRD           string    `json:"crd" doc:"CRD number of the GP." example:"900001"`
	GPName        string    `json:"gp_name" doc:"Legal name of the GP." example:"Harbor Ridge Capital Partners LLC"`
	What          string    `json:"what" enum:"entered,left,changed" doc:"What has happened." example:"entered"`
	ChangedFields []string  `json:"changed_fields" doc:"With changed: the fields of the GP that have other values. Otherwise empty." example:"[]"`
	At            time.Time `json:"at" doc:"When it was found (UTC)." example:"2026-11-14T06:01:00.000000Z"`
	KnownAt       time.Time `json:"known_at" doc:"The state after it can be asked for with this known_at (UTC)." example:"2026-11-14T06:00:14.250000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (News) SchemaName() string { return "SearchNews" }

// Meta describes a page of news.
type Meta struct {
	NextCursor string `json:"next_cursor" doc:"Send it as cursor to continue." example:"nws_MTIgOTAwMDAx"`
	HasMore    bool   `json:"has_more" doc:"True if there are more news already." example:"false"`
	Truncated  bool   `json:"truncated" doc:"True if a load with news on this page changed more than 1,000 GPs of the search: only 1,000 are listed. Run the search to see all." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "SearchNewsMeta" }

// The limits.
const (
	matchesMost = 5000 // of a search, when its alert is created
	rowsMost    = 1000 // of filters and a load
	hooksMost   = 10   // endpoints of an alert
	keep        = 90 * 24 * time.Hour
)

// AlertsMost is how many active alerts an account may have, by plan. Without billing, every account has those of enterprise.
var AlertsMost = map[string]int{"free": 3, "starter": 10, "pro": 100, "enterprise": 500}

// The modes of mails.
const (
	mailOff, mailEach, mailDaily, mailWeekly = "off", "each", "daily", "weekly"
)

// The refusals. Another account's search is answered like one that does not exist.
var (
	errNoSearch = apperr.NotFound("Saved search not found")
	errNoAlert  = apperr.NotFound("The saved search has no alert")
	errGone     = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errPaused   = &apperr.Error{Kind: apperr.KindConflict, Code: "alert_paused", Message: "The alert is paused and has no news; GET it to see why, and PUT it again to continue"}
)

func errTooMany(plan string, most int) error {
	return &apperr.Error{
		Kind: apperr.KindConflict, Code: "too_many_alerts",
		Message: fmt.Sprintf("An account with plan %s can have at most %d active alerts; delete one first", plan, most),
	}
}

func errWide(matches int) error {
	return &apperr.Error{
		Kind: apperr.KindConflict, Code: "search_too_wide",
		Message: fmt.Sprintf("The search matches %d GPs; an alert needs at most %d. Narrow it, or read GET /v1/changes, which has all changes", matches, matchesMost),
	}
}

// errUnwatched says why filters cannot be watched.
func errUnwatched(fault string) error {
	return &apperr.Error{Kind: apperr.KindConflict, Code: "search_not_watchable", Message: "The search cannot be watched. " + fault}
}

// kinds are what can be news.
var kinds = []string{catalogapi.NewsEntered, catalogapi.NewsLeft, catalogapi.NewsChanged}

// Path names the saved search. Malformed IDs return 400, like every malformed value.
type Path struct {
	SearchID string `path:"search_id" pattern:"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" patternDescription:"a UUID in lower case" doc:"ID of the saved search." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
}

// PutInput is the body of an alert.
type PutInput struct {
	Path
	Body struct {
		On       []string `json:"on" minItems:"1" maxItems:"3" enum:"entered,left,changed" doc:"What is news: entered, left, changed." example:"[\"entered\",\"left\"]"`
		Fields   []string `json:"fields,omitempty" maxItems:"50" doc:"The fields of the GP that changed is about, by their names in GET /v1/gps/{crd}. None: all that alerts compare." example:"[\"total_aum\"]"`
		Mail     string   `json:"mail,omitempty" enum:"off,each,daily,weekly" default:"weekly" doc:"When news are sent by email: off, each (after each load), daily or weekly (on Mondays)." example:"weekly"`
		Webhooks []string `json:"webhooks,omitempty" maxItems:"10" doc:"IDs of your webhook endpoints that get a message search_match." example:"[]"`
	}
}

// NewsInput selects news.
type NewsInput struct {
	Path
	Cursor httpapi.Opt[string] `query:"cursor" maxLength:"100" doc:"Where to continue: next_cursor of an earlier response, unchanged. Without it, the oldest news come first." example:"nws_MTIgOTAwMDAx"`
	What   httpapi.Opt[string] `query:"what" maxLength:"40" doc:"Only these, separated by commas: entered, left, changed." example:"entered,left"`
	Limit  int                 `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"News to return, 1 to 1,000." example:"100"`
}

// cursor is a place among news: behind an adviser's news of a load.
type cursor struct {
	arrival int64
	crd     string
}

const cursorPrefix = "nws_"

func (c cursor) String() string {
	return cursorPrefix + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %s", c.arrival, c.crd))
}

func parseCursor(text string) (c cursor, ok bool) {
	encoded, ok := strings.CutPrefix(text, cursorPrefix)
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if !ok || err != nil {
		return c, false
	}
	if _, err := fmt.Sscanf(string(raw)+"\n", "%d %s\n", &c.arrival, &c.crd); err != nil {
		c.crd = ""
	}
	return c, c.arrival >= 0 && c.String() == text && (c.crd == "" || catalogapi.IsCRD(c.crd))
}

// read checks the parameters.
func (in *NewsInput) read(on []string) (c cursor, what []string, err error) {
	var faults []apperr.FieldError
	if in.Cursor.Set {
		var ok bool
		if c, ok = parseCursor(in.Cursor.Value); !ok {
			faults = append(faults, apperr.FieldError{Field: "cursor", Message: "is not a cursor of news; use a next_cursor that a response gave"})
		}
	}
	what = on
	if in.What.Set {
		asked := strings.Split(in.What.Value, ",")
		for i := range asked {
			if asked[i] = strings.TrimSpace(asked[i]); !slices.Contains(kinds, asked[i]) {
				faults = append(faults, apperr.FieldError{Field: "what", Message: "must be entered, left or changed, or several of them, separated by commas"})
				break
			}
		}
		what = slices.DeleteFunc(slices.Clone(on), func(kind string) bool { return !slices.Contains(asked, kind) })
	}
	if faults != nil {
		err = apperr.Invalid(faults...)
	}
	return c, what, err
}
