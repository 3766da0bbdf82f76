package filing_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// An ADV-W says nothing of the firm, so a feed's row of that day is listed beside it, in the lists of one manager and of all.
func TestTheDayOfAWithdrawal(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	require.NoError(t, c.DB.Conn(t.Context(), func(conn *pgx.Conn) error {
		_, err := conn.Exec(t.Context(), `INSERT INTO catalog.filings
			(accession, crd, source, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id)
			VALUES ('ROSTER-900001-20260702', '900001', 'roster', 'ADV/A', 'material', '2026-07-02', '2026-07-02 00:00:00Z', false, 'roster', 9)`)
		return err
	}))
	want := []string{"ROSTER-900001-20260702", "ADVW-900001-3001"}
	_, got := pageOf(t, host, url.Values{"crd": {"900001"}, "from": {"2026-07-02"}})
	require.ElementsMatch(t, want, got)
	var one struct {
		Data []struct {
			Accession string `json:"accession_number"`
			Day       string `json:"filing_date"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/filings"}).Body), &one))
	var listed []string
	for _, f := range one.Data {
		if f.Day == "2026-07-02" {
			listed = append(listed, f.Accession)
		}
	}
	require.ElementsMatch(t, want, listed)
}
