package database_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// Notices come by channel; a connection that is lost is told of once, and another one takes its place.
func TestFollow(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	listening, heard, lost := make(chan struct{}, 1), make(chan database.Notice, 9), make(chan error, 1)
	var done sync.WaitGroup
	done.Go(func() {
		db.Follow(ctx, database.Follower{
			Listening: func() { listening <- struct{}{} },
			Heard:     func(n database.Notice) { heard <- n },
			Lost:      func(err error) { lost <- err },
		}, "one", "two")
	})
	run := func(sql string) {
		t.Helper()
		require.NoError(t, db.From(t.Context()).Exec(sql).Error)
	}
	<-listening
	run("NOTIFY one, 'a'")
	run("NOTIFY three, 'b'")
	run("NOTIFY two, 'c'")
	require.Equal(t, database.Notice{Channel: "one", Payload: "a"}, <-heard)
	require.Equal(t, database.Notice{Channel: "two", Payload: "c"}, <-heard)
	run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'")
	require.Error(t, <-lost)
	<-listening
	run("NOTIFY one, 'd'")
	require.Equal(t, database.Notice{Channel: "one", Payload: "d"}, <-heard)
	stop()
	done.Wait()
	require.Empty(t, lost, "an end that was asked for is no outage")
}

// An outage is told of once, however often it is tried.
func TestFollowSaysOnce(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	db.Close()
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	lost := 0
	db.Follow(ctx, database.Follower{Lost: func(error) { lost++ }}, "one")
	require.Equal(t, 1, lost)
}

func TestNextGivesUp(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	require.NoError(t, db.Listen(t.Context(), func(l database.Listener) error {
		n, err := l.Next(t.Context(), time.Millisecond)
		require.Nil(t, n)
		return err
	}, "one"))
}
