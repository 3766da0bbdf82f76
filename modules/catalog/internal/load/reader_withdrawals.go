package load

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

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

	own     *columns[catalogapi.WithdrawalRow]
	crds    map[string]struct{}
	numbers []numbered // the withdrawals with an SEC number
}

// numbered is a withdrawal with its SEC number, and where it is.
type numbered struct {
	name, crd string
	readings  []string // the SEC numbers that its own may mean
	file      string
	line      int
	raw       []string
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

// staged is what the quality check gets before the merge, without the withdrawals that were refused since.
func (d *withdrawalReader) staged(refused int64) catalogapi.Staged {
	return catalogapi.Staged{
		Rows: d.rows, Keyed: int64(len(d.heads)) + d.repeated, Filings: int64(len(d.heads)) - refused, Advisers: int64(len(d.crds)), Duplicates: d.repeated,
	}
}

// refuseContradicted sends the withdrawals to the quarantine that have the SEC number of another adviser: either number may be wrong.
func (s *session) refuseContradicted(ctx context.Context, d *withdrawalReader) (refused int64, err error) {
	var names, crds, numbers []string
	for _, n := range d.numbers {
		for _, reading := range n.readings {
			names, crds, numbers = append(names, n.name), append(crds, n.crd), append(numbers, reading)
		}
	}
	text, err := statement("contradicted", nil)
	if err != nil {
		return 0, err
	}
	rows, err := s.c.Query(ctx, text, pgx.NamedArgs{"names": names, "crds": crds, "numbers": numbers})
	if err != nil {
		return 0, fmt.Errorf("catalog load: compare SEC numbers: %w", err)
	}
	type stated struct{ crd, number string }
	others, name, other := map[string]stated{}, "", stated{}
	if _, err := pgx.ForEachRow(rows, []any{&name, &other.crd, &other.number}, func() error { others[name] = other; return nil }); err != nil {
		return 0, fmt.Errorf("catalog load: compare SEC numbers: %w", err)
	}
	for _, n := range d.numbers {
		if other, ok := others[n.name]; ok {
			d.reject(n.file, n.line, n.raw, "the SEC number %s is known of CRD %s, not of CRD %s: one of them must be wrong", other.number, other.crd, n.crd)
		}
	}
	_, err = s.c.Exec(ctx, `DELETE FROM s_withdrawal WHERE accession = ANY ($1)`, slices.Collect(maps.Keys(others)))
	if err != nil {
		return 0, fmt.Errorf("catalog load: leave out withdrawals: %w", err)
	}
	return int64(len(others)), nil
}

// withdrawalFault says why a withdrawal cannot be loaded, or nothing.
func withdrawalFault(w *catalogapi.WithdrawalRow, readable bool) string {
	switch {
	case !catalogapi.IsCRD(w.CRD):
		return "CRD Number " + strconv.Quote(w.CRD) + " is not 1 to 10 digits without leading zeros"
	case !catalogapi.IsNumber(w.FilingID, 18):
		return "Filing ID " + strconv.Quote(w.FilingID) + " is not a number"
	case !readable:
		return "SEC File Number " + strconv.Quote(w.SECNumber) + " is not one SEC number"
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
	readings, readable := secNumbers(w.SECNumber)
	if fault := withdrawalFault(w, readable); fault != "" {
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
	if len(readings) > 0 {
		d.numbers = append(d.numbers, numbered{name, strings.Clone(w.CRD), readings, w.File, w.Line, raw})
	}
	_, err := d.add(name, row)
	return err
}
