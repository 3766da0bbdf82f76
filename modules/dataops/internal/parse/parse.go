// Package parse turns source files into documents of the catalog: the regulator's rosters and Form ADV archives, and
// the list of funds scraped from its site. It also reads lists of LPs' commitments. Files are recognized by content and name, read as streams, and never trusted: rows
// that cannot be used go to a quarantine with file, line and reason, damaged and hostile files are refused with a sentence.
package parse

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/adv"
	"gpatlas/modules/dataops/internal/parse/advw"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/feed"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/formd"
	"gpatlas/modules/dataops/internal/parse/fundlist"
	"gpatlas/modules/dataops/internal/parse/lplist"
	"gpatlas/modules/dataops/internal/parse/roster"
)

// Options say how a document is read.
type Options = format.Options

// Limits bound what archives unfold to.
type Limits = archive.Limits

// Format is one kind of source file.
type Format = format.Format

// Formats returns the kinds that are understood, in the order in which a file is tried on them.
func Formats() []Format {
	return []Format{roster.Format(), adv.Format(), feed.Format(), fundlist.Format(), advw.Format(), formd.Format(), lplist.Format()}
}

// rejectedMax is the default of Options.RejectedMax. Above it, reading fails as soon as the gate would refuse the rows read so far.
//
// Spec: not shown; fifteen years in one document have many millions of rows, and more than 100,000 of them may lack a needed value
// (a Fund ID "can be blank", formats.md §1) though nothing is wrong with the file. A number alone would refuse it. A
// share alone would refuse a short file for a few rows.
const rejectedMax = 100_000

// ErrTooManyRejected says that reading ended because too many rows were of no use.
var ErrTooManyRejected = errors.New("too many rows are unusable")

// Opened is a source file ready to be drained into the catalog.
type Opened struct {
	Kind  string // the format's name: "roster", "adv_archive", "fund_list", …
	Bytes int64  // size on disk
	format.Opened

	tally *tally
	close func() error
}

// Rows returns how many rows of the file were read, including unusable ones. It counts while the document is drained. The heading
// of a Form D notice is one row, even if it is joined from several.
func (o *Opened) Rows() int64 {
	n := o.tally.given.Load() + o.tally.rejected.Load()
	if o.Joined != nil {
		n += o.Joined()
	}
	return n
}

// Close closes the file. The document's sequences must not be used after it.
func (o *Opened) Close() error { return o.close() }

// Open detects the kind of the file or folder and opens it. What makes a whole file unusable (damage, a missing
// column, an unknown charset) is an error here, before any row is read. ctx ends the sequences too, and must live as long as they do.
func Open(ctx context.Context, path string, opts Options) (*Opened, error) {
	if opts.Reject == nil {
		return nil, errors.New("parse: Options.Reject is missing")
	}
	in, err := archive.Open(ctx, path, opts.Limits)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	in.OnClose(func() error { cancel(context.Canceled); return nil })
	rows := &tally{name: in.Name, limit: opts.RejectedMax, pass: opts.Reject, cancel: cancel}
	opts.Reject = rows.reject
	kind, opened, err := open(ctx, in, opts)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	rows.watch(&opened.Document)
	counted(rows, &opened.Commitments)
	return &Opened{Kind: kind, Bytes: in.Bytes, Opened: opened, tally: rows, close: in.Close}, nil
}

func open(ctx context.Context, in *archive.Input, opts Options) (string, format.Opened, error) {
	formats := Formats()
	for _, f := range formats {
		mine, err := f.Detect(in)
		if err != nil {
			return "", format.Opened{}, named(in.Name, err)
		}
		if !mine {
			continue
		}
		opened, err := f.Open(ctx, in, opts)
		if err == nil && f.Name != string(catalogapi.SourceFormD) {
			err = formd.RejectStrays(in, opts)
		}
		if err != nil {
			return "", format.Opened{}, named(in.Name, err)
		}
		opened.Document.Name = in.Name
		if opened.Series == "" {
			opened.Series = f.Name
		}
		return f.Name, opened, nil
	}
	return "", format.Opened{}, unknown(in, formats)
}

// named puts the input's name before an error that does not begin with it.
func named(name string, err error) error {
	if strings.HasPrefix(err.Error(), name+":") {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
