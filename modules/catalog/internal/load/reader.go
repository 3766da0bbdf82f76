package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"gpatlas/modules/catalog/catalogapi"
)

const (
	// chunkSize is how much encoded text is gathered before it goes on to the stager.
	chunkSize = 128 << 10
	// chunksAhead is how many chunks a document may be ahead of the database: 48 MiB.
	chunksAhead = 48 << 20 / chunkSize
	// rowsAhead is how many rows the parser passes on at once, and parsedAhead how many such groups may wait to be encoded.
	rowsAhead   = 256
	parsedAhead = 4
	// progressEvery is how many rows pass between two calls of Progress.
	progressEvery = 2000
)

// refused marks, in the maps of keys, a record that was read but not accepted: its children are refused too.
const refused int32 = -1

// chunk is some rows of a table, valid and encoded.
type chunk struct {
	to   *table
	rows []byte
}

// reader reads one document ahead of its turn: it drains the document's sequences in their order, rejects rows that
// cannot be loaded, and puts the others, encoded, into one bounded channel of chunks, from which the stager takes them.
// It stores about a hundred bytes of each record, enough to find its children and to distinguish a repeated row from a
// contradiction. Rows that are complete only at the end of the document wait in a file (see spillFile).
//
// This is what all documents have in common; filingReader, noticeReader and withdrawalReader know what is in one. Its
// fields belong to the reading goroutine until the chunks end, except chunks, names, known and opts. Once named is closed, others read heads too.
type reader struct {
	doc    catalogapi.Document
	opts   catalogapi.LoadOptions
	tables []*table // that its rows are for
	chunks *ahead[chunk]
	put    func(chunk) error

	heads []head           // by number: the filings, notices or withdrawals of the document
	names map[string]int32 // accession → number, or refused
	named chan struct{}    // closed when all heads have passed: names stays as it is from then on

	rows     int64 // read of all tables
	repeated int64 // rows that repeat the key of an earlier one, even with other values
	doubled  int64 // heads repeated word for word

	known atomic.Pointer[map[string]standing] // the heads that the catalog knows, if it was asked before they are complete
}

// head is the row that other rows of a document belong to: a filing, a notice or a withdrawal.
type head struct {
	name string // its accession
	own  digest // of its own row
	all  digest // of all rows in the document that belong to it
}

func newReader(doc catalogapi.Document, opts catalogapi.LoadOptions) *reader {
	if opts.Reject == nil {
		opts.Reject = func(catalogapi.Rejected) {}
	}
	return &reader{doc: doc, opts: opts, names: map[string]int32{}, named: make(chan struct{})}
}

// begin reads the document in the background.
func (r *reader) begin(ctx context.Context, read func(ctx context.Context) error) {
	r.chunks = workAhead(ctx, chunksAhead, func(ctx context.Context, put func(chunk) error) error {
		r.put = put
		return read(ctx)
	})
}

// Done implements catalogapi.Prepared.
func (r *reader) Done() <-chan struct{} { return r.chunks.done }

// Close implements catalogapi.Prepared.
func (r *reader) Close() { r.chunks.close() }

// drain passes the rows of a sequence to take, one after the other. They are parsed in another goroutine, which has ended when
// drain returns.
func drain[T any](ctx context.Context, seq iter.Seq2[T, error], take func(T) error) error {
	if seq == nil {
		return nil
	}
	parsed := workAhead(ctx, parsedAhead, func(_ context.Context, put func([]T) error) error {
		rows := make([]T, 0, rowsAhead)
		for row, err := range seq {
			if err != nil { // after the rows before it
				return cmp.Or(put(rows), err)
			}
			if rows = append(rows, row); len(rows) < rowsAhead {
				continue
			}
			if err := put(rows); err != nil {
				return err
			}
			rows = make([]T, 0, rowsAhead)
		}
		return put(rows)
	})
	defer parsed.close()
	for {
		rows, err := parsed.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := take(row); err != nil {
				return err
			}
		}
	}
}

// drainInto sends the rows of a sequence to a table: encode appends the row, or nothing for one that it refuses.
func drainInto[T any](ctx context.Context, r *reader, to *table, seq iter.Seq2[T, error], encode func(*rowBuffer, T) error) error {
	if seq == nil {
		return nil
	}
	w := r.write(to)
	err := drain(ctx, seq, func(row T) error {
		if err := encode(&w.rowBuffer, row); err != nil {
			return err
		}
		return w.sendFull()
	})
	if err != nil {
		return err
	}
	return w.send()
}

// sendKept sends rows that were kept until the whole document was read: complete appends the row with a number, made from its
// kept part.
//
// Rows of filings that are known to be unchanged are left out, once the set of known filings is loaded.
func (r *reader) sendKept(to *table, rows *spillFile, complete func(out *rowBuffer, no int32, row []byte)) error {
	w, no := r.write(to), int32(-1)
	var same map[string]standing
	if known := r.known.Load(); known != nil {
		same = r.same(*known)
	}
	err := rows.each(func(row []byte) error {
		no++
		if len(same) > 0 {
			if _, leave := same[string(row[:bytes.IndexByte(row, '\t')])]; leave { // the first column is the accession
				return nil
			}
		}
		complete(&w.rowBuffer, no, row)
		return w.sendFull()
	})
	if err != nil {
		return err
	}
	return w.send()
}

// writer gathers rows of one table, and sends them on in chunks.
type writer struct {
	rowBuffer
	to  *table
	put func(chunk) error
}

func (r *reader) write(to *table) *writer { return &writer{rowBuffer{buf: buffer()}, to, r.put} }

// sendFull sends the rows when they are enough for a chunk. To be called between rows.
func (w *writer) sendFull() error {
	if len(w.buf) < chunkSize {
		return nil
	}
	err := w.send()
	w.buf = buffer()
	return err
}

// send sends what there is.
func (w *writer) send() error {
	if len(w.buf) == 0 {
		return nil
	}
	return w.put(chunk{w.to, w.buf})
}

// buffers are those of chunks that were sent, to be used again.
var buffers sync.Pool

func buffer() []byte {
	if b, ok := buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, chunkSize+chunkSize/8)
}

// count counts a row that was read.
func (r *reader) count() {
	r.rows++
	if r.rows%progressEvery == 0 && r.opts.Progress != nil {
		r.opts.Progress(r.rows)
	}
}

// reject sends a row to the quarantine. raw is the part of the row by which it can be found; it is joined only here.
func (r *reader) reject(file string, line int, raw []string, reason string, args ...any) {
	if file == "" {
		file = r.doc.Name
	}
	r.opts.Reject(catalogapi.Rejected{File: file, Line: line, Raw: strings.Join(raw, ","), Reason: fmt.Sprintf(reason, args...)})
}

// Whether an accession was there before.
type duplicateCheck int

const (
	fresh       duplicateCheck = iota
	again                      // with the same row
	contradicts                // with another row, or with one that was refused
)

// sight looks for an accession among the heads. Of two rows with one accession the first stays. A later row with other
// values is rejected, because it is unknown which one is right.
func (r *reader) sight(name string, own digest) (first int32, s duplicateCheck) {
	first, taken := r.names[name]
	switch {
	case !taken:
		return 0, fresh
	case first == refused || r.heads[first].own != own:
		r.repeated++
		return first, contradicts
	default:
		r.repeated++
		r.doubled++
		return first, again
	}
}

var errTooMany = errors.New("a document holds at most 2,147,483,647 filings or funds")

// add numbers a head.
func (r *reader) add(name string, own digest) (no int32, err error) {
	if len(r.heads) == math.MaxInt32 {
		return 0, errTooMany
	}
	no = int32(len(r.heads)) // its length is checked above
	r.heads = append(r.heads, head{name: name, own: own, all: own})
	r.names[name] = no
	return no, nil
}
