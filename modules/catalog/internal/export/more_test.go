package export_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/export"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

// ofDetails are the columns that only details have, by the type of row.
var ofDetails = map[string][]string{
	"gps": {
		"phone", "street1", "street2", "postal_code", "sec_number", "lei", "registered_on", "founded_year", "org_form", "org_state", "total_gav", "net_gav",
		"total_investors",
	},
	"funds": {"minimum_investment", "beneficial_owners_count", "auditors", "form_d_file_numbers", "closed_after", "closed_before", "administrators", "custodians", "prime_brokers", "marketers", "stage"},
}

func exec(t *testing.T, c *fixture.Catalog, sql string) {
	t.Helper()
	require.NoError(t, c.DB.Conn(t.Context(), func(conn *pgx.Conn) error {
		_, err := conn.Exec(t.Context(), sql)
		return err
	}))
}

// Guarantee: cells are what the detail of the same row shows. Lists have semicolons between their values.
func TestCellsOfDetails(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, false)
	for of, key := range map[string]string{"gps": "crd", "funds": "fund_id"} {
		filters := []string{`{}`}
		if of == "funds" {
			filters = []string{`{}`, `{"status":"closed"}`}
		}
		known := map[string]int{}
		for _, filter := range filters {
			names, err := json.Marshal(append([]string{key}, ofDetails[of]...))
			require.NoError(t, err)
			request := fmt.Sprintf(`{"type":%q,"filters":%s,"fields":%s,"format":`, of, filter, names)
			cells := parse(t, ask(t, host, request+`"csv"}`).Body)
			lines := strings.Split(strings.TrimSpace(ask(t, host, request+`"ndjson"}`).Body), "\n")
			require.Len(t, lines, len(cells)-1)
			for i, line := range lines {
				row, detail := decoded(t, line), decoded(t, host.Do(t, httpapitest.Scenario{Path: "/v1/" + of + "/" + cells[i+1][0]}).Body)
				detail, _ = detail["data"].(map[string]any)
				require.NotNil(t, detail)
				if closed, ok := detail["closed_between"].(map[string]any); ok {
					detail["closed_after"], detail["closed_before"] = closed["after"], closed["before"]
				}
				if of == "funds" {
					offerings := decoded(t, host.Do(t, httpapitest.Scenario{Path: "/v1/funds/" + cells[i+1][0] + "/offerings"}).Body)
					if newest, _ := offerings["data"].([]any); len(newest) > 0 {
						detail["stage"] = newest[0].(map[string]any)["stage"] //nolint:forcetypeassert // rows of a list
					}
				}
				for k, name := range ofDetails[of] {
					want := detail[name]
					if list, ok := want.([]any); ok {
						want = joined(list)
					}
					require.Equal(t, want, row[name], "%s of %s", name, cells[i+1][0])
					cell := ""
					if want != nil {
						known[name]++
						cell = fmt.Sprint(want)
					}
					if strings.HasPrefix(cell, "+") {
						cell = "'" + cell
					}
					require.Equal(t, cell, cells[i+1][k+1], "%s of %s", name, cells[i+1][0])
				}
			}
		}
		for _, name := range []string{"phone", "sec_number", "minimum_investment", "auditors", "closed_before", "stage"} {
			if len(ofDetails[of]) > 0 && strings.Contains(strings.Join(ofDetails[of], " "), name) {
				require.Positive(t, known[name], "the fixture has no %s", name)
			}
		}
	}
}

// The firms that serve a fund are those of its providers, by their names, sorted. Persons are not named.
func TestCellsOfProviders(t *testing.T) {
	t.Parallel()
	_, c, _ := newHost(t, false)
	exec(t, c, `INSERT INTO catalog.provider_names OVERRIDING SYSTEM VALUE VALUES (9001, 'Tarn Admin LLC', '', ''), (9002, 'Halfmoon Fund Services LLC', '', ''),
		(9003, 'Juno Alderwick', '', ''), (9004, 'HALFMOON FUND SERVICES, L.L.C.', '', ''), (9005, 'Reedmere Bank N.A.', '', '')`)
	exec(t, c, `DELETE FROM catalog.fund_services WHERE fund_id IN ('805-0000000011', '805-0000000012')`)
	exec(t, c, `INSERT INTO catalog.fund_services VALUES
		('805-0000000011', 30, ARRAY[9001 * 8 + 3, 9002 * 8 + 3, 9003 * 8 + 4, 9005 * 8 + 1, 9005 * 8 + 2]), ('805-0000000012', 30, ARRAY[9004 * 8 + 3, 9002 * 8 + 4, 9003 * 8 + 4])`)
	snapshot, err := index.Load(t.Context(), c.DB, c.Clock)
	require.NoError(t, err)
	host := httpapitest.New(t, export.Routes(export.NewService(&inTurn{[]*index.Snapshot{snapshot}}, c.DB, c.Clock, false))...)
	const request = `{"type":"funds","filters":{"fund_id":"805-0000000011,805-0000000012"},"sort":"as_sent","fields":["administrators","custodians","prime_brokers","marketers"],"format":`
	require.Equal(t, [][]string{
		{"administrators", "custodians", "prime_brokers", "marketers"},
		{"Halfmoon Fund Services LLC; Tarn Admin LLC", "Reedmere Bank N.A.", "Reedmere Bank N.A.", ""},
		{"Halfmoon Fund Services LLC", "", "", "Halfmoon Fund Services LLC"},
	}, parse(t, ask(t, host, request+`"csv"}`).Body))
	require.Contains(t, ask(t, host, request+`"ndjson"}`).Body, `"marketers":null}`)
}

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&v), text)
	return v
}

func joined(list []any) any {
	if len(list) == 0 {
		return nil
	}
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = fmt.Sprint(v)
	}
	return strings.Join(all, "; ")
}

// The default columns remain those of lists, and the others say that they are not default.
func TestDefaultColumns(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, false)
	var fields struct {
		Data map[string][]struct {
			Name, Description string
			Default           bool
		}
	}
	got := host.Do(t, httpapitest.Scenario{Path: "/v1/export/fields", As: ada})
	require.NoError(t, json.Unmarshal([]byte(got.Body), &fields))
	for of, more := range ofDetails {
		var standard, others []string
		for _, f := range fields.Data[of] {
			require.NotEmpty(t, f.Description, f.Name)
			if f.Default {
				standard = append(standard, f.Name)
			} else {
				others = append(others, f.Name)
			}
		}
		require.Equal(t, more, others)
		require.Equal(t, standard, parse(t, ask(t, host, `{"type":"`+of+`"}`).Body)[0])
	}
}

// inTurn gives one snapshot after the other, the last one again and again.
type inTurn struct{ list []*index.Snapshot }

func (s *inTurn) Snapshot() (*index.Snapshot, error) {
	next := s.list[0]
	if len(s.list) > 1 {
		s.list = s.list[1:]
	}
	return next, nil
}

// Guarantee: cells of one file are of one publication. If another one comes before they are read, the rows are searched again; if the
// index does not have it yet, the response is 503. Files of the index alone do not notice.
func TestPublicationInBetween(t *testing.T) {
	t.Parallel()
	_, c, _ := newHost(t, false)
	old, err := c.Index.Snapshot()
	require.NoError(t, err)
	exec(t, c, `UPDATE catalog.advisers SET phone = '+44 20 7946 0100'`)
	exec(t, c, `INSERT INTO catalog.publications (run_id, reason) VALUES (1, 'test')`)
	fresh, err := index.Load(t.Context(), c.DB, c.Clock)
	require.NoError(t, err)
	require.Greater(t, fresh.Freshness().Publication, old.Freshness().Publication)
	export := func(snapshots ...*index.Snapshot) *httpapitest.Host {
		return httpapitest.New(t, export.Routes(export.NewService(&inTurn{snapshots}, c.DB, c.Clock, false))...)
	}
	const body = `{"type":"gps","fields":["crd","phone"]}`
	export(old, old, fresh).Do(t, httpapitest.Scenario{
		Method: http.MethodPost, Path: "/v1/export/csv", Body: body, As: ada, Status: http.StatusServiceUnavailable, Contains: []string{"The catalog is being updated"},
	})
	got := ask(t, export(old, fresh), body)
	require.Equal(t, strconv.FormatInt(fresh.Freshness().Publication, 10), got.Header.Get("X-Snapshot"))
	for _, row := range parse(t, got.Body)[1:] {
		require.Equal(t, "'+44 20 7946 0100", row[1], "no spreadsheet runs a telephone number")
	}
	require.Contains(t, ask(t, export(fresh), `{"type":"gps","fields":["phone"],"format":"ndjson"}`).Body, `{"phone":"+44 20 7946 0100"}`)
	got = ask(t, export(old), `{"type":"gps","fields":["crd"]}`)
	require.Equal(t, strconv.FormatInt(old.Freshness().Publication, 10), got.Header.Get("X-Snapshot"))
}

// BenchmarkExportOfDetails writes 10,000 rows with all columns. The columns of details come from the database, the others from the index.
func BenchmarkExportOfDetails(b *testing.B) {
	c := fixture.New(b)
	require.NoError(b, c.DB.Conn(b.Context(), func(conn *pgx.Conn) error {
		_, err := conn.Exec(b.Context(), `INSERT INTO catalog.filings (accession, crd, source, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id)
			SELECT 'ADV-' || n || '-1', n::text, 'roster', 'ADV', 'annual', '2026-03-01', '2026-03-01', false, 'bench.csv', 1 FROM generate_series(2000000, 2009999) n`)
		if err != nil {
			return err
		}
		_, err = conn.Exec(b.Context(), `INSERT INTO catalog.advisers (crd, legal_name, name_stem, canonical_gp_id, first_filed_on, newest_filed_on, latest_accession, latest_form_type,
				latest_filed_on, phone, street1, postal_code, sec_number, total_gav)
			SELECT n::text, 'Alder ' || n || ' LLC', 'alder ' || n, n, '2026-03-01', '2026-03-01', 'ADV-' || n || '-1', 'ADV', '2026-03-01', '+1 617 555 0100', n || ' Example Street', '02110',
				'801-' || n, n FROM generate_series(2000000, 2009999) n`)
		return err
	}))
	snapshot, err := index.Load(b.Context(), c.DB, c.Clock)
	require.NoError(b, err)
	service := export.NewService(&inTurn{[]*index.Snapshot{snapshot}}, c.DB, c.Clock, false)
	fields := append([]string{"crd", "legal_name", "city", "total_aum"}, ofDetails["gps"]...)
	for b.Loop() {
		file, err := service.Export(b.Context(), ada, &export.Request{Type: "gps", Fields: fields})
		require.NoError(b, err)
		require.Equal(b, 10_000, file.Rows())
		require.NoError(b, file.Write(bufio.NewWriter(io.Discard)))
	}
}
