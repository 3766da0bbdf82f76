package purchase

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/plaintext"
)

const (
	csvType   = "text/csv; charset=utf-8; header=present"
	formatCSV = "csv"

	disposition = `attachment; filename="gpatlas-purchases.csv"`
	exampleCSV  = "id,created_at,operation,product,crd,subject,quantity,unit_price,amount,mode,key_id,key_name,request_id,reason\r\n" +
		"7,2026-11-20T09:30:00.000000Z,get-gp-metrics,,900001,900001,1,0.15,0.15,live,,,3f0c1d2e4b5a69788796a5b4c3d2e1f0,\r\n"
	// linesMax is how many rows are read at once.
	linesMax = 2_000
)

var (
	columns    = []string{"id", "created_at", "operation", "product", "crd", "subject", "quantity", "unit_price", "amount", "mode", "key_id", "key_name", "request_id", "reason"}
	sumColumns = []string{"operation", "key_id", "key_name", "day", "charges", "quantity", "amount"}
)

// lines writes all purchases of the filter as CSV. The first are read at once, so that a failure is an error and not a broken
// file.
func (s *Service) lines(ctx context.Context, f Filter) (func(*bufio.Writer) error, error) {
	list, err := s.store.list(ctx, &f, 0, linesMax, 0)
	if err != nil {
		return nil, err
	}
	return func(w *bufio.Writer) error {
		out := newCSV(w, columns)
		for {
			for i := range list {
				out.line(list[i].cells()...)
			}
			if out.flush(); out.err != nil || len(list) < linesMax {
				return out.err
			}
			if list, out.err = s.store.list(ctx, &f, list[len(list)-1].ID, linesMax, 0); out.err != nil {
				return out.err
			}
		}
	}, nil
}

func (p *Purchase) cells() []string {
	id, name := p.Key.cells()
	return []string{
		strconv.FormatInt(p.ID, 10), httpapi.FormatInstant(p.CreatedAt), p.Operation, text(p.Product), text(p.CRD), text(p.Subject), strconv.Itoa(p.Quantity),
		charge.Dollars(int64(p.UnitPrice)), charge.Dollars(int64(p.Amount)), p.Mode, id, name, plaintext.Cell(p.RequestID), text(p.Reason),
	}
}

func (k *Key) cells() (id, name string) {
	if k == nil {
		return "", ""
	}
	return k.ID, plaintext.Cell(k.Name)
}

// writeSums writes sums as CSV.
func writeSums(sums []Sum) func(*bufio.Writer) error {
	return func(w *bufio.Writer) error {
		out := newCSV(w, sumColumns)
		for i := range sums {
			g := &sums[i]
			id, name := g.Key.cells()
			out.line(text(g.Operation), id, name, text(g.Day), strconv.Itoa(g.Charges), strconv.FormatInt(g.Quantity, 10), charge.Dollars(int64(g.Amount)))
		}
		out.flush()
		return out.err
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return plaintext.Cell(*s)
}

// file is CSV as exports have it: CRLF and a header line.
type file struct {
	w   *csv.Writer
	err error
}

func newCSV(w io.Writer, header []string) *file {
	f := &file{w: csv.NewWriter(w)}
	f.w.UseCRLF = true
	f.line(header...)
	return f
}

func (f *file) line(cells ...string) {
	if err := f.w.Write(cells); err != nil && f.err == nil {
		f.err = fmt.Errorf("write purchases: %w", err)
	}
}

func (f *file) flush() {
	f.w.Flush()
	if err := f.w.Error(); err != nil && f.err == nil {
		f.err = fmt.Errorf("write purchases: %w", err)
	}
}
