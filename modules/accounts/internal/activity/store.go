package activity

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"time"

	"gpatlas/platform/database"
)

// store reads the feed.
type store struct{ db *database.DB }

// happened is a row of the feed. An empty page has one row without a type, for the numbers.
type happened struct {
	Total       int
	Low         int64
	High        int64
	LowSeq      int64
	HighSeq     int64
	Arrival     int64
	Seq         int64
	Type        *string
	CRD         string
	GPName      string
	EventDate   time.Time
	KnownAt     time.Time
	What        string // the form, or the fund's name
	Key         string // the filing's accession number, the Fund ID, or the person's ID
	Day         string
	ProcessedAt *time.Time
	Changed     json.RawMessage
}

//go:embed feed.sql
var feedSQL string

// question selects a part of the feed: since some instants, or from a cursor.
type question struct {
	user          int64
	types         []Type
	since         *time.Time // by event_date; nil: all
	knownSince    *time.Time // nil: all
	cursor        *cursor
	limit, offset int
}

// answered is a part of the feed.
type answered struct {
	events []Event
	total  int    // from the cursor on; without a cursor, since the instants
	more   bool   // older events of the same walk are left
	next   cursor // goes on after these
}

// events returns a part of the feed.
func (s *store) events(ctx context.Context, q question) (a answered, err error) {
	logged := slices.DeleteFunc(slices.Clone(q.types), func(t Type) bool { return !slices.Contains(loggedTypes, t) })
	args := database.Args{
		"user": q.user, "since": q.since, "known_since": q.knownSince, "types": q.types, "limit": q.limit, "offset": q.offset,
		"logged": logged, "low": int64(-2), "high": int64(0), "low_seq": int64(0), "high_seq": int64(0), "before": int64(-1), "seq": int64(0), "date": time.Unix(0, 0).UTC(), "type": "", "crd": "", "key": "",
	}
	if c := q.cursor; c != nil {
		args["low"], args["high"], args["low_seq"], args["high_seq"] = c.Low, c.High, c.LowSeq, c.HighSeq
		if p := c.Last; p != nil {
			args["seq"] = p.Seq
			args["before"], args["date"], args["type"], args["crd"], args["key"] = p.Arrival, p.EventDate, string(p.Type), p.CRD, p.Key
		}
	}
	rows, err := database.Select[happened](ctx, s.db, "read the activity feed", feedSQL, args)
	if err != nil || len(rows) == 0 {
		return a, err
	}
	a.events = make([]Event, 0, len(rows))
	for i := range rows {
		if rows[i].Type != nil {
			e, err := rows[i].event()
			if err != nil {
				return a, err
			}
			a.events = append(a.events, e)
		}
	}
	last := &rows[len(rows)-1]
	a.total = last.Total
	if !slices.Contains(q.types, PersonnelChange) {
		last.LowSeq, last.HighSeq = 0, 0 // all events come from loads
	}
	a.next = cursor{Low: max(last.High, last.Low), LowSeq: max(last.HighSeq, last.LowSeq), Types: q.types}
	if a.more = q.offset+len(a.events) < a.total && len(a.events) > 0; a.more {
		a.next = cursor{Low: last.Low, High: last.High, LowSeq: last.LowSeq, HighSeq: last.HighSeq, Types: q.types, Since: q.since, Last: &position{
			Arrival: last.Arrival, Seq: last.Seq, EventDate: last.EventDate.UTC(), Type: Type(*last.Type), CRD: last.CRD, Key: last.Key,
		}}
	}
	return a, nil
}

func (h *happened) event() (Event, error) {
	e := Event{Type: Type(*h.Type), CRD: h.CRD, GPName: h.GPName, EventDate: h.EventDate.UTC(), KnownAt: h.KnownAt.UTC()}
	switch e.Type {
	case NewFund, FundClose:
		e.Details = Details{FundName: h.What, FundID: h.Key}
		return e, nil
	case AUMChange:
		return e, json.Unmarshal(h.Changed, &e.Details.Changed)
	case PersonnelChange:
		return e, json.Unmarshal(h.Changed, &e.Details.Changed)
	case NewFiling:
	}
	e.Details = Details{FormType: h.What, AccessionNumber: h.Key, FilingDate: h.Day}
	if h.ProcessedAt != nil {
		at := h.ProcessedAt.UTC()
		e.Details.ProcessedAt = &at
	}
	return e, nil
}
