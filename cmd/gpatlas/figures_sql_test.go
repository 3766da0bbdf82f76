package main

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// The figures by hand, and those of every adviser of the sample as a statement of SQL works them out from the stored rows by
// the rules of docs/figures.md.
func TestFigures(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	checkFigures(t, h.base)
	statement, err := os.ReadFile("testdata/metrics.sql")
	require.NoError(t, err)
	want := map[string]string{}
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		rows, err := c.Query(t.Context(), "SELECT crd FROM catalog.advisers")
		if err != nil {
			return err
		}
		crds, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, crd := range crds {
			var figures string
			if err := c.QueryRow(t.Context(), string(statement), crd).Scan(&figures); err != nil {
				return err
			}
			want[crd] = figures
		}
		return nil
	}))
	require.Len(t, want, 300)
	for crd, figures := range want {
		status, body := get(t, h.base+"/v1/gps/"+crd+"/metrics")
		require.Equal(t, http.StatusOK, status, body)
		var got struct {
			GP      json.RawMessage `json:"gp"`
			Metrics json.RawMessage `json:"metrics"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &got), crd)
		ours, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, figures, string(ours), crd)
	}
}
