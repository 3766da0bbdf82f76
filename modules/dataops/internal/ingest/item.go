package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/modules/people/peopleapi"
)

// item is one document in progress: opened, possibly while the one before it is loaded, then loaded, then recorded.
type item struct {
	s  *Service
	in Item
	at int // its index among the documents

	id     int64 // of its run
	start  run.Start
	check  *qualityCheck
	handed bool // the loader was asked to load it
	begun  time.Time
	// besides is how long stages had taken when it began.
	besides  time.Duration
	ended    time.Time
	ready    chan struct{}   // closed when it is open, or failed to be; nil = not begun
	ctx      context.Context //nolint:containedctx // of opening and reading; the parser keeps it anyway
	abort    context.CancelCauseFunc
	bad      *quarantine
	opened   *parse.Opened
	ahead    catalogapi.Prepared
	shown    atomic.Bool // the reader's progress is this document's
	undo     []func() error
	rows     int64 // that its file has
	result   int   // index among the batch's results; -1 = it was not loaded into the catalog
	listed   peopleapi.ListResult
	replaced []string // documents whose figures the list replaced

	end run.End
	doc Document
	err error
}

// begin records the run and opens the document in the background, once the one before it was read: two at a time
// would only take the processor from each other.
func (it *item) begin(ctx context.Context, session *run.Session, before catalogapi.Prepared, progress Progress) {
	it.begun, it.ready, it.result = it.s.clock.Now(), make(chan struct{}), -1
	it.doc = Document{Document: it.in.Name, Location: it.in.location(), Source: run.UnknownSource, State: run.Failed}
	it.start = run.Start{Document: it.in.Name, Location: it.in.location(), Source: it.in.Source, Extraction: it.in.Extraction, At: it.begun}
	it.ctx, it.abort = context.WithCancelCause(ctx)
	it.id, it.err = session.Begin(ctx, it.start)
	if it.err != nil {
		close(it.ready)
		return
	}
	it.bad = &quarantine{ctx: it.ctx, abort: it.abort, write: func(ctx context.Context, rejected []catalogapi.Rejected) error {
		return it.s.runs.Quarantine(ctx, it.id, rejected)
	}}
	go func() {
		defer close(it.ready)
		if before != nil {
			<-before.Done()
		}
		it.err = it.open(it.ctx, progress)
	}()
}

// open fetches what is remote, opens the document and begins to read it.
func (it *item) open(ctx context.Context, progress Progress) (err error) {
	path := it.in.Path
	if path == "" && it.in.Remote != nil {
		file, err := it.s.fetch.Fetch(ctx, fetch.Request{URL: it.in.Remote, Name: it.in.Name})
		if err != nil {
			return err
		}
		it.undo = append(it.undo, func() error { _ = file.Release(); return nil }) // a copy that remains is used again or cleaned up
		path = file.Path
	}
	opts := parse.Options{Reject: it.bad.reject}
	if !it.s.cfg.AnyDate {
		opts.NotAfter = it.s.clock.Now().AddDate(0, 0, 1) // a day's grace: filings carry no time zone
	}
	if slices.Contains(it.s.cfg.Accept, gate.RowsUnusable) {
		opts.RejectedMax = math.MaxInt64
	}
	opts.Unended = slices.Contains(it.s.cfg.Accept, gate.RowsLost)
	if it.opened, err = parse.Open(ctx, path, opts); err != nil {
		if _, cut := errors.AsType[*table.CutError](err); cut {
			it.end.Series = string(catalogapi.SourceADVArchive) // only archives are checked for empty tables before they are open
		}
		return err
	}
	it.undo = append(it.undo, it.opened.Close)
	it.end.Source, it.end.Bytes, it.end.Series = it.opened.Kind, it.opened.Bytes, it.opened.Series
	it.end.Looks.Layout = it.opened.Layout
	if it.end.SHA256, err = checksum(ctx, path); err != nil {
		return err
	}
	it.check = &qualityCheck{service: it.s, name: it.in.Name, opened: it.opened, end: &it.end, bad: it.bad}
	if it.opened.Commitments != nil {
		return nil // it is read when it is loaded: it is short
	}
	it.ahead = it.s.loader.Prepare(ctx, it.check.document(), catalogapi.LoadOptions{
		RunID: it.id, Reject: it.bad.reject, Accept: it.check.accept,
		Whole: func() bool { return it.check.whole }, Progress: func(rows int64) {
			if it.shown.Load() {
				progress.Rows(rows)
			}
		},
	})
	it.undo = append(it.undo, func() error { it.ahead.Close(); return nil })
	return nil
}

// errQuarantineLost means that rejected rows could not be stored: no row may be dropped without a record.
var errQuarantineLost = errors.New("its quarantined rows could not be written")

// load passes the open document to the loader, closes it, and returns how many rows it had. ctx is the batch's: nothing
// else may be written with it.
func (it *item) load(ctx context.Context, load catalogapi.LoadFunc, batch *batchDocuments, q *queue) (rows int64) {
	it.check.batch = batch
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(it.ctx, func() { cancel(context.Cause(it.ctx)) })()
	if it.opened.Commitments != nil {
		rows, it.err = it.loadCommitments(ctx)
	} else {
		it.handed = true
		rows, it.err = load(ctx, it.ahead)
	}
	if cause := context.Cause(it.ctx); it.err != nil && cause != nil && !errors.Is(it.err, cause) {
		it.err = fmt.Errorf("%w (%w)", cause, it.err)
	}
	loaded := it.err == nil
	if loaded {
		it.rows = it.opened.Rows()
	}
	if it.close(); loaded && it.err != nil {
		it.err = fmt.Errorf("%w: %w", errQuarantineLost, it.err)
	}
	it.ended = it.s.clock.Now().Add(it.besides - q.stages.total()) // the documents before it may have been derived
	if it.err == nil {
		batch.add(it.id, it.in.Name, &it.end)
		q.progress.Staged(Document{Document: it.in.Name, Read: it.rows, Seconds: it.ended.Sub(it.begun).Seconds()})
	}
	return rows
}

// close releases the document and writes the rest of its quarantine.
func (it *item) close() {
	if it.ready == nil {
		return
	}
	<-it.ready
	for _, undo := range slices.Backward(it.undo) {
		it.err = errors.Join(it.err, undo())
	}
	it.undo, it.opened, it.ahead = nil, nil, nil // a batch is long, and they are large
	if it.bad != nil {
		it.err = errors.Join(it.err, it.bad.close())
		it.end.Quarantined, it.doc.FirstReason = it.bad.count, it.bad.first
	}
	it.abort(nil)
}

// stopped is why a document was not loaded when the ingestion was asked to stop.
type stopped struct{ cause error }

func (stopped) Error() string {
	return "stopped before it was loaded; nothing of it is kept, and the same command loads it"
}

func (e stopped) Unwrap() error { return e.cause }

// finish records the result of the document, loaded or not.
func (it *item) finish(ctx context.Context, session *run.Session) {
	it.close()
	if it.err != nil && ctx.Err() != nil {
		it.err = stopped{context.Cause(ctx)} // in place of what broke off because of it
	}
	if errors.Is(it.err, parse.ErrTooManyRejected) {
		it.err = &gate.StoppedError{Findings: []gate.Finding{gate.TooMany(it.err)}}
	}
	it.err = cutOff(it.err, it.in.Name)
	it.end.At, it.end.Err, it.end.Stopped = it.s.clock.Now(), it.err, gate.Stopped(it.err)
	if it.ended.IsZero() {
		it.ended = it.end.At
	}
	it.record(ctx, session)
	d := &it.doc
	d.RunID, d.Bytes, d.SHA256, d.Quarantined = it.id, it.end.Bytes, it.end.SHA256, it.end.Quarantined
	d.Seconds = it.ended.Sub(it.begun).Seconds()
	d.count(it.end.Result)
	if it.err == nil {
		d.countCommitments(it.listed)
		d.Replaces = it.replaced
	}
	d.Series, d.Stopped, d.Accepted = it.end.Series, checks(it.end.Stopped), checks(it.end.Passed)
	for _, f := range it.end.Doubts {
		d.Warnings = append(d.Warnings, f.Reason)
	}
	d.RowsPerSecond = perSecond(d.Read, d.Seconds)
	if it.end.Source != "" {
		d.Source = it.end.Source
	}
	for _, f := range it.end.Stopped {
		it.s.log.ErrorContext(ctx, "document stopped by the quality gate", slog.String("document", it.in.Name), slog.Int64("run_id", it.id),
			slog.String("check", string(f.Check)), slog.String("reason", f.Reason))
	}
	if it.err != nil {
		d.Error = it.err.Error()
		it.s.log.ErrorContext(ctx, "ingestion failed", slog.String("document", it.in.Name), slog.Int64("run_id", it.id), slog.Any("error", it.err))
		return
	}
	d.State = run.Completed
	for _, t := range d.TakenBack {
		it.s.log.WarnContext(ctx, "a withdrawal was taken back", slog.String("document", it.in.Name), slog.Int64("run_id", it.id),
			slog.Int64("filing_id", t.FilingID), slog.String("crd", t.CRD))
	}
	for _, t := range d.CommitmentsBack {
		it.s.log.WarnContext(ctx, "a commitment was taken back", slog.String("document", it.in.Name), slog.Int64("run_id", it.id),
			slog.String("lp", t.LP), slog.String("state", t.State), slog.String("fund", t.Fund), slog.String("as_of", t.AsOf))
	}
	if len(d.Replaces) > 0 {
		it.s.log.WarnContext(ctx, "figures of other documents were replaced", slog.String("document", it.in.Name), slog.Int64("run_id", it.id), slog.Any("documents", d.Replaces))
	}
	it.s.log.InfoContext(ctx, "document ingested", slog.String("document", it.in.Name), slog.Int64("run_id", it.id),
		slog.String("source", d.Source), slog.Int64("rows", d.Read), slog.Bool("changed", d.Changed),
		slog.Int64("quarantined", d.Quarantined), slog.Duration("took", time.Duration(d.Seconds*float64(time.Second)).Round(time.Millisecond)))
}
