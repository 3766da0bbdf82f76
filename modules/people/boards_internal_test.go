package people

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/board"
	"gpatlas/modules/people/internal/hiring"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
)

// vendors answers for all vendors, without a network.
type vendors func(r *http.Request) (status int, body string)

func (v vendors) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := v(r)
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

// TestBoardCommand adds, lists, fetches and removes boards by command.
func TestBoardCommand(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", nil), fixture.Filed("900103", "2020-03-01", nil))
	client := board.NewClient(board.Options{Sleep: w.Clock.Sleep, Transport: vendors(func(r *http.Request) (int, string) {
		if r.URL.Host == "api.lever.co" {
			return http.StatusNotFound, `{"ok":false}`
		}
		return http.StatusOK, `{"jobs":[{"id":"a","title":"Analyst"}]}`
	})}, w.Clock, slog.New(slog.DiscardHandler))
	run := func(args ...string) (string, error) {
		cmd := boardCommand(func(_ context.Context, work func(s *hiring.Service) error) error {
			return work(hiring.NewService(w.DB, client, nil, w.Clock, slog.New(slog.DiscardHandler)))
		}, func(check cobra.PositionalArgs) cobra.PositionalArgs { return check })
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		cmd.SetArgs(args)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	for _, step := range []struct{ args, said, fault string }{
		{"list", "No board is configured.\n", ""},
		{"fetch", "No board is configured.\n", ""},
		{"add 900101 ashby kestrel", "900101 ashby kestrel is configured. The worker reads it within an hour; gpatlas people board fetch 900101 reads it now\n", ""},
		{"add 900101 ashby kestrel", "900101 ashby kestrel was configured before\n", ""},
		{"add 900101 workday kestrel", "", "Invalid vendor: must be one of greenhouse, lever, lever-eu, ashby"},
		{"add 900101 ashby ../x", "", "Invalid token"},
		{"add 999999 ashby kestrel", "", "GP with CRD 999999 not found"},
		{"add 900101 ashby", "", "accepts 3 arg"},
		{"list", "CRD     VENDOR  TOKEN    OPEN  LAST READ  STATE\n900101  ashby   kestrel  0     never      not read yet\n", ""},
		{"fetch 900101", "900101 ashby kestrel: 1 open, 0 closed\n", ""},
		{"add 900101 lever mossgate", "900101 lever mossgate is configured. The worker reads it within an hour; gpatlas people board fetch 900101 reads it now\n", ""},
		{"fetch 900101", "900101 ashby kestrel: read by another process at the same time\n900101 lever mossgate: not read: api.lever.co: the server returned 404 Not Found\n", "1 of 2 boards could not be read"},
		{"list 900101", "CRD     VENDOR  TOKEN     OPEN  LAST READ         STATE\n900101  ashby   kestrel   1     2026-11-22 09:00  ok\n" +
			"900101  lever   mossgate  0     never             failing, next attempt 2026-11-23 08:30: api.lever.co: the server returned 404 Not Found\n", ""},
		{"remove 900101 lever mossgate", "900101 lever mossgate and its postings are removed\n", ""},
		{"remove 900101 lever mossgate", "", "CRD 900101 has no board lever mossgate: gpatlas people board list shows the boards"},
		{"fetch 900102", "", "GP with CRD 900102 not found: GET /v1/gps?q=NAME finds the CRD number of a manager"},
		{"list 900102", "", "GP with CRD 900102 not found"},
		{"fetch abc", "", "Invalid crd: must be a CRD number"},
		{"list abc", "", "Invalid crd: must be a CRD number"},
		{"list 900103", "CRD 900103 has no board.\n", ""},
		{"fetch 900103", "CRD 900103 has no board.\n", ""},
		{"remove 900101 ashby kestrel", "900101 ashby kestrel and its postings are removed\n", ""},
		{"recorded", "", ""},
		{"fetch", "No board is fetched; 1 come from files.\n", ""},
		{"fetch 900101", "No board is fetched; 1 come from files.\n", ""},
	} {
		if step.args == "recorded" {
			recorded := filepath.Join(t.TempDir(), "900101.ashby.kestrel.json")
			require.NoError(t, os.WriteFile(recorded, []byte(`{"jobs":[]}`), 0o600))
			_, err := LoadBoards(t.Context(), w.DB, w.Clock, []string{recorded})
			require.NoError(t, err)
			continue
		}
		said, err := run(strings.Fields(step.args)...)
		require.Equal(t, step.said, said, step.args)
		if step.fault == "" {
			require.NoError(t, err, step.args)
		} else {
			require.ErrorContains(t, err, step.fault, step.args)
		}
	}
	const statement = "SELECT concat_ws(' ', action, subject, before, after) FROM platform.audit WHERE actor_id IS NULL ORDER BY id"
	changes, err := database.Values[string](t.Context(), w.DB, "read recorded changes", statement, nil)
	require.NoError(t, err)
	require.Equal(t, []string{
		"board.add board 900101 ashby kestrel", "board.add board 900101 lever mossgate", "board.remove board 900101 lever mossgate",
		"board.remove board 900101 ashby kestrel",
	}, changes)
}

// TestBoardsOfSettings: the job adds the boards that a setting names; one whose manager is not there yet waits.
func TestBoardsOfSettings(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", nil))
	boards, err := jobBoards([]string{"900109:ashby:later", " 900101:ashby:kestrel"})
	require.NoError(t, err)
	client := board.NewClient(board.Options{Sleep: w.Clock.Sleep, Transport: vendors(func(*http.Request) (int, string) { return http.StatusOK, `{"jobs":[]}` })},
		w.Clock, slog.New(slog.DiscardHandler))
	s := hiring.NewService(w.DB, client, boards, w.Clock, slog.New(slog.NewTextHandler(t.Output(), nil)))
	for range 2 {
		_, err = s.FetchDue(t.Context())
		require.NoError(t, err)
		list, err := s.Boards(t.Context(), "")
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.NotNil(t, list[0].SucceededAt)
	}
	for entry, want := range map[string]string{"900101:ashby": "is not CRD:VENDOR:TOKEN", "900101:monster:x": "Invalid vendor", "x:ashby:x": "Invalid crd", "": "is not"} {
		_, err := jobBoards([]string{entry})
		require.ErrorContains(t, err, want)
	}
}
