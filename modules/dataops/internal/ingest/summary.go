package ingest

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/peopleapi"
)

// Counts is what became of the records of one kind.
type Counts struct {
	New       int64 `json:"new"`
	Changed   int64 `json:"changed"`
	Unchanged int64 `json:"unchanged"`
}

func (c *Counts) add(o Counts) {
	c.New += o.New
	c.Changed += o.Changed
	c.Unchanged += o.Unchanged
}

// Document is what came of one document.
type Document struct {
	Document        string                 `json:"document"`
	Location        string                 `json:"location"`
	Source          string                 `json:"source"` // adv_archive, advw, fund_list, roster, iapd_feed, form_d, lp_list, unknown
	RunID           int64                  `json:"run_id"`
	Series          string                 `json:"series,omitempty"`
	State           string                 `json:"state"` // completed, failed
	Error           string                 `json:"error,omitempty"`
	Stopped         []string               `json:"stopped_by,omitempty"` // checks of the quality gate that stopped it
	Accepted        []string               `json:"accepted,omitempty"`   // checks that the operator let pass
	Warnings        []string               `json:"warnings,omitempty"`   // what the operator should look at, though it was loaded
	Bytes           int64                  `json:"bytes"`
	SHA256          string                 `json:"sha256,omitempty"`
	Read            int64                  `json:"rows_read"`
	Filings         Counts                 `json:"filings"`
	Advisers        Counts                 `json:"advisers"`
	Funds           Counts                 `json:"funds"`
	Commitments     Counts                 `json:"commitments,omitzero"`
	Quarantined     int64                  `json:"quarantined"`
	FirstReason     string                 `json:"first_reason,omitempty"` // why the first row was quarantined, with file and line
	TakenBack       []catalogapi.TakenBack `json:"taken_back,omitempty"`   // withdrawals that it took back
	CommitmentsBack []peopleapi.TakenBack  `json:"commitments_taken_back,omitempty"`
	Replaces        []string               `json:"replaces_figures_of,omitempty"` // documents with other names that state the same days of the same LPs
	Changed         bool                   `json:"changed"`
	Seconds         float64                `json:"seconds"`
	RowsPerSecond   int64                  `json:"rows_per_second"`
}

func (d *Document) count(r catalogapi.LoadResult) {
	d.Read, d.Changed, d.TakenBack = r.RowsRead, r.Published, r.TakenBack
	d.Filings = Counts{r.FilingsNew, r.FilingsChanged, r.FilingsUnchanged}
	d.Advisers = Counts{r.AdvisersNew, r.AdvisersChanged, r.AdvisersUnchanged}
	d.Funds = Counts{r.FundsNew, r.FundsChanged, r.FundsUnchanged}
}

// countCommitments adds what came of a list of commitments.
func (d *Document) countCommitments(r peopleapi.ListResult) {
	d.Commitments, d.CommitmentsBack = Counts{r.New, r.Changed, r.Unchanged}, r.TakenBack
	d.Changed = d.Changed || r.New+r.Changed > 0 || len(r.TakenBack) > 0
}

// Summary is what came of one ingestion: each document, and their sums. Advisers and funds are counted in each document
// that names them.
type Summary struct {
	Sources       []SourceReport `json:"sources,omitempty"` // those that were used, where any were
	Documents     []Document     `json:"documents"`
	Stages        []Stage        `json:"stages"` // other steps, in the order in which they ended
	Failed        int            `json:"failed"`
	NotBegun      int            `json:"not_begun,omitempty"`     // documents left when it was interrupted; a source's are not counted
	Interrupted   bool           `json:"interrupted,omitempty"`   // it was asked to stop before it was done
	DatabaseLost  bool           `json:"database_lost,omitempty"` // it ended because the connection to the database was lost
	PeopleRead    int64          `json:"people_read,omitempty"`   // advisers whose people were read
	PeopleUnread  bool           `json:"people_unread,omitempty"` // the people in the loaded documents are not all read; the next run continues
	Read          int64          `json:"rows_read"`
	Filings       Counts         `json:"filings"`
	Advisers      Counts         `json:"advisers"`
	Funds         Counts         `json:"funds"`
	Commitments   Counts         `json:"commitments,omitzero"`
	Left          Left           `json:"left"` // in this ingestion, less those that came back
	Quarantined   int64          `json:"quarantined"`
	Changed       bool           `json:"changed"`
	Seconds       float64        `json:"seconds"` // of documents and stages, and of what is between them
	RowsPerSecond int64          `json:"rows_per_second"`
}

func (s *Summary) add(d Document) {
	s.Documents = append(s.Documents, d)
	if d.Error != "" {
		s.Failed++
	}
	s.Read += d.Read
	s.Filings.add(d.Filings)
	s.Advisers.add(d.Advisers)
	s.Funds.add(d.Funds)
	s.Commitments.add(d.Commitments)
	s.Quarantined += d.Quarantined
	s.Changed = s.Changed || d.Changed
}

// Left counts who is no longer served as current.
type Left struct {
	Advisers int64 `json:"advisers"` // withdrawn, or no longer listed
	Funds    int64 `json:"funds"`    // no longer reported
}

// since is how many left since then, less those that came back.
func (l Left) since(before Left) Left {
	return Left{max(0, l.Advisers-before.Advisers), max(0, l.Funds-before.Funds)}
}

// perSecond is a rate, 0 where no time passed.
func perSecond(n int64, seconds float64) int64 {
	if seconds <= 0 {
		return 0
	}
	return int64(float64(n) / seconds)
}
