// Package run records ingestions: one row for each document, with its result, and the rows that could not be used. They are
// written in transactions of their own, so that they stay whether the load succeeds or not.
package run

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
)

// The states of a run.
const (
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
)

// UnknownSource is the source of a run until its document is recognized.
const UnknownSource = "unknown"

// abandoned is the error of a run whose process ended without a word.
const abandoned = "the process ended before it was done; nothing of the document was loaded"

// Start is what a run begins with.
type Start struct {
	Document string // base name of the file, or the last part of the URL
	Location string // path or URL as given
	Source   string // the configured source that it comes from; empty = named by hand
	// Extraction is the use of the source that it belongs to; 0 = none.
	Extraction int64
	At         time.Time
}

// End is what came of a run. Err is nil when it completed.
type End struct {
	Source      string // the kind of document; empty = unknown
	Series      string // the documents it is compared with; empty = not known
	Looks       Looks
	SHA256      string // empty = not known
	Bytes       int64
	Result      catalogapi.LoadResult
	Quarantined int64
	At          time.Time
	Err         error
	// Stopped are the findings for which the quality gate stopped the document: each becomes an alert. Passed are those
	// that the operator let pass: they are kept as alerts already seen to.
	Stopped, Passed []gate.Finding
	// Doubts do not stop the document. Once it is loaded each becomes an open alert.
	Doubts []gate.Finding
}

// Looks are the features of a document that later documents of its series are compared with.
type Looks struct {
	Advisers   int64               // distinct advisers that it names; 0 = not counted
	Duplicates int64               // rows that repeat the key of an earlier one
	Keyed      int64               // rows that have a key, the repeated ones included; 0 = not counted
	Edition    time.Time           // its day; zero = not known
	Layout     map[string][]string // folded column names by table; nil = not known
	Filed      []gate.Filers       // the rows of its filings by table; nil = not counted
	Filled     map[string]gate.Fill
}
