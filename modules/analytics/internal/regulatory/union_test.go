package regulatory_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/regulatory"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/httpapitest"
)

// Guarantee: with the firm search configured its events are joined to the filed ones, over the whole way from its server
// to the answer; when it fails, its last answer stays.
func TestFirmSearchConfigured(t *testing.T) {
	t.Parallel()
	content, err := json.Marshal(map[string]any{
		"basicInformation": map[string]any{"firmId": 900001},
		"iaDisclosures": []any{
			map[string]any{"disclosureType": "Regulatory", "eventDate": "2/19/2021", "disclosureDetail": map[string]any{"DocketNumberFDA": "2020065242701"}},
			map[string]any{"disclosureType": "Civil", "eventDate": "7/1/2020", "disclosureResolution": "Final", "disclosureDetail": map[string]any{
				"Docket Number": "20 CV 9", "Resolution": "Settled",
			}},
			map[string]any{"disclosureType": "Regulatory", "eventDate": "10/2/2026", "disclosureResolution": "Pending", "disclosureDetail": map[string]any{"Initiated By": "NFA"}},
		},
	})
	require.NoError(t, err)
	var broken atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case broken.Load():
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/search/firm/900001":
			_, _ = fmt.Fprintf(w, `{"hits":{"hits":[{"_source":{"iacontent":%q}}]}}`, content)
		default:
			_, _ = io.WriteString(w, `{"hits":{"total":0,"hits":[]}}`)
		}
	}))
	t.Cleanup(server.Close)
	clk, log := clocktest.New(noon), slog.New(slog.DiscardHandler)
	store := regulatory.NewStore(harborRidge(t))
	providers, err := regulatory.Providers(regulatory.Settings{SearchURL: server.URL, Timeout: 5 * time.Second}, store, clk, log)
	require.NoError(t, err)
	host := httpapitest.New(t, regulatory.Routes(regulatory.NewService(store, providers, clk, log))...)

	a := get(t, host, path)
	require.Equal(t, "form_adv,iapd", a.Meta.Source)
	require.Equal(t, []string{
		"disciplinary 2026-10-02", "regulatory 2023-09-30", "regulatory 2023-02-03", "disciplinary 2021-02-19", "civil 2020-07-01", "criminal 2014-05-06",
	}, types(a.Data.Events))
	added, finra, civil := a.Data.Events[0], a.Data.Events[3], a.Data.Events[4]
	require.Equal(t, "iapd", added.Source)
	require.Nil(t, added.DisclosedAt)
	require.Equal(t, "Pending", added.Resolution)
	require.Equal(t, "Disciplinary action initiated by NFA", added.Description)
	require.Equal(t, []string{"form_adv", "iapd"}, finra.Sources)
	require.Equal(t, "Trade reports had errors in a time stamp.", finra.Description)
	require.Equal(t, "Settled", civil.Resolution)
	require.Equal(t, "Final", *civil.Status)
	require.Equal(t, "form_adv", civil.Source)

	require.Empty(t, get(t, host, "/v1/gps/900002/regulatory").Data.Events, "unknown there")

	broken.Store(true)
	clk.Move(2 * lifetime)
	stale := get(t, host, path)
	require.Equal(t, regulatory.CacheStale, stale.Meta.CacheStatus)
	require.Equal(t, a.Data.Events, stale.Data.Events)
	require.Equal(t, a.Data.LastChecked, stale.Data.LastChecked)
	require.Equal(t, a.Meta.CacheExpires, stale.Meta.CacheExpires)
}
