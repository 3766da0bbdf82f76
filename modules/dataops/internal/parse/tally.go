package parse

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
)

// tally counts what is read of a document, and ends the reading when too much of it is of no use.
type tally struct {
	name   string
	limit  int64 // Options.RejectedMax
	pass   func(catalogapi.Rejected)
	cancel context.CancelCauseFunc

	given, rejected atomic.Int64
}

// reject passes a rejected row on, unless there were too many.
func (t *tally) reject(r catalogapi.Rejected) {
	limit, n := t.limit, t.rejected.Add(1)
	if limit <= 0 {
		limit = rejectedMax
	}
	if read := t.given.Load() + n; n > limit && n*gate.UnusableOneIn > read {
		t.cancel(fmt.Errorf("%s: %w: %d of the %d rows read, where %d and beyond that one in %d are let pass; the last one: %s",
			t.name, ErrTooManyRejected, n, read, limit, gate.UnusableOneIn, r.Reason))
		return
	}
	t.pass(r)
}

// watch counts the rows that a document yields. Rows that it leaves out without rejecting them, such as repeated lines of a
// table that are joined, count as neither read nor rejected.
func (t *tally) watch(d *catalogapi.Document) {
	counted(t, &d.Filings)
	counted(t, &d.Organization)
	counted(t, &d.Websites)
	counted(t, &d.Types)
	counted(t, &d.Identifiers)
	counted(t, &d.Offices)
	counted(t, &d.Affiliates)
	counted(t, &d.Owners)
	counted(t, &d.Disclosures)
	counted(t, &d.Implicated)
	counted(t, &d.Funds)
	counted(t, &d.SubAdvised)
	counted(t, &d.Auditors)
	counted(t, &d.FormDNumbers)
	counted(t, &d.Feeders)
	counted(t, &d.Providers)
	counted(t, &d.Withdrawals)
	counted(t, &d.Offerings)
	counted(t, &d.Issuers)
	counted(t, &d.RelatedPersons)
	counted(t, &d.Recipients)
}

// counted makes a table count its rows as they are given. A table that is missing stays missing.
func counted[T any](t *tally, table *iter.Seq2[*T, error]) {
	rows := *table
	if rows == nil {
		return
	}
	*table = func(yield func(*T, error) bool) {
		for row, err := range rows {
			if err == nil {
				t.given.Add(1)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
