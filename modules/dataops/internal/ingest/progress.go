package ingest

// Progress hears how an ingestion goes on. Its methods may be called from several goroutines.
type Progress interface {
	Begin(document string, index, of int) // a document begins, the index-th (from 0) of so many
	Rows(read int64)                      // rows of it read so far
	Staged(d Document)                    // its rows are in the database; what follows is done for all documents together
	Stage(name string)                    // a step begins that belongs to no single document
	StageEnd(s Stage)                     // the step is done, or failed
	End(d Document)                       // the document is done, or failed
	Close()                               // nothing follows
}

// Silent is a Progress that writes nothing.
type Silent struct{}

// Begin implements Progress.
func (Silent) Begin(string, int, int) {}

// Rows implements Progress.
func (Silent) Rows(int64) {}

// Staged implements Progress.
func (Silent) Staged(Document) {}

// Stage implements Progress.
func (Silent) Stage(string) {}

// StageEnd implements Progress.
func (Silent) StageEnd(Stage) {}

// End implements Progress.
func (Silent) End(Document) {}

// Close implements Progress.
func (Silent) Close() {}
