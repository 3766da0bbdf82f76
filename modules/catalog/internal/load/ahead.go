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
	table     string // a COPY: all steps up to the one with end are its data
	data      []byte
	end       bool
	err       error // what reading the document failed with
}

// script is what a session does to stage a document, written down ahead of its turn: parsing and encoding do not wait
// for the database, which is busy with the document before.
type script struct {
	steps  chan step
	spare  chan []byte // buffers to be used again
	cancel context.CancelFunc
	done   chan struct{} // closed when nothing more is written
	err    error         // why the script is not complete; to be read when steps or done are closed
}

// errAbandoned ends the writing of a script that nobody will perform.
var errAbandoned = errors.New("catalogue load: the document is not loaded")

// write runs fn with a session that writes down what it is told.
func write(ctx context.Context, fn func(ctx context.Context, s *session) error) *script {
	ctx, cancel := context.WithCancel(ctx)
	w := &script{steps: make(chan step, aheadMax), spare: make(chan []byte, aheadMax), cancel: cancel, done: make(chan struct{})}
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
func (w *script) close() {
	w.cancel()
	<-w.done
}

func (w *script) add(ctx context.Context, st step) error {
	select {
	case w.steps <- st:
		return nil
	case <-ctx.Done():
		return errors.Join(errAbandoned, context.Cause(ctx))
	}
}

// copy writes down the rows that more appends, until it fails; io.EOF is a good end.
func (w *script) copy(ctx context.Context, table string, rows rowBuffer, more func(r *rowBuffer) error) error {
	for {
		err := more(&rows)
		if err == nil && len(rows.buf) < chunk {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if fault := w.add(ctx, step{table: table, data: rows.buf, end: err != nil}); fault != nil || err != nil {
			return fault
		}
		rows = w.buffer()
	}
}

func (w *script) buffer() rowBuffer {
	select {
	case b := <-w.spare:
		return rowBuffer{buf: b[:0]}
	default:
		return rowBuffer{buf: make([]byte, 0, chunk+chunk/8)}
	}
}

// recycle takes back a buffer whose content was sent.
func (w *script) recycle(b []byte) {
	select {
	case w.spare <- b:
	default:
	}
}

// perform does at the database what was written down, as it comes in, to the end.
func (s *session) perform(ctx context.Context, w *script) error {
	for st := range w.steps {
		var err error
		switch {
		case st.err != nil:
			err = st.err
		case st.table != "":
			err = s.copyIn(ctx, st.table, &feed{steps: w, part: st})
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
	doc    catalogapi.Document
	opts   catalogapi.LoadOptions
	st     *staging // to be touched only when the script is complete
	script *script  // nil: the document is read when it is loaded
}

// Prepare begins to read a document; see catalogapi.Loader.
func (l *Loader) Prepare(ctx context.Context, doc catalogapi.Document, opts catalogapi.LoadOptions) catalogapi.Prepared {
	if opts.Reject == nil {
		opts.Reject = func(catalogapi.Rejected) {}
	}
	p := &prepared{doc: doc, opts: opts}
	if doc.Source == catalogapi.SourceFormD || doc.Source == catalogapi.SourceADVW {
		return p // these stage in their own way
	}
	p.st = newStaging(doc, opts)
	p.script = write(ctx, func(ctx context.Context, s *session) error { return s.stage(ctx, p.st) })
	return p
}

// Done implements catalogapi.Prepared.
func (p *prepared) Done() <-chan struct{} {
	if p.script == nil {
		done := make(chan struct{})
		close(done)
		return done
	}
	return p.script.done
}

// Close implements catalogapi.Prepared.
func (p *prepared) Close() {
	if p.script != nil {
		p.script.close()
	}
}
