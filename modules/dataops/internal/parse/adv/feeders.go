package adv

import (
	"hash/maphash"
	"iter"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// feeders streams the feeder funds of items 6.(b) and 7. An adviser that answers both names the same fund in both; it is
// given once, from the table that comes first.
func (d *document) feeders() iter.Seq2[*catalogapi.FeederRow, error] {
	rows := sequence(d, plain(feeders, feeder), plain(feederDetails, feeder))
	if rows == nil || !d.has(feeders) || !d.has(feederDetails) {
		return rows
	}
	return func(yield func(*catalogapi.FeederRow, error) bool) {
		// Hashes of 64 bits represent the yielded rows: fifteen years have some hundred thousand feeders, so the chance of a
		// collision is below one in ten million.
		seen, seed := make(map[uint64]struct{}), maphash.MakeSeed()
		for f, err := range rows {
			if err == nil {
				if again(seen, seed, f) {
					d.joined++
					continue
				}
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// again reports whether the feeder was seen before: by its Fund ID, else by its name.
func again(seen map[uint64]struct{}, seed maphash.Seed, f *catalogapi.FeederRow) bool {
	what := f.FundID
	if what == "" {
		what = strings.ToUpper(f.Name)
	}
	h := maphash.String(seed, f.FilingKey+"\n"+f.ReferenceID+"\n"+what)
	if _, ok := seen[h]; ok {
		return true
	}
	seen[h] = struct{}{}
	return false
}

func feeder(row *table.Row, filing string) *catalogapi.FeederRow {
	f := &catalogapi.FeederRow{
		FilingKey:   filing,
		ReferenceID: row.Required(colReferenceID),
		FundID:      value.Loose(value.FundID(row.Cell(colFeederID))),
		Name:        row.Text(colFeederName),
		File:        row.File,
		Line:        row.Line,
	}
	if f.Name == "" && f.FundID == "" {
		row.Fail("Private Fund Name and Fund ID are blank")
	}
	return f
}

// subAdvised reads a fund that another adviser reports: Schedule D 7.B.(2).
func subAdvised(row *table.Row, filing string) *catalogapi.SubAdvisedRow {
	s := &catalogapi.SubAdvisedRow{
		FilingKey:        filing,
		FundID:           value.Loose(value.FundID(row.Cell(colSubFundID))),
		Name:             row.Text(colSubFundName),
		AdviserName:      row.Word(colSubAdviser),
		AdviserSECNumber: row.Text(colSubAdviserSEC),
		File:             row.File,
		Line:             row.Line,
	}
	if s.Name == "" && s.FundID == "" {
		row.Fail("Fund Name and Fund ID are blank")
	}
	return s
}
