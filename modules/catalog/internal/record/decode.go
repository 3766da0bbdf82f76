package record

import (
	"fmt"

	"github.com/klauspost/compress/s2"

	"gpatlas/modules/catalog/internal/codec"
	"gpatlas/modules/catalog/internal/scan"
)

// Decoder reads records that Encode wrote. It takes the memory of the record before for the next one.
type Decoder struct {
	in      codec.Reader
	raw     []byte
	filing  *scan.Row[Filing]
	version *scan.Row[FundVersion]
	record  Record
	held    []FundVersion
}

// NewDecoder makes a decoder.
func NewDecoder() *Decoder {
	return &Decoder{filing: codec.NewRow[Filing](), version: codec.NewRow[FundVersion]()}
}

// Decode reads the record of an adviser, which is valid until the next call. Funds that only does not name are left out; nil names all.
// So are versions of funds that were filed after all that counts at a moment; nil is no moment.
// The texts of a record share their memory: who keeps some of them beyond the record copies these.
func (d *Decoder) Decode(crd string, filed []byte, only map[string]bool, at *Moment) (*Record, error) {
	var err error
	if d.raw, err = s2.Decode(d.raw[:cap(d.raw)], filed); err != nil {
		return nil, fmt.Errorf("read the record of %s: %w", crd, err)
	}
	d.in.Open(d.raw)
	r := &d.record
	r.CRD, r.Filings, r.Funds, d.held = crd, r.Filings[:0], r.Funds[:0], d.held[:0]
	d.filing.Value = Filing{}
	for range d.in.Count() {
		d.in.Differences(d.filing.Fields)
		d.filing.Value.CRD = crd
		r.Filings = append(r.Filings, d.filing.Value)
	}
	last := len(r.Filings) - 1
	if at != nil {
		last = r.last(at)
	}
	for range d.in.Count() {
		id, part := d.in.Word(), d.in.Count()
		end := d.in.Left() - part
		if only != nil && !only[id] {
			d.in.Skip(part)
			continue
		}
		from := len(d.held)
		d.version.Value = FundVersion{}
		for range d.in.Count() {
			if d.version.Value.In += int(d.in.Signed()); d.version.Value.In > last && at != nil {
				d.in.Skip(d.in.Left() - end)
				break
			}
			d.in.Differences(d.version.Fields)
			if d.version.Value.In < 0 || d.version.Value.In >= len(r.Filings) {
				d.in.Fail()
			}
			d.held = append(d.held, d.version.Value)
		}
		if len(d.held) > from {
			r.Funds = append(r.Funds, Fund{ID: id, Versions: d.held[from:len(d.held):len(d.held)]})
		}
	}
	if err := d.in.End(); err != nil {
		return nil, fmt.Errorf("read the record of %s: %w", crd, err)
	}
	return r, nil
}
