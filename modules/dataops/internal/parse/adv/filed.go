package adv

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
)

// filed counts the rows by table of the newest filing of each adviser of one kind. Counting all filings would take too much
// memory in an archive of fifteen years.
type filed struct {
	filers []gate.Filer
	byCRD  map[string]int32
	funds  []bool           // by filer: its newest filing answers that it advises private funds
	sites  []bool           // the same of websites
	at     map[uint64]int32 // FilingID → filer, for the newest filings; nil until the first table is read
	tables map[string]*tableCount
}

func newFiled() *filed { return &filed{byCRD: map[string]int32{}, tables: map[string]*tableCount{}} }

// filing notes a filing. All come before the first row of another table.
func (f *filed) filing(v *catalogapi.AdviserFiling) {
	i, known := f.byCRD[v.CRD]
	if !known {
		i = int32(len(f.filers)) // #nosec G115 -- advisers
		crd := strings.Clone(v.CRD)
		f.byCRD[crd] = i
		f.filers = append(f.filers, gate.Filer{CRD: crd})
		f.funds, f.sites = append(f.funds, false), append(f.sites, false)
	} else if of := &f.filers[i]; gate.CompareFilings(v.Submitted, of.Submitted, v.FilingID, of.FilingID) <= 0 {
		return
	}
	f.filers[i].Submitted, f.filers[i].FilingID = v.Submitted, strings.Clone(v.FilingID)
	f.funds[i], f.sites[i] = v.AdvisesFunds != nil && *v.AdvisesFunds, v.HasWebsites
}

// table is the count of a table, to which its pieces add.
func (f *filed) table(name string) *tableCount {
	if f.at == nil {
		f.at = make(map[uint64]int32, len(f.filers))
		for i := range f.filers {
			f.at[number(f.filers[i].FilingID)] = int32(i) // #nosec G115 -- advisers
		}
	}
	t := f.tables[name]
	if t == nil {
		t = &tableCount{at: f.at, rows: make([]int32, len(f.filers)), last: -1}
		f.tables[name] = t
	}
	return t
}

// tableCount counts the rows of one table by filer.
type tableCount struct {
	at   map[uint64]int32
	rows []int32
	cell []byte // the FilingID of the last row: those of a filing mostly follow one another
	last int32  // its filer; -1 = it is not counted
}

func (t *tableCount) row(filingID []byte) {
	if !bytes.Equal(filingID, t.cell) {
		t.cell, t.last = append(t.cell[:0], filingID...), -1
		if n, err := strconv.ParseUint(string(bytes.TrimSpace(filingID)), 10, 64); err == nil {
			if i, known := t.at[n]; known {
				t.last = i
			}
		}
	}
	if t.last >= 0 {
		t.rows[t.last]++
	}
}

// filers returns the counts of each kind that has filings, without missing tables. The tables of filings themselves are not
// counted: a filing without a row there does not exist for us, so its absence changes nothing.
func (d *document) filers() (out []gate.Filers) {
	for _, k := range []kind{era, ia} {
		f := d.filed[k]
		if f == nil || len(f.filers) == 0 {
			continue
		}
		g := gate.Filers{Kind: strings.ToLower(string(k)), Filers: f.filers, Tables: make(map[string][]int32, len(f.tables))}
		for name := range columns {
			id := tableID{k, name}
			if name == filingTypes {
				id.kind = ""
			}
			if name == base(k).name || len(d.tables[id]) == 0 {
				continue
			}
			g.Tables[layoutName(tableID{k, name})] = f.table(name).rows
		}
		g.Due = f.due(k)
		out = append(out, g)
	}
	return out
}

// filled counts the values of each table.
func (d *document) filled() map[string]gate.Fill {
	out := make(map[string]gate.Fill, len(d.tables))
	for id, pieces := range d.tables {
		for _, p := range pieces {
			out[layoutName(id)] = p.file.Fill.AddTo(out[layoutName(id)])
		}
	}
	return out
}

// due returns which filings must have rows in which tables. Of the 5,486 filings in a real list of exempt advisers all that answer
// Y to item 7.B list funds, and all that answer Y to item 1.I list a website. Item 11 does not hold: 12 of 90 that answer Y list
// no disclosure. Base B and the filing types have a row for each filing.
func (f *filed) due(k kind) []gate.Due {
	name := func(table string) string { return layoutName(tableID{k, table}) }
	due := []gate.Due{
		{Why: "answer Y to item 7.B", Tables: []string{name(funds), name(subAdvisedFunds)}, Filings: f.funds},
		{Why: "answer Y to item 1.I", Tables: []string{name(websites)}, Filings: f.sites},
		{Why: "must have a row with a type", Tables: []string{name(filingTypes)}, Filings: slices.Repeat([]bool{true}, len(f.filers))},
	}
	if k == ia {
		due = append(due, gate.Due{Why: "must have a row", Tables: []string{name(baseB)}, Filings: due[2].Filings})
	}
	return due
}
