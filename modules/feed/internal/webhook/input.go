package webhook

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/platform/apperr"
	"gpatlas/platform/changes"
	"gpatlas/platform/httpapi"
)

// CreateInput is the body of a creation.
type CreateInput struct {
	Body struct {
		URL     string            `json:"url" maxLength:"2000" doc:"Where messages are posted: https, a host name and port 443, 8443 or one above 1024." example:"https://hooks.example.com/gpatlas"`
		Kinds   []string          `json:"kinds,omitempty" maxItems:"50" doc:"Kinds of events: see GET /v1/changes/kinds. None: all." example:"[\"aum_change\",\"new_fund\"]"`
		Scope   Scope             `json:"scope" doc:"The GPs whose events are sent: exactly one of all, watchlist, crds and collection_id." example:"{\"all\":true}"`
		Mode    string            `json:"mode,omitempty" enum:"each,notify" default:"each" doc:"each: one message for each event. notify: a message says that there are events." example:"each"`
		Headers map[string]string `json:"headers,omitempty" doc:"Extra headers of each request, at most 10, each of at most 512 bytes. They are stored encrypted." example:"{\"Authorization\":\"Bearer token-of-the-receiver\"}"`
	}
}

// Path names one endpoint. Malformed IDs return 400, like every malformed value.
type Path struct {
	EndpointID string `path:"endpoint_id" pattern:"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" patternDescription:"a UUID in lower case" doc:"ID of the endpoint." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
}

// PatchInput is the body of a change.
type PatchInput struct {
	Path
	Body struct {
		URL     *string            `json:"url,omitempty" maxLength:"2000" doc:"Where messages are posted." example:"https://hooks.example.com/gpatlas"`
		Kinds   *[]string          `json:"kinds,omitempty" maxItems:"50" doc:"Kinds of events. Empty: all." example:"[\"aum_change\"]"`
		Scope   *Scope             `json:"scope,omitempty" doc:"The GPs whose events are sent."`
		Mode    *string            `json:"mode,omitempty" enum:"each,notify" doc:"each or notify." example:"each"`
		Headers *map[string]string `json:"headers,omitempty" doc:"All extra headers of each request. Empty: none." example:"{\"Authorization\":\"Bearer token-of-the-receiver\"}"`
		State   *string            `json:"state,omitempty" enum:"active,paused" doc:"paused: nothing is sent. active: continue where the endpoint stood, also after it was disabled." example:"active"`
	}
}

// RollInput is the body of a new secret.
type RollInput struct {
	Path
	Body struct {
		ExpiresIn int `json:"expires_in,omitempty" minimum:"0" maximum:"604800" default:"86400" doc:"Seconds for which the previous secrets sign too, 0 to 604,800 (7 days)." example:"86400"`
	}
}

// RecoverInput is where an endpoint begins again.
type RecoverInput struct {
	Path
	Body struct {
		Since  string `json:"since,omitempty" maxLength:"40" format:"date-time" doc:"Send events again that were written to the log at this time or later. ISO 8601 date and time with an offset." example:"2026-11-14T06:00:00.000000Z"`
		Cursor string `json:"cursor,omitempty" maxLength:"100" doc:"Send events again that are after this cursor. Send either since or cursor."`
	}
}

// MessagesInput selects messages.
type MessagesInput struct {
	Path
	State httpapi.Opt[string] `query:"state" enum:"waiting,sending,done,failed" doc:"Only messages in this state." example:"failed"`
	Kind  httpapi.Opt[string] `query:"kind" maxLength:"40" doc:"Only messages of this kind: one of GET /v1/changes/kinds, or changes.available." example:"aum_change"`
}

// MessagePath names one message.
type MessagePath struct {
	Path
	MessageID string `path:"message_id" pattern:"^msg_[a-z2-7]{26}$" patternDescription:"the ID of a message" doc:"ID of the message." example:"msg_mfrggzdfmztwq2lknnwg23tpob"`
}

// faults collects what is wrong with a request.
type faults []apperr.FieldError

func (f *faults) add(field, message string) {
	if message != "" {
		*f = append(*f, apperr.FieldError{Field: field, Message: message})
	}
}

func (f faults) err() error {
	if f == nil {
		return nil
	}
	return apperr.Invalid(f...)
}

func kindsFault(kinds []string) string {
	names := changefeed.KindNames()
	for i, kind := range kinds {
		if !slices.Contains(names, kind) {
			return "must be kinds of GET /v1/changes/kinds" + httpapi.DidYouMean(kind, names)
		}
		if slices.Contains(kinds[:i], kind) {
			return "must not name a kind twice"
		}
	}
	return ""
}

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (f *faults) scope(s Scope) {
	given := 0
	for _, set := range []bool{s.All, s.Watchlist, s.CRDs != nil, s.CollectionID != ""} {
		if set {
			given++
		}
	}
	switch {
	case given != 1:
		f.add("scope", `must have exactly one of {"all":true}, {"watchlist":true}, {"crds":["900001"]} and {"collection_id":"…"}`)
	case s.CRDs != nil && len(s.CRDs) == 0:
		f.add("scope.crds", "must not be empty")
	case slices.ContainsFunc(s.CRDs, func(crd string) bool { return !catalogapi.IsCRD(crd) }):
		f.add("scope.crds", "must be CRD numbers: 1 to 10 digits, without leading zeros")
	case s.CollectionID != "" && !uuidForm.MatchString(s.CollectionID):
		f.add("scope.collection_id", "must be the ID of a collection")
	}
}

const (
	headersMost  = 10
	headerLength = 512
)

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// reserved are the headers that an endpoint cannot set, and the beginnings of others.
var (
	reserved       = []string{"host", "connection", "keep-alive", "te", "trailer", "upgrade", "expect", "user-agent", "date", "forwarded", "via"}
	reservedBefore = []string{"webhook-", "content-", "transfer-", "proxy-", "sec-", "x-forwarded-"}
)

func headersFault(headers map[string]string) string {
	if len(headers) > headersMost {
		return fmt.Sprintf("must have at most %d headers", headersMost)
	}
	seen := map[string]bool{}
	for name, value := range headers {
		lower := strings.ToLower(name)
		switch {
		case !headerName.MatchString(name):
			return "must have names of letters, digits and hyphens"
		case seen[lower]:
			return "must not name a header twice"
		case slices.Contains(reserved, lower) || slices.ContainsFunc(reservedBefore, func(p string) bool { return strings.HasPrefix(lower, p) }):
			return "must not set " + name + ", which is reserved"
		case len(name)+len(value) > headerLength:
			return fmt.Sprintf("must have headers of at most %d bytes, name and value together", headerLength)
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
			return "must have values of visible ASCII characters, without line breaks"
		}
		seen[lower] = true
	}
	return ""
}

// read returns the instant or the cursor where an endpoint begins again.
func (in *RecoverInput) read() (since *time.Time, cursor *changes.Cursor, err error) {
	var f faults
	switch {
	case (in.Body.Since == "") == (in.Body.Cursor == ""):
		f.add("since", "either since or cursor is required, and not both")
	case in.Body.Since != "":
		at, err := time.Parse(time.RFC3339, in.Body.Since)
		if err != nil {
			f.add("since", "must be an ISO 8601 date and time with an offset such as 2026-11-01T00:00:00Z")
		}
		since = &at
	default:
		c, err := changes.ParseCursor(in.Body.Cursor)
		if err != nil {
			f.add("cursor", err.Error())
		}
		cursor = &c
	}
	return since, cursor, f.err()
}
