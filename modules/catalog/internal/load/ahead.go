package load

import (
	"context"
	"errors"
	"io"

	"gpatlas/modules/catalog/catalogapi"
)

// aheadMax is how many chunks a document may be ahead of the database: 48 MiB of encoded rows.
const aheadMax = 48 << 20 / chunk

// step is one thing to be done at the database: a statement, or a part of what is copied into a table.
type step struct {
	what, sql string // a statement
	into      target // a COPY, where it has a name: all steps up to the one with end are its data
	data      []byte
	end       bool
	err       error // what reading the document failed with
}

// target is a table that rows are copied into: a temporary one, where they are compared with what is known; or straight
// the catalogue's own, where nothing is known yet.
type target struct{ staged, final, columns string }

// copyTo is the COPY into the target.
func (t target) copyTo(straight bool) string {
	table := t.staged
	if straight {
		table = t.final
	}
	return "COPY " + table + t.columns + " FROM STDIN"
}

// temporary is a table that is temporary in any case.
func temporary(table string) target { return target{staged: table, final: table} }

// recording is what a session does to stage a document, written down ahead of its turn: parsing and encoding do not wait
// for the database, which is busy with the document before.
type recording struct {
	steps  chan step
	spare  chan []byte // buffers to be used again
	cancel context.CancelFunc
	done   chan struct{} // closed when nothing more is written
	err    error         // why the recording is not complete; to be read when steps or done are closed
}

// errAbandoned ends the writing of a recording that nobody will replay.
var errAbandoned = errors.New("catalog load: the document is not loaded")

// write runs fn with a session that records what it is told.
func write(ctx context.Context, fn func(ctx context.Context, s *session) error) *recording {
	ctx, cancel := context.WithCancel(ctx)
	w := &recording{steps: make(chan step, aheadMax), spare: make(chan []byte, aheadMax), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(w.steps)
		defer close(w.done)
		if w.err = fn(ctx, &session{ahead: w}); w.err != nil {
			_ = w.add(ctx, step{err: w.err}) // where that fails, nobody listens any more
		}
	}()
	return w
}

// close ends the writing, whether it is complete or not. It may be called again.
func (w *recording) close() {
	w.cancel()
	<-w.done
}

func (w *recording) add(ctx context.Context, st step) error {
	select {
	case w.steps <- st:
		return nil
	case <-ctx.Done():
		return errors.Join(errAbandoned, context.Cause(ctx))
	}
}

// copy writes down the rows that more appends, until it fails; io.EOF is a good end.
func (w *recording) copy(ctx context.Context, into target, rows rowBuffer, more func(r *rowBuffer) error) error {
	for {
		err := more(&rows)
		if err == nil && len(rows.buf) < chunk {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if fault := w.add(ctx, step{into: into, data: rows.buf, end: err != nil}); fault != nil || err != nil {
			return fault
		}
		rows = w.buffer()
	}
}

// drain writes down the rows that fill appends; it says sent when they are enough for a step.
func (w *recording) drain(ctx context.Context, into target, fill func(r *rowBuffer, sent func() error) error) error {
	rows := w.buffer()
	err := fill(&rows, func() error {
		err := w.add(ctx, step{into: into, data: rows.buf})
		rows = w.buffer()
		return err
	})
	if err != nil {
		return err
	}
	return w.add(ctx, step{into: into, data: rows.buf, end: true})
}

func (w *recording) buffer() rowBuffer {
	select {
	case b := <-w.spare:
		return rowBuffer{buf: b[:0]}
	default:
		return rowBuffer{buf: make([]byte, 0, chunk+chunk/8)}
	}
}

// recycle takes back a buffer whose content was sent.
func (w *recording) recycle(b []byte) {
	select {
	case w.spare <- b:
	default:
	}
}

// replay does at the database what was recorded, as it comes in, to the end. Straight means into the catalogue's own
// tables: the statements, which make the temporary ones, are passed over.
func (s *session) replay(ctx context.Context, w *recording, straight bool) error {
	for st := range w.steps {
		var err error
		switch {
		case st.err != nil:
			err = st.err
		case st.into.staged != "":
			err = s.copyFrom(ctx, st.into.copyTo(straight), &feed{steps: w, part: st})
		case straight:
		default:
			err = s.exec(ctx, st.what, st.sql)
		}
		if err != nil {
			return err
		}
	}
	return w.err
}

// prepared is a document that is read and encoded ahead of its turn.
type prepared struct {
	doc       catalogapi.Document
	opts      catalogapi.LoadOptions
	st        *staging         // to be touched only when the recording is complete, but for what listed says
	offers    *offeringStaging // in its place, of Form D
	listed    chan struct{}    // closed when the filings have passed: their names stay as they are from then on
	recording *recording       // nil: the document is read when it is loaded
}

// Prepare begins to read a document; see catalogapi.Loader.
func (l *Loader) Prepare(ctx context.Context, doc catalogapi.Document, opts catalogapi.LoadOptions) catalogapi.Prepared {
	if opts.Reject == nil {
		opts.Reject = func(catalogapi.Rejected) {}
	}
	p := &prepared{doc: doc, opts: opts}
	p.listed = make(chan struct{})
	listed := func() { close(p.listed) }
	switch doc.Source {
	case catalogapi.SourceADVW: // few rows
	case catalogapi.SourceFormD:
		p.offers = newOfferingStaging(doc, opts)
		p.recording = write(ctx, func(ctx context.Context, s *session) error {
			defer p.offers.rowsKept.close()
			return s.stageOfferings(ctx, p.offers, listed)
		})
	default:
		p.st = newStaging(doc, opts)
		p.recording = write(ctx, func(ctx context.Context, s *session) error {
			defer p.st.close()
			return s.stage(ctx, p.st, listed)
		})
	}
	return p
}

// names are those of the document's filings; to be asked when they have passed.
func (p *prepared) names() map[string]int32 {
	if p.offers != nil {
		return p.offers.byAccession
	}
	return p.st.byAccess
}

// Done implements catalogapi.Prepared.
func (p *prepared) Done() <-chan struct{} {
	if p.recording == nil {
		done := make(chan struct{})
		close(done)
		return done
	}
	return p.recording.done
}

// Close implements catalogapi.Prepared.
func (p *prepared) Close() {
	if p.recording != nil {
		p.recording.close()
	}
}
