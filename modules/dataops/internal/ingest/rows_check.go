package ingest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse/table"
)

// filer names an adviser of a kind.
type filer struct{ kind, crd string }

// counted looks for columns with far fewer values and tables with far fewer rows than before. A document that was loaded before was judged
// then.
func (c *qualityCheck) counted(ctx context.Context, gone []catalogapi.LostRows) ([]gate.Finding, error) {
	looks := &c.end.Looks
	if c.opened.Filled != nil {
		looks.Filled = c.opened.Filled()
	}
	if c.opened.Filed != nil {
		looks.Filed = c.opened.Filed()
	}
	if c.batch.has(c.end) {
		return nil, nil
	}
	runs, series, edition := c.service.runs, c.end.Series, looks.Edition
	if loaded, err := runs.Loaded(ctx, series, c.end.SHA256, edition); err != nil || loaded {
		return nil, err
	}
	counted, err := runs.Counted(ctx, series, edition)
	if err != nil {
		return nil, err
	}
	counted = append(counted, c.batch.counted(series, edition)...)
	if c.opened.Commitments != nil { // lists of other LPs are filled in other ways
		counted = slices.DeleteFunc(counted, func(d gate.Counted) bool { return !slices.Contains(c.from, d.RunID) })
	}
	emptied := gate.Emptied(looks.Filled, counted)
	if looks.Filed == nil {
		return emptied, nil
	}
	lost, err := c.rowsLost(ctx, counted, gone)
	return append(emptied, lost...), err
}

// rowsLost looks for tables with far fewer rows than before.
func (c *qualityCheck) rowsLost(ctx context.Context, counted []gate.Counted, gone []catalogapi.LostRows) ([]gate.Finding, error) {
	runs, filed := c.service.runs, c.end.Looks.Filed
	before := make(map[filer]*gate.Filed)
	for _, g := range filed {
		if !g.Named() {
			continue
		}
		known, err := runs.Filed(ctx, g.Kind, g.Filers)
		if err != nil {
			return nil, err
		}
		for crd, f := range known {
			before[filer{g.Kind, crd}] = f
		}
	}
	known := func(kind string, f *gate.Filer) *gate.Filed {
		return c.batch.filing(kind, f, before[filer{kind, f.CRD}])
	}
	for _, f := range gate.Doubts(filed, known, counted, gone...) {
		c.doubt(ctx, f)
	}
	return append(gate.Rows(filed, known, counted), gate.Gone(gone)...), nil
}

// place is a filing of a document that the batch loaded.
type place struct {
	in *gate.Filers
	at int
}

func (p place) filer() *gate.Filer { return &p.in.Filers[p.at] }

// keep keeps what the filings of a document that was loaded have in each table.
func (n *batchDocuments) keep(filed []gate.Filers) {
	if n.filed == nil {
		n.filed = make(map[filer][]place)
	}
	for g := range filed {
		if !filed[g].Named() {
			continue
		}
		for i, f := range filed[g].Filers {
			key := filer{filed[g].Kind, f.CRD}
			n.filed[key] = append(n.filed[key], place{&filed[g], i})
		}
	}
}

// filing returns what the batch or the database knows of an adviser's filing: the same filing, or else the last one that is not
// later.
func (n *batchDocuments) filing(kind string, f *gate.Filer, stored *gate.Filed) *gate.Filed {
	known := stored
	for _, p := range n.filed[filer{kind, f.CRD}] {
		own, earlier := p.filer(), map[string]int32(nil)
		if own.FilingID != f.FilingID {
			if own.Submitted.After(f.Submitted) || known != nil && (known.FilingID == f.FilingID || gate.CompareFilings(known.Submitted, own.Submitted, known.FilingID, own.FilingID) > 0) {
				continue
			}
			if known != nil {
				earlier = known.Rows
			}
		}
		known = &gate.Filed{FilingID: own.FilingID, Submitted: own.Submitted, Rows: p.rows(earlier)}
	}
	return known
}

// rows returns the rows of a filing. Tables that its document lacks keep the rows of an earlier filing.
func (p place) rows(earlier map[string]int32) map[string]int32 {
	rows := p.in.Of(p.at)
	for table, had := range earlier {
		if _, there := p.in.Tables[table]; !there {
			rows[table] = had
		}
	}
	return rows
}

// counted returns the documents of the batch that an edition of the series is compared with.
func (n *batchDocuments) counted(series string, edition time.Time) (list []gate.Counted) {
	for i, other := range n.series[series] {
		if follows(edition, other.Edition) {
			list = append(list, n.looks[series][i])
		}
	}
	return list
}

// cutOff turns the error about a table of a document that was cut off into a stop of the quality gate. The operator can let a table
// pass whose last row is whole.
func cutOff(err error, document string) error {
	cut, ok := errors.AsType[*table.CutError](err)
	if !ok {
		return err
	}
	return &gate.StoppedError{Findings: []gate.Finding{{Check: gate.RowsLost, Reason: strings.TrimPrefix(err.Error(), document+": "), Final: cut.Inside}}}
}
