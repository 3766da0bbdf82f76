package activity

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"gpatlas/platform/apperr"
)

// cursor is a position in the feed. Low and High are arrivals: the numbers of the catalog's loads in the order in which they
// became visible. A reader gets what arrived after Low up to High, the newest first. Last is the reader's position while a part
// of it is left. After all of it, the next cursor starts at High and asks for later arrivals, of any date.
type cursor struct {
	Low  int64 `json:"l"`           // -1: everything
	High int64 `json:"h,omitempty"` // with Last alone
	// LowSeq and HighSeq are the same for events of the log that come from no load: numbers of the log. With PersonnelChange alone.
	LowSeq  int64 `json:"m,omitempty"`
	HighSeq int64 `json:"n,omitempty"`

	Last  *position  `json:"p,omitempty"` // the last event read
	Since *time.Time `json:"s,omitempty"` // with Last only: the event_date from which on this walk lists events
	Types []Type     `json:"t"`
}

// position is the sort key of events.
type position struct {
	Arrival   int64     `json:"a"`
	Seq       int64     `json:"q,omitempty"` // the event's number in the log, if it comes from no load
	EventDate time.Time `json:"d"`
	Type      Type      `json:"t"`
	CRD       string    `json:"c"`
	Key       string    `json:"k"`
}

func (c *cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		return "" // all its fields can be marshaled
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// maxCursor is longer than any valid cursor.
const maxCursor = 1000

// parseCursor reads what String wrote.
func parseCursor(text string) (*cursor, *apperr.FieldError) {
	fault := &apperr.FieldError{Field: "cursor", Message: "is not a cursor of this feed; send next_cursor of an earlier response, unchanged"}
	if len(text) > maxCursor {
		return nil, fault
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fault
	}
	var c cursor
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&c) != nil || c.String() != text || c.Low < -1 || min(c.LowSeq, c.HighSeq) < 0 || len(c.Types) == 0 {
		return nil, fault
	}
	for i, t := range c.Types {
		if !slices.Contains(allTypes, t) || slices.Contains(c.Types[:i], t) {
			return nil, fault
		}
	}
	if (c.Last == nil) != (c.High == 0) || c.Last != nil && !c.Last.valid() || c.Since != nil && (c.Last == nil || !dated(*c.Since)) {
		return nil, fault
	}
	return &c, nil
}

// valid reports whether the database can compare with the position.
func (p *position) valid() bool {
	return dated(p.EventDate) && slices.Contains(allTypes, p.Type) && !bytes.ContainsRune([]byte(p.CRD+p.Key), 0)
}

func dated(t time.Time) bool { return t.Year() >= 0 && t.Year() <= 9999 }
