package adv

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
)

// filed counts the rows by table of the newest filing of each adviser of one kind. Counting all filings would take too much
// memory in an archive of fifteen years.
type filed struct {
	filers []gate.Filer
	byCRD  map[string]int32
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
	} else if !later(v.Submitted, v.FilingID, &f.filers[i]) {
		return
	}
	f.filers[i].Submitted, f.filers[i].FilingID = v.Submitted, strings.Clone(v.FilingID)
}

// later says whether a filing is newer than the one that is noted: by its day and hour, then by its number.
func later(submitted time.Time, id string, than *gate.Filer) bool {
	if !submitted.Equal(than.Submitted) {
		return submitted.After(than.Submitted)
	}
	return number(id) > number(than.FilingID)
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

// filers gives what was counted, for each kind that has filings.
func (d *document) filers() (out []gate.Filers) {
	for _, k := range []kind{ia, era} {
		f := d.filed[k]
		if f == nil || len(f.filers) == 0 {
			continue
		}
		g := gate.Filers{Kind: strings.ToLower(string(k)), Filers: f.filers, Tables: make(map[string][]int32, len(f.tables))}
		for name := range columns {
			id := tableID{k, name}
			if name == base(k).name || len(d.tables[id]) == 0 {
				continue
			}
			g.Tables[layoutName(id)] = f.table(name).rows
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b gate.Filers) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}
