package audit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/audit"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

// A change is recorded with its actor, in the transaction of the change.
func TestLog(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	log := audit.New(db, clock.Fixed(noon))
	ctx := auth.With(t.Context(), &auth.Principal{Kind: auth.Session, UserID: 7})
	require.NoError(t, log.Write(ctx, audit.Change{Action: "alert.resolve", Subject: "alert 17", Before: map[string]any{"state": "open"}, After: map[string]any{"state": "resolved"}}))
	require.NoError(t, log.Write(t.Context(), audit.Change{Action: "admin.grant", Subject: "account 8"}))
	undone := errors.New("undone")
	require.ErrorIs(t, db.InTx(ctx, func(ctx context.Context) error {
		require.NoError(t, log.Write(ctx, audit.Change{Action: "alert.resolve", Subject: "alert 18"}))
		return undone
	}), undone)
	require.Error(t, log.Write(ctx, audit.Change{Action: "x.y", Subject: "z", After: make(chan int)}))
	list, err := log.List(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "admin.grant", list[0].Action)
	require.Nil(t, list[0].ActorID)
	require.Nil(t, list[0].Before)
	require.Equal(t, int64(7), *list[1].ActorID)
	require.Equal(t, noon, list[1].At)
	require.JSONEq(t, `{"state":"open"}`, string(list[1].Before))
	require.JSONEq(t, `{"state":"resolved"}`, string(list[1].After))

	host := httpapitest.New(t, log.Routes()...)
	page := host.Do(t, httpapitest.Scenario{Path: "/v1/admin/audit?per_page=1&page=2", As: &auth.Principal{Kind: auth.Session, UserID: 7, Admin: true}})
	require.Contains(t, page.Body, `"actor_id":7,"action":"alert.resolve","subject":"alert 17","before":{"state":"open"}`)
	require.Contains(t, page.Body, `"total":2,"limit":1,"offset":1`)
	require.NotContains(t, page.Body, "admin.grant")
	host.Do(t, httpapitest.Scenario{Path: "/v1/admin/audit", As: &auth.Principal{Kind: auth.Session, UserID: 7}, Status: 403})
	db.Close()
	_, err = log.List(t.Context(), 10)
	require.Error(t, err)
}
