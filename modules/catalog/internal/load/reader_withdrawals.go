package load

import (
	"context"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// tagWithdrawal marks withdrawals in fingerprints.
const tagWithdrawal byte = 41

// withdrawalTable is what withdrawals are staged in. They are few, so they never go straight into the catalog.
var withdrawalTable = &table{
	staged: "s_withdrawal", like: "catalog.filings JOIN catalog.withdrawals USING (accession, crd)",
	columns: []string{
		"accession", "crd", "filing_id", "filing_date", "submitted_at", "is_full", "ceased", "ceased_on", "reason", "row_hash",
	},
}

// withdrawalReader reads Forms ADV-W.
type withdrawalReader struct {
	*reader

	own  *columns[catalogapi.WithdrawalRow]
	crds map[string]struct{}
}

func newWithdrawalReader(r *reader) *withdrawalReader {
	d := &withdrawalReader{reader: r, own: columnsOf[catalogapi.WithdrawalRow](), crds: map[string]struct{}{}}
	d.tables = []*table{withdrawalTable}
	return d
}

// read reads the document. No rows belong to a withdrawal, so each is sent at once.
func (d *withdrawalReader) read(ctx context.Context) error {
	defer close(d.named)
	return drainInto(ctx, d.reader, withdrawalTable, d.doc.Withdrawals, d.withdrawal)
}

// staged is what the quality check gets before the merge.
func (d *withdrawalReader) staged() catalogapi.Staged {
	return catalogapi.Staged{
		Rows: d.rows, Keyed: int64(len(d.heads)) + d.repeated, Filings: int64(len(d.heads)), Advisers: int64(len(d.crds)), Duplicates: d.repeated,
	}
}

// withdrawalFault says why a withdrawal cannot be loaded, or nothing.
func withdrawalFault(w *catalogapi.WithdrawalRow) string {
	switch {
	case !catalogapi.IsCRD(w.CRD):
		return "CRD Number " + strconv.Quote(w.CRD) + " is not 1 to 10 digits without leading zeros"
	case !catalogapi.IsNumber(w.FilingID, 18):
		return "Filing ID " + strconv.Quote(w.FilingID) + " is not a number"
	case w.Submitted.IsZero():
		return "Filing Date is missing"
	case w.Submitted.Year() < 1900 || w.Submitted.Year() > 2200:
		return "Filing Date " + w.Submitted.Format(time.DateOnly) + " cannot be right"
	}
	return ""
}

// withdrawal checks a withdrawal and appends its row. Of two rows with one key the first stays; a later one that says
// otherwise is refused.
func (d *withdrawalReader) withdrawal(r *rowBuffer, w *catalogapi.WithdrawalRow) error {
	d.count()
	raw := []string{w.CRD, w.FilingID, w.LegalName}
	if fault := withdrawalFault(w); fault != "" {
		d.reject(w.File, w.Line, raw, "%s", fault)
		return nil
	}
	name := "ADVW-" + w.CRD + "-" + w.FilingID
	r.begin()
	r.plain(name)
	r.plain(w.CRD)
	r.plain(w.FilingID)
	r.date(w.Submitted)
	r.instant(w.Submitted)
	d.own.Value = *w
	d.own.append(r)
	row := r.fingerprint(tagWithdrawal, r.start)
	_, seen := d.sight(name, row)
	if seen == contradicts {
		d.reject(w.File, w.Line, raw, "%s has an earlier row with other values in this document", name)
	}
	if seen != fresh {
		r.drop()
		return nil
	}
	r.bytes(row.bytes())
	r.end()
	d.crds[strings.Clone(w.CRD)] = struct{}{}
	_, err := d.add(name, row)
	return err
}
