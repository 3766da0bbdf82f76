package ingest

import "fmt"

// Interruption is what an interrupted ingestion has kept, and what to do next.
func (s Summary) Interruption() string {
	loaded, of := len(s.Documents)-s.Failed, fmt.Sprintf(" of %d", len(s.Documents)+s.NotBegun)
	if len(s.Sources) > 0 {
		of = "" // a source may have more than was asked for
	}
	switch {
	case loaded == 0:
		return "interrupted: no document was loaded, and nothing of them is kept; run the same command again"
	case s.NotBegun == 0 && s.Failed == 0 && len(s.Sources) == 0 && s.PeopleUnread:
		return "interrupted: all documents are loaded and stay loaded, but their people are not read yet; " +
			"run the same command again, or let the worker read them"
	}
	kept := fmt.Sprintf("interrupted: %d%s documents loaded, which stay; nothing of the others is kept", loaded, of)
	if s.PeopleUnread {
		kept += "; people are not read yet"
	}
	return kept + "; run the same command again to continue"
}
