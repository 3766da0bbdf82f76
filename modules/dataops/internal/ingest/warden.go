package ingest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/modules/dataops/internal/run"
)

// warden takes one document through the quality gate, when it is staged and before it is merged.
type warden struct {
	service   *Service
	name      string
	opened    *parse.Opened
	end       *run.End
	bad       *quarantine
	batch     *neighbours
	whole     bool                 // a list that names everybody who is on it
	withdrawn map[string]time.Time // the day of the newest full withdrawal of each adviser; nil = the document has none
}

// neighbours are the documents of the same batch that were loaded before: their runs are not completed yet, so that the
// account does not know them.
type neighbours struct {
	series map[string]gate.Baseline
	sha256 map[string]bool // by series and checksum
}

// add remembers a document that was loaded.
func (n *neighbours) add(id int64, name string, end *run.End) {
	if n.series == nil {
		n.series, n.sha256 = make(map[string]gate.Baseline), make(map[string]bool)
	}
	if n.sha256[end.Series+" "+end.SHA256] {
		return
	}
	n.sha256[end.Series+" "+end.SHA256] = true
	n.series[end.Series] = gate.Baseline{RunID: id, Document: name, Advisers: end.Looks.Advisers, Layout: end.Looks.Layout}
}

// baseline is what the document is held against: the one of its series before it. There is none (held is false) for the
// first of a series, and for bytes that were loaded before.
func (w *warden) baseline(ctx context.Context) (b gate.Baseline, held bool, err error) {
	b, held = w.batch.series[w.end.Series]
	if !held {
		return w.service.runs.Baseline(ctx, w.end.Series, w.end.SHA256)
	}
	if w.batch.sha256[w.end.Series+" "+w.end.SHA256] {
		return b, false, nil
	}
	loaded, err := w.service.runs.Loaded(ctx, w.end.Series, w.end.SHA256)
	return b, !loaded, err
}

// watched is the document, with its withdrawals noted as they pass.
func (w *warden) watched() catalogapi.Document {
	doc := w.opened.Document
	if w.opened.Snapshot {
		doc.List = w.end.Series
	}
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

// accept judges the document once it is staged, all of it at once: a lost column must not hide that no row can be used. It runs inside the load's transaction, under the lock of the loads: what is compared
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
	before, held, err := w.baseline(ctx)
	if err != nil {
		return err
	}
	var found []gate.Finding
	if held {
		found = gate.Columns(before, w.opened.Layout, w.opened.Reads)
	}
	unusable, first := w.bad.soFar()
	if unusable > 0 && staged.Filings == 0 {
		return w.judge(ctx, append([]gate.Finding{gate.Nothing(unusable, w.opened.Rows(), first)}, found...))
	}
	found = append(found, gate.Repeated(staged.Duplicates+repeated, staged.Rows+repeated)...)
	found = append(found, gate.Unusable(unusable-repeated, w.opened.Rows())...)
	if held && w.opened.Snapshot {
		found = append(found, gate.Universe(before, staged.Advisers)...)
	}
	if w.opened.Doubt != nil {
		w.doubt(ctx, w.opened.Doubt())
	}
	w.whole = w.isWhole(ctx, staged, unusable-repeated)
	if held && len(w.withdrawn) > 0 {
		current, lost, err := w.service.runs.Loss(ctx, w.withdrawn)
		if err != nil {
			return err
		}
		found = append(found, gate.Withdrawals(current, lost)...)
	}
	return w.judge(ctx, found)
}

// doubt tells that the document's day may be wrong. A wrong one keeps an edition from replacing those that are older in truth.
func (w *warden) doubt(ctx context.Context, why string) {
	if why == "" {
		return
	}
	w.service.log.WarnContext(ctx, "the day of a document is in doubt", slog.String("document", w.name), slog.String("reason", why))
	w.end.Doubts = []gate.Finding{{Check: gate.EditionDoubtful, Reason: why}}
}

// isWhole says whether a list names everybody who is on it, so that who is missing has left it. An adviser whose row is in
// quarantine is on it; and where more than a quarter is missing, the list is a cut, unless the operator says that it is right.
func (w *warden) isWhole(ctx context.Context, staged catalogapi.Staged, unusable int64) bool {
	if !w.opened.Snapshot {
		return true
	}
	var reason string
	switch {
	case unusable > 0:
		reason = fmt.Sprintf("%d of its rows cannot be used", unusable)
	case !gate.Whole(staged.Listed, staged.Gone) && !slices.Contains(w.service.cfg.Accept, gate.UniverseShrunk):
		reason = fmt.Sprintf("it no longer lists %d of the %d advisers in the previous edition", staged.Gone, staged.Listed)
	default:
		return true
	}
	w.service.log.WarnContext(ctx, "a list may be incomplete: no adviser is marked as no longer listed", slog.String("document", w.name), slog.String("reason", reason))
	return false
}

// judge stops the document, unless the operator lets pass what was found.
func (w *warden) judge(ctx context.Context, found []gate.Finding) error {
	passed, err := gate.Judge(found, w.service.cfg.Accept)
	for _, f := range passed {
		w.service.log.WarnContext(ctx, "the operator accepted a document at the quality gate", slog.String("document", w.name),
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
