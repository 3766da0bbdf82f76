package ingest

import (
	"context"
	"errors"
	"time"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/parse/table"
)

// filer names an adviser of a kind.
type filer struct{ kind, crd string }

// rowsLost looks for tables with far fewer rows than before. A document that was loaded before was judged then.
func (c *qualityCheck) rowsLost(ctx context.Context) ([]gate.Finding, error) {
	if c.opened.Filed == nil {
		return nil, nil
	}
	filed := c.opened.Filed()
	c.end.Looks.Filed = filed
	if c.batch.loaded[editionOf(c.end)] {
		return nil, nil
	}
	runs, series, edition := c.service.runs, c.end.Series, c.end.Looks.Edition
	if loaded, err := runs.Loaded(ctx, series, c.end.SHA256, edition); err != nil || loaded {
		return nil, err
	}
	before := make(map[filer]*gate.Filed)
	for _, g := range filed {
		if !g.Named() {
			continue
		}
		crds := make([]string, len(g.Filers))
		for i, f := range g.Filers {
			crds[i] = f.CRD
		}
		known, err := runs.Filed(ctx, g.Kind, crds)
		if err != nil {
			return nil, err
		}
		for crd, f := range known {
			before[filer{g.Kind, crd}] = f
		}
	}
	spreads, err := runs.Spreads(ctx, series, edition)
	if err != nil {
		return nil, err
	}
	c.batch.addSpreads(spreads, series, edition)
	return gate.Rows(filed, func(kind, crd string) *gate.Filed {
		return c.batch.newest(filer{kind, crd}, before[filer{kind, crd}])
	}, spreads), nil
}

// keep keeps what the filings of a document that was loaded have in each table.
func (n *batchDocuments) keep(filed []gate.Filers) {
	if n.filed == nil {
		n.filed = make(map[filer]*gate.Filed)
	}
	for _, g := range filed {
		if !g.Named() {
			continue
		}
		for i, f := range g.Filers {
			key := filer{g.Kind, f.CRD}
			old := n.filed[key]
			if old != nil && old.Submitted.After(f.Submitted) {
				continue
			}
			rows := g.Of(i)
			if old != nil {
				for table, had := range old.Rows {
					if _, there := g.Tables[table]; !there {
						rows[table] = had
					}
				}
			}
			n.filed[key] = &gate.Filed{FilingID: f.FilingID, Submitted: f.Submitted, Rows: rows}
		}
	}
}

// newest is the later of the filing that the batch loaded and the stored one.
func (n *batchDocuments) newest(key filer, stored *gate.Filed) *gate.Filed {
	if own := n.filed[key]; own != nil && (stored == nil || !stored.Submitted.After(own.Submitted)) {
		return own
	}
	return stored
}

// addSpreads adds the documents of the batch that an edition of the series is compared with.
func (n *batchDocuments) addSpreads(spreads map[string]gate.Spread, series string, edition time.Time) {
	for i, other := range n.series[series] {
		if !follows(edition, other.Edition) {
			continue
		}
		for table, s := range n.spreads[series][i] {
			spreads[table] = spreads[table].Add(s)
		}
	}
}

// cutOff makes a stop of the quality gate of a table that was cut off. The operator can let a table pass whose last row is whole.
func cutOff(err error) error {
	cut, ok := errors.AsType[*table.CutError](err)
	if !ok {
		return err
	}
	return &gate.StoppedError{Findings: []gate.Finding{{Check: gate.RowsLost, Reason: err.Error(), Final: cut.Inside}}}
}
