package load

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// monthOf has filings 1 to 4 with two owners and a fund each; those of more have a third owner. The rows of different filings alternate.
func monthOf(more ...int) catalogapi.Document {
	const filings = 4
	var owners []*catalogapi.OwnerRow
	owner := func(filing int, name string) {
		owners = append(owners, &catalogapi.OwnerRow{FilingKey: strconv.Itoa(filing), Schedule: "A", Name: name})
	}
	for i := range 2 * filings {
		owner(i%filings+1, "INVENTED, PERSON "+strconv.Itoa(i))
	}
	for _, filing := range more {
		owner(filing, "INVENTED, ANOTHER")
	}
	return catalogapi.Document{
		Name: "month.zip", Source: catalogapi.SourceADVArchive, Owners: itertest.Rows(owners...),
		Filings: each(filings, func(i int) *catalogapi.AdviserFiling {
			key := strconv.Itoa(i + 1)
			return &catalogapi.AdviserFiling{
				Key: key, FilingID: key, CRD: "700" + key, Submitted: time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC),
				Statement: catalogapi.Statement{LegalName: "ALDER POINT LLC"},
			}
		}),
		Funds: each(filings, func(i int) *catalogapi.FundRow {
			return &catalogapi.FundRow{FilingKey: strconv.Itoa(i + 1), ReferenceID: "1", FundID: "805-000000000" + strconv.Itoa(i), Name: "Alder " + strconv.Itoa(i)}
		}),
	}
}

// What a document repeats word for word is not staged, and nothing that hangs on it: whether the document was read to its end
// before its turn, or waits behind its filings until the catalog was asked.
func TestOnlyWhatDiffersIsStaged(t *testing.T) {
	t.Parallel()
	l := New(dbtest.New(t), clock.System{}, slog.New(slog.DiscardHandler))
	_, err := l.LoadDocument(t.Context(), monthOf(), catalogapi.LoadOptions{})
	require.NoError(t, err)
	const tables = `SELECT 'filing ' || accession FROM s_filing UNION ALL SELECT 'version ' || accession FROM s_version
		UNION ALL SELECT 'fund ' || accession FROM s_fund UNION ALL SELECT 'owner ' || accession || ' ' || seq FROM s_owners ORDER BY 1`
	of := func(filing string, owners int) (rows []string) {
		rows = []string{"filing " + filing, "fund " + filing, "version " + filing}
		for i := range owners {
			rows = append(rows, "owner "+filing+" "+strconv.Itoa(i+1))
		}
		return rows
	}
	for _, c := range []struct {
		name        string
		more        []int
		same, found []string
	}{
		{"some differ", []int{2, 4}, []string{"ADV-7001-1", "ADV-7003-3"}, append(of("ADV-7002-2", 3), of("ADV-7004-4", 3)...)},
		{"all differ", []int{1, 2, 3, 4}, nil, append(append(of("ADV-7001-1", 3), of("ADV-7002-2", 3)...), append(of("ADV-7003-3", 3), of("ADV-7004-4", 3)...)...)},
	} {
		for _, ahead := range []bool{true, false} {
			t.Run(c.name+", read ahead "+strconv.FormatBool(ahead), func(t *testing.T) {
				t.Parallel()
				enough := errors.New("enough")
				begun := make(chan *reader, 1)
				doc := monthOf(c.more...)
				if owners := doc.Owners; !ahead {
					doc.Owners = func(yield func(*catalogapi.OwnerRow, error) bool) {
						for r := <-begun; r.known.Load() == nil && t.Context().Err() == nil; runtime.Gosched() {
							continue
						}
						owners(yield)
					}
				}
				err := l.exclusively(t.Context(), reasonFiling, func(ctx context.Context, s *session) error {
					r := readerOf(t, l.Prepare(ctx, doc, catalogapi.LoadOptions{}))
					defer r.Close()
					begun <- r
					if ahead {
						<-r.Done()
					}
					same, err := s.stageDiffering(ctx, r, "standing")
					require.NoError(t, err)
					for _, accession := range c.same {
						require.Contains(t, same, accession)
					}
					require.Len(t, same, len(c.same))
					rows, err := s.c.Query(ctx, tables)
					require.NoError(t, err)
					found, err := pgx.CollectRows(rows, pgx.RowTo[string])
					require.NoError(t, err)
					require.ElementsMatch(t, c.found, found)
					return enough
				})
				require.ErrorIs(t, err, enough)
			})
		}
	}
}

// A document that breaks behind filings that are known fails with its own error.
func TestDifferingFails(t *testing.T) {
	t.Parallel()
	l := New(dbtest.New(t), clock.System{}, slog.New(slog.DiscardHandler))
	_, err := l.LoadDocument(t.Context(), monthOf(), catalogapi.LoadOptions{})
	require.NoError(t, err)
	torn, doc := errors.New("the archive ends in the middle"), monthOf(1)
	doc.Funds = func(yield func(*catalogapi.FundRow, error) bool) { yield(nil, torn) }
	_, err = l.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{})
	require.ErrorIs(t, err, torn)
}

// Rows that wait go to a file when they are many, and keep their tables and their order.
func TestHeld(t *testing.T) {
	t.Parallel()
	accessions := &table{staged: "s_a", columns: []string{"accession", "seq"}}
	behind := &table{staged: "s_b", columns: []string{"crd", "accession", "seq"}}
	long := strings.Repeat("x", keptMemory)
	r := sending(t, nil, chunk{accessions, []byte("A\t1\nB\t2\nA\t3\n")}, chunk{accessions, []byte("A\t" + long + "\n")}, chunk{behind, []byte("1\tA\t1\n2\tB\t1\n3\tC\t1\n")},
		chunk{accessions, []byte("C\t4\n")})
	var all bufferedRows
	defer all.rows.close()
	require.NoError(t, all.take(r.chunks))
	require.NotNil(t, all.rows.file)
	var got []string
	err := all.without(map[string]standing{"B": {}}, func(c chunk) error {
		got = append(got, c.to.staged+" "+strings.ReplaceAll(string(c.rows), long, "long"))
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"s_a A\t1\nA\t3\nA\tlong\n", "s_b 1\tA\t1\n3\tC\t1\n", "s_a C\t4\n"}, got)
}
