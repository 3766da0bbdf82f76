// Package run keeps the account of ingestions: one row a document, with what came of it, and the rows that could not be
// used. It is written in transactions of its own, so that it stands whether the load succeeds or not.
package run

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// The states of a run.
const (
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
)

// UnknownSource is the source of a run until its document has been told.
const UnknownSource = "unknown"

// abandoned is the error of a run whose process ended without a word.
const abandoned = "the process that ran it ended before it was done; nothing of the document was loaded"

// Start says what a run begins with.
type Start struct {
	Document string // base name of the file, or the last part of the URL
	Location string // path or URL as given
	At       time.Time
}

// End says what came of a run. Err is nil when it completed.
type End struct {
	Source      string // empty = unknown
	SHA256      string // empty = not known
	Bytes       int64
	Result      catalogapi.LoadResult
	Quarantined int64
	At          time.Time
	Err         error
}
