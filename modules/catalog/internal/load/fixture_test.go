package load_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/oracle"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// today is the day on which all tests here play.
var today = clock.Fixed(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

// bench is one database with a loader.
type bench struct {
	t        *testing.T
	db       *database.DB
	loader   *load.Loader
	rejected []catalogapi.Rejected
	run      int64
	closed   bool
	mirror   mirror
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db := dbtest.New(t)
	b := &bench{t: t, db: db, loader: load.New(db, today, discard)}
	t.Cleanup(b.close)
	return b
}

// close ends the bench, whatever was loaded, with the judgement of the oracle. It may be called before the end of the test.
func (b *bench) close() {
	if b.closed {
		return
	}
	b.closed = true
	oracle.Check(b.t, b.db, today.Now())
	b.db.Close()
}

// load loads a document that must succeed; its rejects are in b.rejected.
func (b *bench) load(d document) catalogapi.LoadResult {
	b.t.Helper()
	b.run++
	b.rejected = nil
	result, err := b.loader.LoadDocument(b.t.Context(), d.stream(), catalogapi.LoadOptions{
		RunID: b.run, Reject: func(r catalogapi.Rejected) { b.rejected = append(b.rejected, r) },
	})
	require.NoError(b.t, err)
	b.follow()
	return result
}

// row reads one row of one query as text, null as "∅".
func (b *bench) row(query string, args ...any) []string {
	b.t.Helper()
	rows := b.rows(query, args...)
	require.Len(b.t, rows, 1, query)
	return rows[0]
}

func (b *bench) rows(query string, args ...any) (out [][]string) {
	b.t.Helper()
	err := b.db.Conn(b.t.Context(), func(c *pgx.Conn) error {
		rows, err := c.Query(b.t.Context(), query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				return err
			}
			texts := make([]string, len(values))
			for i, v := range values {
				switch v := v.(type) {
				case nil:
					texts[i] = "∅"
				case time.Time:
					texts[i] = v.Format(time.DateOnly)
				default:
					texts[i] = fmt.Sprint(v)
				}
			}
			out = append(out, texts)
		}
		return rows.Err()
	})
	require.NoError(b.t, err)
	return out
}

// state is everything that a reader can see, for comparing two ways to it.
func (b *bench) state() map[string][][]string {
	b.t.Helper()
	state := map[string][][]string{
		"advisers":         b.rows(`SELECT to_jsonb(a) - 'updated_at' FROM catalog.advisers a ORDER BY crd`),
		"funds":            b.rows(`SELECT to_jsonb(f) - 'updated_at' - 'id' - 'arrival' FROM catalog.funds f ORDER BY fund_id`),
		"filings":          b.rows(`SELECT to_jsonb(f) - 'run_id' - 'processed_at' - 'arrival' FROM catalog.filings f ORDER BY accession`),
		"adviser_versions": b.rows(`SELECT to_jsonb(v) FROM catalog.adviser_versions v ORDER BY crd, accession`),
		"fund_versions":    b.rows(`SELECT to_jsonb(v) FROM catalog.fund_versions v ORDER BY fund_id, accession`),
		"withdrawals":      b.rows(`SELECT to_jsonb(w) FROM catalog.withdrawals w ORDER BY accession`),
		"adviser_links":    b.rows(`SELECT to_jsonb(l) FROM catalog.adviser_links l ORDER BY crd, affiliate_crd`),
	}
	for _, table := range append([]string{"websites"}, childNames...) {
		state[table] = b.rows(`SELECT to_jsonb(c) FROM catalog.` + table + ` c ORDER BY accession, seq`)
	}
	return state
}

// document is a catalogapi.Document in slices.
type document struct {
	name     string
	source   catalogapi.Source
	filings  []*catalogapi.AdviserFiling
	org      []*catalogapi.OrganizationRow
	websites []*catalogapi.WebsiteRow
	types    []*catalogapi.FilingTypeRow
	funds    []*catalogapi.FundRow
	auditors []*catalogapi.AuditorRow
	formD    []*catalogapi.FormDRow
	breaks   error // yielded after the last fund
	children       // of the tables that only some documents have
	without  func(d *catalogapi.Document)
}

func (d document) stream() catalogapi.Document {
	doc := catalogapi.Document{
		Name: d.name, Source: d.source, Filings: itertest.Rows(d.filings...), Organization: itertest.Rows(d.org...),
		Websites: itertest.Rows(d.websites...), Types: itertest.Rows(d.types...), Funds: itertest.Broken(d.breaks, d.funds...),
		Auditors: itertest.Rows(d.auditors...), FormDNumbers: itertest.Rows(d.formD...),
	}
	d.addTo(&doc)
	if d.without != nil {
		d.without(&doc)
	}
	return doc
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// archive begins an archive document.
func archive(name string, filings ...*catalogapi.AdviserFiling) document {
	return document{name: name, source: catalogapi.SourceADVArchive, filings: filings}
}

func roster(name string, filings ...*catalogapi.AdviserFiling) document {
	return document{name: name, source: catalogapi.SourceRoster, filings: filings}
}

// filing is a registered adviser's filing that lists its funds; options change it.
func filing(id, crd, date, name string, options ...func(*catalogapi.AdviserFiling)) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		Key: id, FilingID: id, CRD: crd, Submitted: day(date),
		Statement:   catalogapi.Statement{LegalName: name, City: new("BOSTON"), State: new("MA"), Country: new("United States")},
		Basis:       catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
		FundsListed: true, File: "base.csv", Line: 2,
	}
	for _, o := range options {
		o(f)
	}
	return f
}

// rosterRow is what a roster says: no FilingID, no list of funds, no country.
func rosterRow(crd, date, name string, options ...func(*catalogapi.AdviserFiling)) *catalogapi.AdviserFiling {
	f := filing(crd, crd, date, name)
	f.FilingID, f.FundsListed, f.Country, f.City, f.State = "", false, nil, nil, nil
	for _, o := range options {
		o(f)
	}
	return f
}

func exempt(f *catalogapi.AdviserFiling) { f.Registration = new(string(catalogapi.ExemptReporting)) }

func raum(v int64) func(*catalogapi.AdviserFiling) {
	return func(f *catalogapi.AdviserFiling) { f.RAUM = &v }
}

// fund is one row of a filing's list.
func fund(filing, id, name string, gav int64) *catalogapi.FundRow {
	return &catalogapi.FundRow{
		FilingKey: filing, FundID: "805-" + id, ReferenceID: "r" + id, Name: name, State: "Delaware", Country: "United States",
		FundType: "Private Equity Fund", GAV: &gav, Owners: new(int64(10)), File: "7b1.csv", Line: 3,
	}
}

const (
	f1, f2, f3 = "0000000001", "0000000002", "0000000003"
)

var discard = slog.New(slog.DiscardHandler)
