package sample_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"gpatlas/sample"
)

// record is one row by column name.
type record map[string]string

func (r record) number(t *testing.T, column string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(r[column], 10, 64)
	require.NoError(t, err, "%s of %v", column, r)
	return n
}

// member is one table of an archive, read by a reader that knows nothing of the generator.
type member struct {
	name     string // as in the zip
	table    string // without dates and extension
	modified time.Time
	raw      []byte
	header   []string // as written
	rows     []record
}

type archive struct {
	name     string
	from, to string
	members  []member
}

func (a archive) table(name string) []record {
	for _, m := range a.members {
		if m.table == name {
			return m.rows
		}
	}
	return nil
}

// filing is one filing with its children.
type filing struct {
	record
	registered bool
	month      int // number of its archive
	types      record
	funds      []record
	children   map[string][]record // the other tables, without the regime's prefix
}

// day is the filing's day as Form D and the feed write it.
func (f *filing) day(t *testing.T) string {
	t.Helper()
	return submitted(t, f.record["DateSubmitted"]).Format("2006-01-02")
}

type catalog struct {
	summary  sample.Summary
	archives []archive            // of Form ADV
	byCRD    map[string][]*filing // in order
	filings  []*filing

	withdrawals []archive
	notices     []noticeSet
	feed        []byte
}

var small = sync.OnceValues(func() (*catalog, error) {
	written, err := theWritten()
	if err != nil {
		return nil, err
	}
	sum := written.summary
	c := &catalog{summary: sum, byCRD: map[string][]*filing{}}
	for _, w := range sum.Archives {
		switch w.Kind {
		case sample.KindFormD:
			err = c.readNotices(w.Path)
		case sample.KindLP: // TestListsOfCommitments reads them
		case sample.KindFeed:
			err = c.readFeed(w.Path)
		default:
			var a archive
			a, err = readArchive(w.Path)
			if w.Kind == sample.KindADVW {
				c.withdrawals = append(c.withdrawals, a)
			} else {
				c.archives = append(c.archives, a)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	c.join()
	return c, nil
})

func theSmallOne(t *testing.T) *catalog {
	t.Helper()
	c, err := small()
	require.NoError(t, err)
	return c
}

var memberName = regexp.MustCompile(`^(?:ADV_Filing_Data_\d{8}_\d{8}/)?((?:IA|ERA|ADV)_[A-Za-z0-9_]+?|ADVW|ADVW_W1)_(\d{8})_(\d{8})\.csv$`)

// older are the spellings of the years before 2025.
var older = map[string]string{"Filing ID": "FilingID", "Reference ID": "ReferenceID", "1B": "1B1", "1E": "1E1", "5F2C": "5F2c", "Owner ID": "OwnerID", "Subreference ID": "SubreferenceID"}

func readArchive(path string) (archive, error) {
	a := archive{name: filepath.Base(path)}
	z, err := zip.OpenReader(path)
	if err != nil {
		return a, err
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return a, err
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			return a, err
		}
		m := member{name: f.Name, modified: f.Modified, raw: raw}
		if parts := memberName.FindStringSubmatch(f.Name); parts != nil {
			m.table, a.from, a.to = parts[1], parts[2], parts[3]
		}
		text := bytes.TrimPrefix(raw, []byte("\ufeff"))
		if !utf8.Valid(text) {
			text = fromLatin1(text)
		}
		reader := csv.NewReader(bytes.NewReader(text))
		reader.LazyQuotes = true // and every row as wide as the header
		all, err := reader.ReadAll()
		if err != nil {
			return a, err
		}
		m.header = all[0]
		names := slices.Clone(m.header)
		for i, name := range names {
			if now, ok := older[name]; ok {
				names[i] = now
			}
		}
		for _, row := range all[1:] {
			rec := make(record, len(row))
			for i, v := range row {
				rec[names[i]] = v
			}
			m.rows = append(m.rows, rec)
		}
		a.members = append(a.members, m)
	}
	return a, nil
}

func fromLatin1(b []byte) []byte {
	var out strings.Builder
	for _, c := range b {
		out.WriteRune(rune(c))
	}
	return []byte(out.String())
}

func (c *catalog) join() {
	for month, a := range c.archives {
		byID := map[string]*filing{}
		for _, base := range []string{"IA_ADV_Base_A", "ERA_ADV_Base"} {
			for _, r := range a.table(base) {
				byID[r["FilingID"]] = &filing{record: r, registered: base == "IA_ADV_Base_A", month: month, children: map[string][]record{}}
			}
		}
		for _, r := range a.table("ADV_Filing_Types") {
			if f := byID[r["FilingID"]]; f != nil {
				f.types = r
			}
		}
		for _, table := range []string{"IA_Schedule_D_7B1", "ERA_Schedule_D_7B1"} {
			for _, r := range a.table(table) {
				if f := byID[r["FilingID"]]; f != nil {
					f.funds = append(f.funds, r)
				}
			}
		}
		for _, m := range a.members {
			_, table, _ := strings.Cut(m.table, "_")
			for _, r := range m.rows {
				if f := byID[r["FilingID"]]; f != nil {
					f.children[table] = append(f.children[table], r)
				}
			}
		}
		for _, f := range byID {
			c.filings = append(c.filings, f)
		}
	}
	slices.SortFunc(c.filings, func(x, y *filing) int {
		a, _ := strconv.Atoi(x.record["FilingID"])
		b, _ := strconv.Atoi(y.record["FilingID"])
		return a - b
	})
	for _, f := range c.filings {
		c.byCRD[f.record["1E1"]] = append(c.byCRD[f.record["1E1"]], f)
	}
}

// last are the newest filings, by CRD in order.
func (c *catalog) last() []*filing {
	var list []*filing
	for _, all := range c.byCRD {
		list = append(list, all[len(all)-1])
	}
	slices.SortFunc(list, func(x, y *filing) int { return strings.Compare(x.record["1E1"], y.record["1E1"]) })
	return list
}

// submitted reads any of the three shapes.
func submitted(t *testing.T, s string) time.Time {
	t.Helper()
	for _, shape := range []string{"01/02/2006 03:04:05 PM", "1/2/2006 15:04", "1/2/2006"} {
		if at, err := time.Parse(shape, s); err == nil {
			return at
		}
	}
	require.Failf(t, "DateSubmitted has none of the three shapes", "%q", s)
	return time.Time{}
}
