package ingest

import (
	"fmt"
	"strings"
)

// SourceReport is what came of using a source once.
type SourceReport struct {
	Source  string   `json:"source"`
	Listed  int      `json:"listed"`            // files that the source has, or should have
	Known   int      `json:"known"`             // of them, those that had been fetched before and have not changed
	Loaded  int      `json:"loaded"`            // those loaded now
	Awaited int      `json:"awaited"`           // those that are not published yet
	Stopped []string `json:"stopped,omitempty"` // those that the quality gate stopped, now or before, with the way out
	Error   string   `json:"error,omitempty"`
}

// String is the report as a line for people.
func (r SourceReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d files, %d loaded, %d known", r.Source, r.Listed, r.Loaded, r.Known)
	if r.Awaited > 0 {
		fmt.Fprintf(&b, ", %d not published", r.Awaited)
	}
	for _, s := range r.Stopped {
		fmt.Fprintf(&b, "\n  stopped: %s", s)
	}
	if r.Error != "" {
		fmt.Fprintf(&b, "\n  %s", strings.ReplaceAll(r.Error, "\n", "\n  "))
	}
	return b.String()
}

// SourcesFailed reports whether a source failed, or whether the quality gate stopped a document of it: WriteText names them.
func (s Summary) SourcesFailed() bool {
	for _, r := range s.Sources {
		if r.Error != "" || len(r.Stopped) > 0 {
			return true
		}
	}
	return false
}
