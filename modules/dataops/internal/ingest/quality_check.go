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
	"gpatlas/modules/people/peopleapi"
)

// qualityCheck takes one document through the quality gate, when it is staged and before it is merged.
type qualityCheck struct {
	service   *Service
	name      string
	opened    *parse.Opened
	end       *run.End
	bad       *quarantine
	batch     *batchDocuments
	lacking   []peopleapi.TakenBack   // what a list of commitments would take back
	renamed   []peopleapi.Renamed     // LPs that a list of commitments may have under another name
	funds     []peopleapi.RenamedFund // funds of LPs that it may have under another name
	from      []int64                 // the ingestions of the figures that a list of commitments replaces or follows
	whole     bool                    // a complete list of advisers
	withdrawn map[string]time.Time    // the day of the newest full withdrawal of each adviser; nil = the document has none
}

// batchDocuments are the documents of the same batch that were loaded before. Their runs are not completed yet, so the
// stored runs do not include them.
type batchDocuments struct {
	series map[string][]gate.Baseline // in the order of loading
	loaded map[bytesOf][]time.Time    // the days of the editions with some bytes

	looks map[string][]gate.Counted // as series
	filed map[filer][]place         // the filings of an adviser, in the order of loading
}

// bytesOf is what two loads of one edition share, besides the day. The same bytes under another day are another edition.
type bytesOf struct{ series, sha256 string }

// has reports whether the batch has loaded an edition. An unknown day is any day, as in run.Store.Loaded.
func (n *batchDocuments) has(end *run.End) bool {
	return slices.ContainsFunc(n.loaded[bytesOf{end.Series, end.SHA256}], func(day time.Time) bool {
		return day.IsZero() || end.Looks.Edition.IsZero() || day.Equal(end.Looks.Edition)
	})
}

// add adds a document that was loaded.
func (n *batchDocuments) add(id int64, name string, end *run.End) {
	if n.series == nil {
		n.series, n.loaded = make(map[string][]gate.Baseline), make(map[bytesOf][]time.Time)
		n.looks = make(map[string][]gate.Counted)
	}
	if n.has(end) {
		return
	}
	key := bytesOf{end.Series, end.SHA256}
	n.loaded[key] = append(n.loaded[key], end.Looks.Edition)
	n.series[end.Series] = append(n.series[end.Series],
		gate.Baseline{RunID: id, Document: name, Edition: end.Looks.Edition, Advisers: end.Looks.Advisers, Layout: end.Looks.Layout})
	n.looks[end.Series] = append(n.looks[end.Series],
		gate.Counted{RunID: id, Document: name, Spreads: gate.Spreads(end.Looks.Filed), Filled: end.Looks.Filled})
	n.keep(end.Looks.Filed)
}

// before returns the document of the batch that an edition of the series is compared with, by the rule of run.Store.Baseline.
func (n *batchDocuments) before(series string, edition time.Time) (b gate.Baseline, known bool) {
	for _, other := range n.series[series] {
		if follows(edition, other.Edition) && (!known || edition.IsZero() || !other.Edition.Before(b.Edition)) {
			b, known = other, true
		}
	}
	return b, known
}

// follows reports whether an edition can be compared with another: it is not older, as far as is known.
func follows(edition, other time.Time) bool {
	return edition.IsZero() || !edition.Before(other)
}

// baseline is the document before it in its series, with which it is compared. There is none (known is false) for the
// first of a series, and for an edition whose bytes were loaded before.
func (c *qualityCheck) baseline(ctx context.Context) (b gate.Baseline, known bool, err error) {
	series, sum, edition := c.end.Series, c.end.SHA256, c.end.Looks.Edition
	if c.batch.has(c.end) {
		return b, false, nil
	}
	if c.opened.Commitments != nil {
		return c.listBefore(ctx)
	}
	stored, held, err := c.service.runs.Baseline(ctx, series, sum, edition)
	if err != nil {
		return b, false, err
	}
	b, known = c.batch.before(series, edition)
	switch {
	case !known || held && !edition.IsZero() && stored.Edition.After(b.Edition):
		return stored, held, nil
	case held:
		return b, true, nil
	}
	loaded, err := c.service.runs.Loaded(ctx, series, sum, edition)
	return b, !loaded, err
}

// document is the document to load; its withdrawals are noted as they are read.
func (c *qualityCheck) document() catalogapi.Document {
	doc := c.opened.Document
	if c.opened.Snapshot {
		doc.List = c.end.Series
	}
	rows := doc.Withdrawals
	if rows == nil {
		return doc
	}
	c.withdrawn = make(map[string]time.Time)
	doc.Withdrawals = func(yield func(*catalogapi.WithdrawalRow, error) bool) {
		for row, err := range rows {
			if err == nil && row.Full && row.Submitted.After(c.withdrawn[row.CRD]) {
				c.withdrawn[row.CRD] = row.Submitted
			}
			if !yield(row, err) {
				return
			}
		}
	}
	return doc
}

// accept applies all rules to the document once it is staged: a lost column must not hide that no row can be used. It runs
// inside the load's transaction, under the lock of the loads, so that the data it compares with cannot change meanwhile.
//
// Only two kinds of document can remove advisers from what is served: a list of all of them, and withdrawals. An archive
// is a delta of filings and adds to the catalog, so a short month loses nothing.
func (c *qualityCheck) accept(ctx context.Context, staged catalogapi.Staged) error {
	repeated := int64(0)
	if c.opened.Repeated != nil {
		repeated = c.opened.Repeated()
	}
	c.end.Looks.Advisers, c.end.Looks.Duplicates, c.end.Looks.Keyed = staged.Advisers, staged.Duplicates+repeated, staged.Keyed+repeated
	if edition := c.opened.Document.Edition; edition != nil {
		c.end.Looks.Edition = edition()
	}
	before, known, err := c.baseline(ctx)
	if err != nil {
		return err
	}
	var found []gate.Finding
	if known {
		found = append(gate.Columns(before, c.opened.Layout, c.opened.Reads), gate.Tables(before, c.opened.Layout)...)
	}
	if len(c.opened.Lacks) > 0 && !slices.ContainsFunc(found, func(f gate.Finding) bool { return f.Check == gate.TableLost }) {
		c.doubt(ctx, gate.Lacking(c.opened.Lacks))
	}
	unusable, first := c.bad.soFar()
	useless := unusable - repeated // rows that might say something
	if c.opened.Sums != nil {
		useless -= c.opened.Sums()
	}
	if staged.Filings == 0 {
		return c.judge(ctx, append([]gate.Finding{gate.Nothing(unusable, c.opened.Rows(), first)}, found...))
	}
	found = append(found, gate.Repeated(c.end.Looks.Duplicates, c.end.Looks.Keyed)...)
	found = append(found, gate.Unusable(useless, c.opened.Rows())...)
	lost, err := c.counted(ctx, staged.Lost)
	if err != nil {
		return err
	}
	found = append(found, lost...)
	found = append(found, gate.Values(staged.Changed)...)
	found = append(found, gate.Renamed(takenBack(c.renamed, renamed))...)
	found = append(found, gate.RenamedFunds(takenBack(c.funds, renamedFund))...)
	if c.opened.Misdated != nil {
		found = append(found, gate.Misdated(c.opened.Misdated())...)
	}
	if known && c.opened.Snapshot {
		found = append(found, gate.Universe(before, staged.Advisers)...)
	}
	if c.opened.Doubt != nil {
		if why := c.opened.Doubt(); why != "" { // a wrong day keeps an edition from replacing older ones
			c.doubt(ctx, gate.Finding{Check: gate.EditionDoubtful, Reason: why})
		}
	}
	if c.whole = c.isWhole(ctx, staged, useless); c.whole {
		found = append(found, gate.Lacked(c.rowsAre(), staged.Brought, staged.Lacking, takenBack(c.lacking, ofCommitment))...)
	}
	if known && len(c.withdrawn) > 0 {
		current, lost, err := c.service.runs.Loss(ctx, c.withdrawn)
		if err != nil {
			return err
		}
		found = append(found, gate.Withdrawals(current, lost)...)
	}
	return c.judge(ctx, found)
}

// doubt records what may be wrong although the document is loaded. If the operator accepted the check, it is no doubt.
func (c *qualityCheck) doubt(ctx context.Context, f gate.Finding) {
	if slices.Contains(c.service.cfg.Accept, f.Check) {
		c.end.Passed = append(c.end.Passed, f)
		return
	}
	c.service.log.WarnContext(ctx, "a document is in doubt", slog.String("document", c.name), slog.String("check", string(f.Check)), slog.String("reason", f.Reason))
	c.end.Doubts = append(c.end.Doubts, f)
}

// isWhole reports whether a list is complete, so that missing advisers have left it. An adviser whose row is in quarantine has
// not; and a list that lacks more than a quarter of the advisers is incomplete, unless the operator accepted that check. Nor is a document of withdrawals
// or commitments whole with rows in quarantine: one of them may be what it seems to lack.
func (c *qualityCheck) isWhole(ctx context.Context, staged catalogapi.Staged, unusable int64) bool {
	if !c.opened.Snapshot {
		if staged.Lacking > 0 && unusable > 0 {
			c.doubt(ctx, gate.Finding{Check: gate.RowsDoubtful, Reason: fmt.Sprintf(
				"%d %s that were loaded from this document before are missing now, and %d of its rows cannot be used. Nothing is taken back", staged.Lacking, c.rowsAre(), unusable)})
		}
		return staged.Lacking == 0 || unusable == 0
	}
	var reason string
	switch {
	case unusable > 0:
		reason = fmt.Sprintf("%d of its rows cannot be used", unusable)
	case !gate.Whole(staged.Listed, staged.Gone) && !slices.Contains(c.service.cfg.Accept, gate.UniverseShrunk):
		reason = fmt.Sprintf("it no longer lists %d of the %d advisers in the previous edition", staged.Gone, staged.Listed)
	default:
		return true
	}
	c.service.log.WarnContext(ctx, "a list may be incomplete: no adviser is marked as no longer listed", slog.String("document", c.name), slog.String("reason", reason))
	return false
}

// rowsAre names the rows that a document takes back.
func (c *qualityCheck) rowsAre() string {
	if c.opened.Commitments != nil {
		return "commitments"
	}
	return "withdrawals"
}

// judge stops the document, unless the operator accepted the checks that failed.
func (c *qualityCheck) judge(ctx context.Context, found []gate.Finding) error {
	passed, err := gate.Judge(found, c.service.cfg.Accept)
	for _, f := range passed {
		c.service.log.WarnContext(ctx, "the operator accepted a document at the quality gate", slog.String("document", c.name),
			slog.String("check", string(f.Check)), slog.String("reason", f.Reason))
	}
	c.end.Passed = append(c.end.Passed, passed...)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// checks names the rules of findings, each once, for the summary.
func checks(found []gate.Finding) []string {
	var names []string
	for _, f := range found {
		if name := string(f.Check); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
