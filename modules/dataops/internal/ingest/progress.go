package ingest

// Progress hears how an ingestion goes on. Rows may be called from another goroutine than Begin and End.
type Progress interface {
	Begin(document string, index, of int) // a document begins, the index-th (from 0) of so many
	Rows(read int64)                      // rows of it read so far
	End(d Document)                       // it is done, or failed
	Close()                               // nothing follows
}

// Silent is a Progress that says nothing.
type Silent struct{}

// Begin implements Progress.
func (Silent) Begin(string, int, int) {}

// Rows implements Progress.
func (Silent) Rows(int64) {}

// End implements Progress.
func (Silent) End(Document) {}

// Close implements Progress.
func (Silent) Close() {}
