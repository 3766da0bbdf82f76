package load_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

// atCommitSQL lets whoever has written events wait at the commit for the holder of an advisory lock.
var atCommitSQL = []string{
	`CREATE FUNCTION platform.wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(29); RETURN NULL; END $$`,
	`CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON platform.changes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION platform.wait_at_commit()`,
}

// Guarantee: a loader that is killed between the events and the commit leaves neither events nor rows, and the next load of the document leaves both.
func TestKilledBetweenEventsAndCommit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archive("first.zip", filing("100", "7001", "2026-03-20", "ALDER POINT CAPITAL LLC")))
	_, last := b.said(0)
	for _, statement := range atCommitSQL {
		_, err := database.Run(t.Context(), b.db, "wait at the commit", statement, nil)
		require.NoError(t, err)
	}
	const kills = 20
	document := func(n int) document {
		id := strconv.Itoa(200 + n)
		return archive("killed-"+id+".zip", filing(id, "7001", "2026-04-"+strconv.Itoa(10+n), "ALDER POINT "+id+" LLC"))
	}
	const left = `SELECT (SELECT count(*) FROM catalog.filings), (SELECT count(*) FROM platform.changes), (SELECT max(legal_name) FROM catalog.advisers)`
	before := b.row(left)
	require.NoError(t, b.db.InTx(t.Context(), func(holder context.Context) error {
		_, err := database.Run(holder, b.db, "hold the commit", "SELECT pg_advisory_xact_lock(29)", nil)
		require.NoError(t, err)
		for n := range kills {
			loaded := make(chan error, 1)
			go func() {
				_, err := b.loader.LoadDocument(t.Context(), document(n).stream(), catalogapi.LoadOptions{RunID: int64(100 + n)})
				loaded <- err
			}()
			require.Eventually(t, func() bool {
				return b.row(`SELECT count(pg_terminate_backend(pid)) FROM pg_locks
					WHERE locktype = 'advisory' AND objid = 29 AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)[0] == "1"
			}, time.Minute, time.Millisecond)
			require.Error(t, <-loaded)
			require.Equal(t, before, b.row(left))
		}
		return nil
	}))
	for n := range kills {
		id := strconv.Itoa(200 + n)
		b.load(document(n))
		var got []string
		got, last = b.said(last)
		require.Contains(t, got, "new_filing 7001 ADV-7001-"+id+" filing ADV-7001-"+id+"ADV/A")
		require.Len(t, got, 2, "and the name")
	}
}
