package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
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

// smallArchive has two filings, of which the second cannot be loaded, and something that hangs on each.
func smallArchive() catalogapi.Document {
	day := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	return catalogapi.Document{
		Name: "small.zip", Source: catalogapi.SourceADVArchive,
		Filings: itertest.Rows(
			&catalogapi.AdviserFiling{Key: "1", FilingID: "1", CRD: "7001", Submitted: day, Statement: catalogapi.Statement{LegalName: "ALDER POINT LLC"}},
			&catalogapi.AdviserFiling{Key: "2", FilingID: "2", CRD: "07002", Submitted: day, Statement: catalogapi.Statement{LegalName: "FENWICK LP"}},
		),
		Owners: itertest.Rows(
			&catalogapi.OwnerRow{FilingKey: "1", Schedule: "A", Name: "PERSON, INVENTED", File: "a.csv", Line: 2},
			&catalogapi.OwnerRow{FilingKey: "2", Schedule: "A", Name: "PERSON, INVENTED", File: "a.csv", Line: 3},
			&catalogapi.OwnerRow{FilingKey: "3", Schedule: "A", Name: "PERSON, INVENTED", File: "a.csv", Line: 4},
		),
		Funds: itertest.Rows(
			&catalogapi.FundRow{FilingKey: "1", ReferenceID: "11", FundID: "805-0000000011", Name: "Alder I"},
		),
		Auditors: itertest.Rows(&catalogapi.AuditorRow{FilingKey: "1", ReferenceID: "11", Name: "INVENTED AUDITORS LLP"}),
	}
}

// sent are the rows that a reader sends to each staged table, in the order of the tables.
func sent(tb testing.TB, r *reader) (tables []string, rows map[string]string, err error) {
	tb.Helper()
	rows = map[string]string{}
	for {
		c, err := r.chunks.next()
		if err != nil {
			return tables, rows, err
		}
		require.Contains(tb, r.tables, c.to)
		if rows[c.to.staged] == "" {
			tables = append(tables, c.to.staged)
		}
		rows[c.to.staged] += string(c.rows)
	}
}

// A reader sends what hangs on filings as it comes, then funds with what completes them, then the filings; and refuses the
// rows of filings that it refused or never saw.
func TestReaderSends(t *testing.T) {
	t.Parallel()
	var refusals []string
	p := New(nil, clock.System{}, slog.New(slog.DiscardHandler)).Prepare(t.Context(), smallArchive(), catalogapi.LoadOptions{
		RunID: 5, Reject: func(r catalogapi.Rejected) {
			refusals = append(refusals, fmt.Sprint(r.File, ":", r.Line, " ", r.Reason))
		},
	})
	tables, rows, err := sent(t, readerOf(t, p))
	require.Equal(t, io.EOF, err)
	<-p.Done()
	require.Equal(t, []string{"s_owners", "s_fund", "s_version", "s_filing"}, tables)
	for table, begins := range map[string]string{
		"s_owners": "ADV-7001-1\t1\t7001\tA\tPERSON, INVENTED\t", "s_fund": "ADV-7001-1\t7001\t805-0000000011\t11\tAlder I\t",
		"s_version": "7001\tADV-7001-1\tALDER POINT LLC\t", "s_filing": "ADV-7001-1\t7001\tadv_archive\t1\t2024-03-01\t",
	} {
		require.True(t, strings.HasPrefix(rows[table], begins), "%s: %q", table, rows[table])
		require.Equal(t, 1, strings.Count(rows[table], "\n"), table)
	}
	require.Contains(t, rows["s_fund"], "\t{\"INVENTED AUDITORS LLP\"}\t")
	require.Contains(t, rows["s_filing"], "\tsmall.zip\t5\t")
	require.Equal(t, []string{
		`small.zip:0 CRD "07002" is not 1 to 10 digits without leading zeros`,
		`a.csv:3 the filing "2" that the row belongs to was rejected`,
		`a.csv:4 FilingID "3" is not among the filings of this document`,
	}, refusals)
}

// A document that breaks sends what it had, and then its own error.
func TestReaderFails(t *testing.T) {
	t.Parallel()
	torn, doc := errors.New("the archive ends in the middle"), smallArchive()
	doc.Funds = func(yield func(*catalogapi.FundRow, error) bool) { yield(nil, torn) }
	p := New(nil, clock.System{}, slog.New(slog.DiscardHandler)).Prepare(t.Context(), doc, catalogapi.LoadOptions{})
	tables, _, err := sent(t, readerOf(t, p))
	require.Equal(t, torn, err)
	require.Equal(t, []string{"s_owners"}, tables)
}

// A reader that nobody takes from ends when it is closed, and with it the sequence that it reads.
func TestReaderIsClosed(t *testing.T) {
	t.Parallel()
	doc, over := smallArchive(), false
	doc.Owners = func(yield func(*catalogapi.OwnerRow, error) bool) {
		defer func() { over = true }()
		for i := 0; yield(&catalogapi.OwnerRow{FilingKey: "1", Schedule: "A", Name: "PERSON, INVENTED", Title: strconv.Itoa(i)}, nil); i++ {
			continue
		}
	}
	p := New(nil, clock.System{}, slog.New(slog.DiscardHandler)).Prepare(t.Context(), doc, catalogapi.LoadOptions{})
	r := readerOf(t, p)
	<-r.named
	p.Close()
	require.True(t, over)
	_, _, err := sent(t, r)
	require.ErrorIs(t, err, errAbandoned)
}

// listTable and dayTable are two small tables to copy into.
var (
	listTable = &table{staged: "s_list", final: "catalog.editions", like: "catalog.editions", columns: []string{"series", "day"}}
	dayTable  = &table{staged: "s_day", final: "catalog.editions", like: "catalog.editions", columns: []string{"day"}}
)

// sending is a reader that sends these chunks and then fails, or ends.
func sending(t *testing.T, end error, chunks ...chunk) *reader {
	t.Helper()
	r := newReader(catalogapi.Document{}, catalogapi.LoadOptions{})
	r.tables = []*table{listTable, dayTable}
	r.begin(t.Context(), func(context.Context) error {
		for _, c := range chunks {
			if err := r.put(c); err != nil {
				return err
			}
		}
		return end
	})
	return r
}

// The stager copies each chunk into its table, in whatever order they come, or straight into the catalog's. What the reader
// fails with it fails with; what the server refuses names the table.
func TestStager(t *testing.T) {
	t.Parallel()
	l := New(dbtest.New(t), clock.System{}, slog.New(slog.DiscardHandler))
	rows := func(to *table, text string) chunk { return chunk{to, []byte(text)} }
	staged := func(r *reader, straight bool, query string) (found []string, err error) {
		enough := errors.New("enough")
		err = l.exclusively(t.Context(), reasonFiling, func(ctx context.Context, s *session) error {
			if err := s.stage(ctx, r.tables, r.chunks, straight); err != nil {
				return err
			}
			rows, err := s.c.Query(ctx, query)
			require.NoError(t, err)
			found, err = pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			return enough
		})
		if errors.Is(err, enough) {
			err = nil
		}
		return found, err
	}
	all := "SELECT 'list ' || series || ' ' || day FROM s_list UNION ALL SELECT 'day ' || day FROM s_day ORDER BY 1"
	found, err := staged(sending(t, nil, rows(listTable, "a\t2024-01-01\n"), rows(dayTable, "2024-01-02\n2024-01-"), rows(dayTable, "03\n"),
		rows(listTable, "b\t2024-01-04\n")), false, all)
	require.NoError(t, err)
	require.Equal(t, []string{"day 2024-01-02", "day 2024-01-03", "list a 2024-01-01", "list b 2024-01-04"}, found)

	found, err = staged(sending(t, nil), false, all)
	require.NoError(t, err)
	require.Empty(t, found, "an empty document has its tables all the same")

	found, err = staged(sending(t, nil, rows(listTable, "a\t2024-01-01\n")), true, "SELECT series FROM catalog.editions")
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, found)

	torn := errors.New("the archive ends in the middle")
	for _, chunks := range [][]chunk{nil, {rows(listTable, "a\t2024-01-01\n")}} {
		_, err = staged(sending(t, torn, chunks...), false, all)
		require.Equal(t, torn, err)
	}
	_, err = staged(sending(t, nil, rows(listTable, "a\tno day\n")), false, all)
	require.ErrorContains(t, err, "COPY s_list (series, day)")
}
