package ingest

import "fmt"

// Interruption is what an ingestion that was interrupted or lost the database has kept, and what to do next.
func (s Summary) Interruption() string {
	if s.DatabaseLost {
		return s.loss()
	}
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

// loss is Interruption if the connection to the database was lost. A document whose commit was not confirmed may be loaded.
func (s Summary) loss() string {
	loaded, of := len(s.Documents)-s.Failed, len(s.Documents)+s.NotBegun
	kept := fmt.Sprintf("%d of %d documents are loaded and stay loaded", loaded, of)
	switch {
	case loaded == 0:
		kept = "no document is known to be loaded"
	case len(s.Sources) > 0: // a source may have more than was asked for
		kept = fmt.Sprintf("%d documents are loaded and stay loaded", loaded)
	case loaded == of:
		kept = "all documents are loaded and stay loaded"
	}
	if s.PeopleUnread {
		kept += ", but people are not read yet"
	}
	return "the database went away: " + kept + "; start it and run the same command again to continue (LOG_LEVEL=error shows the cause)"
}
