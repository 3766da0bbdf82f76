package catalogapi

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Document is one source document as its parser streams it. Each sequence is drained once, in the order of the
// fields; a nil one means that the document has no such table. An error in a sequence aborts the load.
// Unusable rows are not in the sequences: the parser sends them to its quarantine instead.
type Document struct {
	Name   string // base name, part of provenance
	Source Source
	// Edition returns the day of the document's edition, once the document is drained; zero = not known. Of two editions that name
	// one filing the newer counts, in whatever order they are loaded; if a day is unknown, the one loaded last. May be nil.
	Edition func() time.Time
	// List is the list of advisers that the document is an edition of, where it names all that are on it: roster/registered,
	// roster/exempt, iapd_feed/sec, …. Who was on it and is not named by a newer edition is no longer listed. Empty: none.
	List         string
	Filings      iter.Seq2[*AdviserFiling, error]
	Organization iter.Seq2[*OrganizationRow, error]
	Websites     iter.Seq2[*WebsiteRow, error]
	Types        iter.Seq2[*FilingTypeRow, error]
	Identifiers  iter.Seq2[*IdentifierRow, error]
	Offices      iter.Seq2[*OfficeRow, error]
	Affiliates   iter.Seq2[*AffiliateRow, error]
	Owners       iter.Seq2[*OwnerRow, error]
	Disclosures  iter.Seq2[*DisclosureRow, error]
	Implicated   iter.Seq2[*DisclosureAffiliateRow, error]
	Funds        iter.Seq2[*FundRow, error]
	SubAdvised   iter.Seq2[*SubAdvisedRow, error]
	Auditors     iter.Seq2[*AuditorRow, error]
	FormDNumbers iter.Seq2[*FormDRow, error]
	Feeders      iter.Seq2[*FeederRow, error]
	Providers    iter.Seq2[*ProviderRow, error]

	Withdrawals iter.Seq2[*WithdrawalRow, error] // SourceADVW only

	// SourceFormD only.
	Offerings      iter.Seq2[*OfferingRow, error]
	Issuers        iter.Seq2[*IssuerRow, error]
	RelatedPersons iter.Seq2[*RelatedPersonRow, error]
	Recipients     iter.Seq2[*RecipientRow, error]
}

// Staged counts what a document holds, before any of it is merged.
type Staged struct {
	Rows       int64 // of all tables
	Keyed      int64 // rows that have a key of their own, repeated ones included: filings, funds, withdrawals; of Form D all rows
	Filings    int64 // filings, withdrawals or offerings accepted
	Advisers   int64 // distinct CRDs among them; 0 for Form D
	Funds      int64 // distinct Fund IDs
	Duplicates int64 // rows that repeat the key of an earlier one, even with other values
	Listed     int64 // advisers that the list's edition before names; 0 where there is none
	Gone       int64 // those of them that this one does not name
	Brought    int64 // withdrawals that an earlier loading of the same document brought
	Lacking    int64 // those of them that this one lacks, and that it does not give to another adviser

	Lost    []LostRows      // by adviser; empty for what is loaded into an empty catalog
	Changed []ChangedValues // by field; likewise
}

// NameMax is how many characters a name may have, several times as many as the longest in published files. Overrides allow fewer: they are
// written by hand.
const NameMax = 500

// LostRows counts rows of a list that an adviser's filing before had, and those of them that its newest filing in an archive lacks.
type LostRows struct {
	CRD       string
	Exempt    bool   // the filing is an exempt reporting adviser's
	List      string // funds, or what a filing would be silent about: TableOwners, …
	Again     bool   // the filing before is an earlier edition of the same filing
	Had, Gone int64
	Elsewhere int64 // rows of Gone that filings of other advisers in the document state
	Taken     int64 // rows that it has new, and that the filings before of other advisers in the document had
}

// ChangedValues counts values of a field that the newest filings of a document and the filings before them both state, and those of them that
// differ: texts in more than case and punctuation, amounts by a factor of the field. The field "crd" differs if the catalog
// knows the SEC number of the filing of other advisers only.
type ChangedValues struct {
	Field             string // a column of advisers, or the table and the column: "funds.name"
	Exempt            bool   // of exempt reporting advisers
	Compared, Changed int64
	Most              int64 // values of Changed that are of the adviser that has most of them
}

// Rejected is a row that was not loaded, with everything needed to find it again. Nothing is dropped without one.
type Rejected struct {
	File   string // member's name inside an archive, or the file's own base name
	Line   int    // 1-based line (CSV) or row (XLSX) where the record begins
	Reason string // a sentence that names the field at fault
	Raw    string // the row as read, cut at 4 KiB
}

// LoadOptions are the run that the load belongs to, and the functions that it calls.
type LoadOptions struct {
	RunID    int64
	Reject   func(Rejected)   // called for rows that only the merge can refuse (a fund of an unknown filing); not nil
	Progress func(rows int64) // called now and then with the rows staged so far; may be nil
	// Accept is asked once everything is staged, before anything is merged; an error ends the load, and nothing of the
	// document stays. May be nil.
	Accept func(ctx context.Context, s Staged) error
	// Whole reports, after Accept, whether the document names all advisers of its list, so that those who are missing have left it, and has all of
	// its withdrawals, so that those that it lacks are taken back. Nil: it does.
	Whole func() bool
}

// LoadResult counts what a load did. Each group adds up to what was read of it, less what was rejected.
type LoadResult struct {
	RowsRead          int64 // rows of all tables staged
	FilingsNew        int64 // filings never seen before: each is a new version of its adviser
	FilingsChanged    int64 // known filings that the document restates otherwise
	FilingsUnchanged  int64
	AdvisersNew       int64
	AdvisersChanged   int64
	AdvisersUnchanged int64
	FundsNew          int64
	FundsChanged      int64
	FundsUnchanged    int64
	Published         bool // something changed, so a change notice was sent
	TakenBack         []TakenBack
}

// TakenBack is a withdrawal that a document took back: the catalog has it no longer, except in what was known before.
type TakenBack struct {
	CRD      string `json:"crd"`
	FilingID int64  `json:"filing_id"`
}

// SameDocumentSQL is the condition that two names are of one document: the last extension may differ.
func SameDocumentSQL(name, other string) string {
	stem := func(name string) string { return "lower(regexp_replace(" + name + ", '[.][^.]*$', ''))" }
	return stem(name) + " = " + stem(other)
}

// Prepared is a document that is being read ahead of its turn to be loaded. It must be loaded or closed.
type Prepared interface {
	// Done is closed when the document was read to its end, or as far as it goes.
	Done() <-chan struct{}
	// Close ends the reading. After it, and after the document was loaded, its sequences are not touched any more. It may
	// be called again.
	Close()
}

// LoadFunc loads one document of a batch and returns how many rows it had. ctx must come from the one that the batch gave.
// It must not be called from several goroutines at once.
type LoadFunc func(ctx context.Context, doc Prepared) (rows int64, err error)

// ErrBatchBroken is an error of a LoadFunc after which the batch cannot go on: its connection is gone.
var ErrBatchBroken = errors.New("the transaction is lost")

// Loader writes documents into the catalog: COPY into staging, merge with change detection, versions, derived
// fields, all in one transaction a document, ended by a change notice when anything changed. Loading a document twice
// changes nothing. Two loads at once wait for each other.
type Loader interface {
	LoadDocument(ctx context.Context, doc Document, opts LoadOptions) (LoadResult, error)
	// Prepare begins to read a document in the background, as far ahead as memory allows, while the one before it is
	// loaded; opts.Reject and opts.Progress are called from there. ctx ends the reading and must last until the document is
	// loaded. An error is returned when it is loaded.
	Prepare(ctx context.Context, doc Document, opts LoadOptions) Prepared
	// LoadBatch loads the documents that fn passes to load one after the other, all in one transaction: the current
	// advisers and funds, most of a load's work, are computed once, after the last. All documents become visible together.
	// If load returns an error, nothing of that document is kept, and fn decides whether to continue. If fn or the batch
	// itself fails, no document is kept. Results are in the order of the calls; those of failed ones are empty. If several
	// documents of a batch change an adviser or fund, it is counted as added or changed for the first one, and as changed
	// for the others.
	LoadBatch(ctx context.Context, fn func(ctx context.Context, load LoadFunc) error) ([]LoadResult, error)
	// RefreshDerived recomputes what depends on today's date (fund status) and publishes if anything changed.
	// It may run any number of times.
	RefreshDerived(ctx context.Context) (changed int64, err error)
	// Empty reports whether the catalog has no adviser at all.
	Empty(ctx context.Context) (bool, error)
}
