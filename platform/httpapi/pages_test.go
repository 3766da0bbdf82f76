package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// roster is a page of persons that says what the next page costs at most.
type (
	roster struct {
		Data []string   `json:"data"`
		Meta rosterMeta `json:"meta"`
	}
	rosterMeta struct {
		NextPageCost string `json:"next_page_cost"`
	}
)

type rosterInput struct {
	CRD    string `path:"crd" maxLength:"10"`
	Offset int    `query:"offset" minimum:"0" default:"0"`
}

func pagedTeam(people int) httpapi.Route {
	const page, price = 3, 500_000
	return httpapi.Get("/gps/{crd}/team", "team", func(_ context.Context, in *rosterInput) (*httpapi.Reply[roster], error) {
		reply := &httpapi.Reply[roster]{}
		for i := in.Offset; i < min(in.Offset+page, people); i++ {
			reply.Body.Data = append(reply.Body.Data, fmt.Sprintf("p%02d", i))
		}
		reply.Units = reply.Body.Data
		reply.Body.Meta.NextPageCost = charge.Dollars(price * int64(max(0, min(page, people-in.Offset-page))))
		return reply, nil
	}, httpapi.Charge(price, charge.PerPerson), httpapi.Sells("roster"))
}

// No page costs more than the page before it said, whatever is bought in between; and what it said, sent as max_charge, is
// enough.
func TestPagesCostWhatTheOneBeforeSaid(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		between []string // bought after the first page
		want    []string
	}{
		"nothing bought in between": {nil, []string{"1.50", "1.50", "1.50", "0.50"}},
		"bought in between":         {[]string{"p01", "p04", "p05", "p09"}, []string{"1.50", "0.50", "1.50", "0.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			meter := &chargetest.Meter{CallersOnly: true}
			h := httpapitest.NewMetered(t, meter, pagedTeam(10))
			said := "1.50"
			for i, want := range test.want {
				path := fmt.Sprintf("/gps/900001/team?offset=%d&max_charge=%s", 3*i, said)
				estimate := h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: path, As: ada}).Header.Get("X-Charge-Estimate")
				got := h.Do(t, httpapitest.Scenario{Path: path, As: ada, WantHeader: map[string]string{"X-Charge": want}})
				require.Equal(t, want, estimate)
				require.LessOrEqual(t, amountOf(t, want), amountOf(t, said))
				var page roster
				require.NoError(t, json.Unmarshal([]byte(got.Body), &page))
				said = page.Meta.NextPageCost
				if i == 0 && test.between != nil {
					_, err := meter.Charge(auth.With(t.Context(), ada), charge.Item{Operation: "unlock", Product: "roster", Units: test.between, Per: charge.PerPerson, UnitMicros: 500_000})
					require.NoError(t, err)
				}
			}
			require.Equal(t, "0.00", said, "after the last page")
			require.EqualValues(t, 5_000_000, meter.Spent(ada.UserID), "each person once")
		})
	}
}

func amountOf(t *testing.T, dollars string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(dollars, 64)
	require.NoError(t, err)
	return v
}
