package pages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/feed/internal/pages"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// api answers with one event, and remembers what was asked of the log.
type api struct {
	console.API
	asked url.Values
}

func (a *api) Get(_ context.Context, operation string, values url.Values) (*console.Answer, error) {
	if operation == "list-kinds-of-changes" {
		return &console.Answer{Data: []any{map[string]any{"kind": "aum_change"}}}, nil
	}
	a.asked = values
	return &console.Answer{
		Data: []any{map[string]any{
			"kind": "aum_change", "at": "2026-11-14T06:00:14Z", "crd": "900001", "gp_name": "Harbor Ridge <b>LLC</b>", "reason": "filing", "accession_number": "ADV-900001-2001",
			"changed": []any{map[string]any{"field": "total_aum", "before": nil, "after": json.Number("2500000000")}},
		}},
		Meta: map[string]any{"has_more": true, "next_cursor": "cur_abc"},
	}, nil
}

// Guarantee: the page shows each event with its values and a link to the rest, and begins 30 days ago.
func TestChangesPage(t *testing.T) {
	t.Parallel()
	part, log := pages.Part(), &api{}
	ask := func(values url.Values) string {
		view, err := part.Pages[0].Load(t.Context(), &console.Request{API: log, Values: values, Now: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)})
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, templates.Render(&out, view.Body, templates.Frame{Title: view.Title, Data: view.Data}))
		return out.String()
	}
	shown := ask(url.Values{})
	require.Equal(t, url.Values{"since": {"2026-10-29T12:00:00Z"}, "limit": {"50"}}, log.asked)
	for _, want := range []string{
		`<a href="/gps/900001">Harbor Ridge &lt;b&gt;LLC&lt;/b&gt;</a>`, "Assets, Form ADV 5.F(2)(c): none → $2,500,000,000", "14 Nov 2026, 06:00 UTC", "ADV-900001-2001",
		`href="/changes?kind=aum_change"`, `href="/changes?cursor=cur_abc"`,
	} {
		require.Contains(t, shown, want)
	}
	shown = ask(url.Values{"cursor": {"cur_abc"}, "kind": {"aum_change"}})
	require.Equal(t, url.Values{"cursor": {"cur_abc"}, "kind": {"aum_change"}, "limit": {"50"}}, log.asked)
	require.Contains(t, shown, `href="/changes?cursor=cur_abc&amp;kind=aum_change"`)
	table, err := part.Panels[0].Load(t.Context(), &console.Request{API: log, Parameters: map[string]string{"crd": "900001"}, Now: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Len(t, table.(*console.Table).Rows, 1)
	require.Equal(t, "900001", log.asked.Get("crd"))
	require.Equal(t, []string{"Only the first 50 of the last 30 days are shown. All are on the page of changes."}, table.(*console.Table).Notes)
}
