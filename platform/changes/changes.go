// Package changes is the log of what has changed: events that are numbered in the order in which their transactions commit. A reader
// that has seen number n has seen every event below n, so one number is all that a reader keeps.
//
//   - Writers call Append or AppendQuery as the last write of their transaction. Both take a lock until the commit, so transactions
//     that append commit one after another. Locks are taken in this order everywhere: loads, changes, the lock of publish.Date.
//   - Readers call After with the last number that they looked at. Hub reads each new event once and answers readers that wait.
//   - A Cursor is a number and the epoch of the log. Restart begins a new epoch after a restored backup: the numbers of cursors that
//     were handed out since that backup would otherwise be given to other events.
//
// Events contain no names and no network addresses of natural persons.
package changes

import (
	"encoding/json"
	"time"
)

// Event is an entry of the log.
type Event struct {
	Seq       int64      // greater than those of all events that were committed before; numbers may be left out
	At        time.Time  // never earlier than that of the event before
	Kind      string     // see docs/changes.md
	CRD       string     `db:"crd"` // the GP; "" for an event of the whole catalog
	Subject   string     // what the event is about, if it is not the GP: a fund, a filing, a person
	Accession string     // the filing behind it, if there is one
	Day       *time.Time // the day of that filing
	Arrival   int64      // the load of the catalog; 0: the event comes from no load
	Said      json.RawMessage
}

// Filter selects events. Empty lists and texts select all.
type Filter struct {
	Kinds   []string
	CRDs    []string // nil: of all GPs; an empty list that is not nil selects none
	Subject string
}

// Page is what After found.
type Page struct {
	Events []Event
	Next   int64 // the last number looked at: where the next page begins
	More   bool  // events after Next may be there already; a page may be short and have more
	Head   Head
}

// Head is the state of the log.
type Head struct {
	Epoch    [16]byte
	Swept    int64 // the highest number that was deleted because of its age
	Newest   int64 // 0: the log is empty
	NewestAt *time.Time
	OldestAt *time.Time
}

// matches reports whether the filter selects an event.
func (f *compiled) matches(e *Event) bool {
	return (f.kinds == nil || f.kinds[e.Kind]) && (f.crds == nil || f.crds[e.CRD]) && (f.subject == "" || f.subject == e.Subject)
}

// compiled is a filter for many events.
type compiled struct {
	kinds, crds map[string]bool
	subject     string
}

func (f Filter) compile() *compiled {
	c := &compiled{subject: f.Subject}
	if len(f.Kinds) > 0 {
		c.kinds = set(f.Kinds)
	}
	if f.CRDs != nil {
		c.crds = set(f.CRDs)
	}
	return c
}

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}
