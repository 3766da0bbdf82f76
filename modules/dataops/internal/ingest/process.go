package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/modules/dataops/internal/run"
)

// process fetches, opens and loads a document, and fills in what is learned of it on the way.
func (s *Service) process(ctx context.Context, id int64, in Item, end *run.End, doc *Document, progress Progress) (err error) {
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	path := in.Path
	if path == "" && in.Remote != nil {
		file, err := s.fetch.Fetch(ctx, fetch.Request{URL: in.Remote, Name: in.Name})
		if err != nil {
			return err
		}
		defer func() { _ = file.Release() }() // a copy that stays is found again, or swept away
		path = file.Path
	}
	q := &quarantine{ctx: ctx, abort: abort, write: func(ctx context.Context, rejected []catalogapi.Rejected) error {
		return s.runs.Quarantine(ctx, id, rejected)
	}}
	defer func() {
		err = errors.Join(err, q.close())
		end.Quarantined, doc.FirstReason = q.count, q.first
	}()
	opts := parse.Options{Reject: q.reject}
	if !s.cfg.AnyDate {
		opts.NotAfter = s.clock.Now().AddDate(0, 0, 1) // a day's grace: filings carry no time zone
	}
	opened, err := parse.Open(ctx, path, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	end.Source, end.Bytes, end.Series, end.Looks.Layout = opened.Kind, opened.Bytes, opened.Series, opened.Layout
	if end.SHA256, err = checksum(ctx, path); err != nil {
		return err
	}
	w := &warden{service: s, name: in.Name, opened: opened, end: end}
	if err := w.looks(ctx); err != nil {
		return err
	}
	end.Result, err = s.loader.LoadDocument(ctx, w.watched(), catalogapi.LoadOptions{
		RunID: id, Reject: q.reject, Progress: progress.Rows, Accept: w.accept,
	})
	if cause := context.Cause(ctx); err != nil && cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w (%w)", cause, err)
	}
	return err
}

// warden takes one document through the quality gate: by its looks before it is drained, by its figures before it is
// merged.
type warden struct {
	service   *Service
	name      string
	opened    *parse.Opened
	end       *run.End
	withdrawn map[string]time.Time // the day of the newest full withdrawal of each adviser; nil = the document has none
}

// looks judges what shows without draining the document.
func (w *warden) looks(ctx context.Context) error {
	before, held, err := w.service.runs.Baseline(ctx, w.end.Series, w.end.SHA256)
	if err != nil || !held {
		return err
	}
	return w.judge(ctx, gate.Columns(before, w.opened.Layout))
}

// watched is the document, with its withdrawals noted as they pass.
func (w *warden) watched() catalogapi.Document {
	doc := w.opened.Document
	rows := doc.Withdrawals
	if rows == nil {
		return doc
	}
	w.withdrawn = make(map[string]time.Time)
	doc.Withdrawals = func(yield func(*catalogapi.WithdrawalRow, error) bool) {
		for row, err := range rows {
			if err == nil && row.Full && row.Submitted.After(w.withdrawn[row.CRD]) {
				w.withdrawn[row.CRD] = row.Submitted
			}
			if !yield(row, err) {
				return
			}
		}
	}
	return doc
}

// accept judges what was staged. It runs inside the load's transaction, under the lock of the loads: what is compared
// cannot change meanwhile.
//
// Only two kinds of document can take advisers out of what is served: a list of all of them, and withdrawals. An archive
// is a delta of filings and adds to the catalogue, so that a short month is no loss.
func (w *warden) accept(ctx context.Context, staged catalogapi.Staged) error {
	repeated := int64(0)
	if w.opened.Repeated != nil {
		repeated = w.opened.Repeated()
	}
	w.end.Looks.Advisers, w.end.Looks.Duplicates = staged.Advisers, staged.Duplicates+repeated
	found := gate.Repeated(staged.Duplicates+repeated, staged.Rows+repeated)
	before, held, err := w.service.runs.Baseline(ctx, w.end.Series, w.end.SHA256)
	if err != nil {
		return err
	}
	if held && w.opened.Snapshot {
		found = append(found, gate.Universe(before, staged.Advisers)...)
	}
	if held && len(w.withdrawn) > 0 {
		current, lost, err := w.service.runs.Loss(ctx, w.withdrawn)
		if err != nil {
			return err
		}
		found = append(found, gate.Withdrawals(current, lost)...)
	}
	return w.judge(ctx, found)
}

// judge stops the document, unless the operator lets pass what was found.
func (w *warden) judge(ctx context.Context, found []gate.Finding) error {
	passed, err := gate.Judge(found, w.service.cfg.Accept)
	for _, f := range passed {
		w.service.log.WarnContext(ctx, "the operator lets a document pass the quality gate", slog.String("document", w.name),
			slog.String("check", string(f.Check)), slog.String("reason", f.Reason))
	}
	w.end.Passed = append(w.end.Passed, passed...)
	if err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	return nil
}

// checks names the rules of findings, for the summary.
func checks(found []gate.Finding) []string {
	var names []string
	for _, f := range found {
		names = append(names, string(f.Check))
	}
	return names
}
