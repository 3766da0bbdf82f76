// Package format is the interface of all kinds of source files: what each parser receives, and how it describes itself. A new kind is a package with one Format, and one line in the list of package parse.
package format

import (
	"context"
	"errors"
	"iter"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/people/peopleapi"
)

// Options say how a document is read.
type Options struct {
	// Reject is called with every row that cannot be used. It is called from within Open and the document's sequences,
	// never from two goroutines at once. It must not be nil.
	Reject func(catalogapi.Rejected)
	// RejectedMax ends the reading with an error when more rows than this are rejected, and more than one in twenty of
	// the rows read so far: such a file is not what it seems. 0 is the default of 100,000.
	RejectedMax int64
	// NotAfter refuses filings dated later, so that a mistyped year does not become the newest filing for ever. Zero: any date.
	NotAfter time.Time
	// Unended lets tables pass whose last row is whole but has no line end.
	Unended bool
	// Limits bound what archives unfold to.
	Limits archive.Limits
}

// Format is one kind of source file.
type Format struct {
	Name  string // the kind, such as "roster": short, lower case, kept in the ingestion run
	Looks string // what such a file is called in the message about an unknown one, such as "a monthly roster of advisers"
	// Columns are those by which a table of this kind is known, as the messages show them; nil = it is known otherwise.
	Columns []string
	// Also has another usual header for each of Columns, for the messages. Nil: none.
	Also []string
	// Names returns the one of Columns that a header means, if headers have many spellings. Nil: they have one.
	Names func(header string) string
	// Part describes what the input must contain if the kind is not recognized by a table's columns, and which inputs may have it.
	Part Part
	// Detect reports by names and by the first bytes whether the input is of this kind. An error is a fault of the input
	// that prevents the answer.
	Detect func(in *archive.Input) (bool, error)
	// Open checks the input, as far as it must be read for that, and returns the document. The sequences stop with the
	// context's cause when ctx is done.
	Open func(ctx context.Context, in *archive.Input, opts Options) (Opened, error)
}

// Part is what makes a file one of its kind, other than columns.
type Part struct {
	Name    string   // such as "the root element IAPDFirmSECReport"
	Endings []string // of the files that have it: ".xml"; "/" means a folder or an archive of several files
}

// Opened is a document ready to be drained, and what the quality checks need to know of it.
type Opened struct {
	Document catalogapi.Document
	// Commitments are the rows of a list of LPs' commitments, each LP, fund and day once; the Document then has only its
	// name. Nil: it is not such a list.
	Commitments iter.Seq2[*peopleapi.Commitment, error]
	// Unlisted names the fields of a commitment for which a list has no column.
	Unlisted []string
	// Series names the documents that follow one another and can be compared, such as
	// "roster/registered"; it begins with the format's name. Empty: the format's name.
	Series string
	// Layout has the columns of each table as folded headers (table.Fold), for the check that none was lost. Tables have
	// names that stay the same in every edition. Nil: not checked.
	Layout map[string][]string
	// Reads returns the folded present name of the column that a header of the layout means, and "" for a column that is not
	// read and may therefore be missing. Nil: every column is read.
	Reads func(table, header string) string
	// Lacks names the tables that documents of this format have and this one lacks. The document states nothing about their content.
	Lacks []string
	// Repeated returns, once the document is drained, how many rows the parser left out because their key had been read
	// before. Nil: none.
	Repeated func() int64
	// Sums returns, once the document is drained, how many of its rows are sums of others by their names. They are in quarantine, but the document
	// lacks nothing without them. Nil: none.
	Sums func() int64
	// Misdated returns, once the document is drained, how many filings are dated outside the days that the document's name states, and how many it
	// has. Nil: they are not counted.
	Misdated func() (outside, filings int64)
	// Filed returns, once the document is drained, how many rows its filings have in each table. Nil: they are not counted.
	Filed func() []gate.Filers
	// Filled returns, once the document is drained, how many rows of each table have a value in each column that is read. Nil: they
	// are not counted.
	Filled func() map[string]gate.Fill
	// Joined returns, once the document is drained, how many rows of the file were yielded as part of another; negative if
	// more rows were yielded than the file has. Nil: each row was yielded as one.
	Joined func() int64
	// Doubt returns, once the document is drained, why its day may be wrong; empty: it is not in doubt. Nil: never.
	Doubt func() string
	// Snapshot means that the document names every adviser of its series, so that a missing one has left it.
	Snapshot bool
}

// Header returns the folded header of a text (table.Fold), to recognize a kind by its columns; a binary file has none.
func Header(m *archive.Member) ([]string, error) {
	head, err := m.Head()
	if err != nil {
		return nil, err
	}
	names, err := table.Header(head)
	if errors.Is(err, table.ErrBinary) {
		return nil, nil
	}
	return names, err
}
