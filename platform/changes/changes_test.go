package changes_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/changes"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

func add(t *testing.T, db *database.DB, events ...changes.Event) {
	t.Helper()
	require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error { return changes.Append(ctx, db, events) }))
}

func seqs(p changes.Page) (out []string) {
	for _, e := range p.Events {
		out = append(out, strconv.FormatInt(e.Seq, 10)+" "+e.Kind+" "+e.CRD+" "+e.Subject)
	}
	return out
}

// Events are numbered in the order of GP, kind and subject, and come back as they were written.
func TestAppend(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	require.ErrorContains(t, changes.Append(t.Context(), db, []changes.Event{{Kind: "a"}}), "in the transaction")
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	add(t, db,
		changes.Event{Kind: "b", CRD: "2", Subject: "y", Accession: "ADV-2", Day: &day, Arrival: 7, Said: json.RawMessage(`{"gp_name": "Larch"}`)},
		changes.Event{Kind: "b", CRD: "2", Subject: "x"}, changes.Event{Kind: "a", CRD: "2", Subject: "z"}, changes.Event{Kind: "z", CRD: "1"})
	add(t, db)
	p, err := changes.After(t.Context(), db, 0, 10, changes.Filter{})
	require.NoError(t, err)
	require.Equal(t, []string{"1 z 1 ", "2 a 2 z", "3 b 2 x", "4 b 2 y"}, seqs(p))
	last := p.Events[3]
	require.Equal(t, changes.Event{Seq: 4, At: last.At, Kind: "b", CRD: "2", Subject: "y", Accession: "ADV-2", Day: &day, Arrival: 7, Said: json.RawMessage(`{"gp_name": "Larch"}`)}, last)
	require.Equal(t, last.At, p.Events[0].At)
	require.False(t, p.More)
	require.Equal(t, int64(4), p.Head.Newest)
}

// A page says up to which number the log was looked at, also where the filter selects nothing.
func TestPages(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	for i := range 6 {
		add(t, db, changes.Event{Kind: []string{"a", "b"}[i%2], CRD: strconv.Itoa(i), Subject: "s"})
	}
	for name, c := range map[string]struct {
		after int64
		limit int
		f     changes.Filter
		want  []string
		next  int64
		more  bool
	}{
		"all":             {0, 10, changes.Filter{}, []string{"1 a 0 s", "2 b 1 s", "3 a 2 s", "4 b 3 s", "5 a 4 s", "6 b 5 s"}, 6, false},
		"limited":         {1, 2, changes.Filter{}, []string{"2 b 1 s", "3 a 2 s"}, 3, true},
		"exactly":         {4, 2, changes.Filter{}, []string{"5 a 4 s", "6 b 5 s"}, 6, false},
		"kind":            {0, 2, changes.Filter{Kinds: []string{"b"}}, []string{"2 b 1 s", "4 b 3 s"}, 4, true},
		"last of a kind":  {2, 2, changes.Filter{Kinds: []string{"a"}}, []string{"3 a 2 s", "5 a 4 s"}, 6, false},
		"of nobody":       {0, 2, changes.Filter{CRDs: []string{}}, nil, 6, false},
		"one GP":          {0, 2, changes.Filter{CRDs: []string{"3"}, Subject: "s"}, []string{"4 b 3 s"}, 6, false},
		"another subject": {0, 2, changes.Filter{Subject: "t"}, nil, 6, false},
		"at the end":      {6, 2, changes.Filter{}, nil, 6, false},
		"ahead":           {60, 2, changes.Filter{}, nil, 60, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := changes.After(t.Context(), db, c.after, c.limit, c.f)
			require.NoError(t, err)
			require.Equal(t, c.want, seqs(p))
			require.Equal(t, c.next, p.Next)
			require.Equal(t, c.more, p.More)
		})
	}
}

// A reader who looks for what is rare gets short pages, and gets over gaps at once.
func TestSparse(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	_, err := database.Run(t.Context(), db, "fill", `INSERT INTO platform.changes (seq, at, kind) SELECT n + (n / 60000) * 1000000000::bigint, now(), CASE WHEN n % 60000 = 59999 THEN 'rare' ELSE 'often' END FROM generate_series(1, 120000) n`, nil)
	require.NoError(t, err)
	var got []int64
	pages := 0
	for seq, more := int64(0), true; more; pages++ {
		p, err := changes.After(t.Context(), db, seq, 100, changes.Filter{Kinds: []string{"rare"}})
		require.NoError(t, err)
		for _, e := range p.Events {
			got = append(got, e.Seq)
		}
		seq, more = p.Next, p.More
	}
	require.Equal(t, []int64{59999, 1000119999}, got)
	require.Equal(t, 5, pages)
}

// Cursors of other epochs and before deleted events are expired; those ahead of the log are not.
func TestCursors(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	head := func() changes.Head {
		h, err := changes.HeadOf(t.Context(), db)
		require.NoError(t, err)
		return h
	}
	require.False(t, head().Expired(head().Oldest()), "of an empty log")
	add(t, db, changes.Event{Kind: "a"}, changes.Event{Kind: "b"})
	before := head()
	again, err := changes.ParseCursor(before.At(1).String())
	require.NoError(t, err)
	require.Equal(t, before.At(1), again)
	for _, bad := range []string{"", "cur_", "1", "cur_AAAA", before.At(1).String() + "A", before.At(1).String()[4:], before.At(-1).String(), "cur_" + before.At(1).String()} {
		_, err := changes.ParseCursor(bad)
		require.ErrorIs(t, err, changes.ErrCursor, bad)
	}
	require.False(t, before.Expired(before.At(1_000_000)))

	since, err := changes.Since(t.Context(), db, time.Now().Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, int64(2), since)
	since, err = changes.Since(t.Context(), db, *before.OldestAt)
	require.NoError(t, err)
	require.Zero(t, since)

	require.NoError(t, changes.Sweep(t.Context(), db, before.NewestAt.Add(time.Microsecond)))
	swept := head()
	require.True(t, swept.Expired(swept.At(1)))
	require.False(t, swept.Expired(swept.At(swept.Newest)), "nothing was missed after the last one")
	require.Equal(t, swept.At(2), swept.Oldest())
	require.NoError(t, changes.Sweep(t.Context(), db, *before.NewestAt))
	require.Equal(t, swept, head(), "nothing is left to be deleted")

	require.NoError(t, changes.Restart(t.Context(), db))
	add(t, db, changes.Event{Kind: "c"})
	restarted := head()
	require.True(t, restarted.Expired(swept.At(2)))
	require.False(t, restarted.Expired(restarted.Oldest()))
	require.Greater(t, restarted.Newest, int64(1)<<40, "numbers that a lost log may have given are not given again")
	p, err := changes.After(t.Context(), db, restarted.Oldest().Seq, 10, changes.Filter{})
	require.NoError(t, err)
	require.Len(t, p.Events, 1)
}

// Readers that wait get the event that they wait for, all of them after one query of the process.
func TestHub(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	add(t, db, changes.Event{Kind: "old"})
	hub := changes.NewHub(db, slog.New(slog.DiscardHandler))
	hub.Start(t.Context())
	t.Cleanup(func() { require.NoError(t, hub.Stop(context.WithoutCancel(t.Context()))) })
	require.Eventually(t, func() bool { _, ok := hub.Head(); return ok }, 10*time.Second, time.Millisecond)
	head, _ := hub.Head()
	const waiters = 1000
	before, got := hub.Reads(), make(chan changes.Page, waiters)
	for range waiters {
		go func() {
			p, err := hub.Wait(t.Context(), head.At(1), 10, changes.Filter{Kinds: []string{"wanted"}})
			if err != nil {
				t.Error(err)
			}
			got <- p
		}()
	}
	add(t, db, changes.Event{Kind: "other", CRD: "1"}, changes.Event{Kind: "wanted", CRD: "2"})
	for range waiters {
		require.Equal(t, []string{"3 wanted 2 "}, seqs(<-got))
	}
	require.Equal(t, 1, hub.Reads()-before)
	p, err := hub.After(t.Context(), 0, 10, changes.Filter{})
	require.NoError(t, err)
	require.Len(t, p.Events, 3, "what came before the process began is read from the table")

	short, cancel := context.WithCancel(t.Context())
	cancel()
	p, err = hub.Wait(short, head.At(3), 10, changes.Filter{})
	require.NoError(t, err)
	require.Empty(t, p.Events)
	require.Equal(t, int64(3), p.Next)
	for range waiters {
		go func() {
			p, err := hub.Wait(t.Context(), head.At(3), 10, changes.Filter{})
			if err != nil {
				t.Error(err)
			}
			got <- p
		}()
	}
	hub.Release()
	for range waiters {
		p := <-got
		require.Empty(t, p.Events, "a process that stops lets its readers go")
		require.Equal(t, int64(3), p.Next)
	}
}

// What is forgotten of a person is gone from the table and from the memory of every process; the events keep their numbers.
func TestForget(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	hub := changes.NewHub(db, slog.New(slog.DiscardHandler))
	hub.Start(t.Context())
	t.Cleanup(func() { require.NoError(t, hub.Stop(context.WithoutCancel(t.Context()))) })
	require.Eventually(t, func() bool { _, ok := hub.Head(); return ok }, 10*time.Second, time.Millisecond)
	said := json.RawMessage(`{"reason": "filing"}`)
	add(t, db, changes.Event{Kind: "a", CRD: "1", Subject: "x", Said: said}, changes.Event{Kind: "a", CRD: "2", Subject: "x", Said: said},
		changes.Event{Kind: "b", CRD: "3", Subject: "x", Said: said}, changes.Event{Kind: "a", CRD: "4", Subject: "y", Said: said})
	require.Eventually(t, func() bool { return hub.End() == 4 }, 10*time.Second, time.Millisecond)
	read := func(after int64) []string {
		p, err := hub.After(t.Context(), after, 10, changes.Filter{})
		require.NoError(t, err)
		for i := range p.Events {
			require.Equal(t, p.Events[i].Subject == "", string(p.Events[i].Said) == "{}")
		}
		return seqs(p)
	}
	require.Equal(t, []string{"1 a 1 x", "2 a 2 x", "3 b 3 x", "4 a 4 y"}, read(0))
	require.NoError(t, changes.Forget(t.Context(), db, "a", "SELECT @uid::text AS subject, @crd::text AS crd", database.Args{"uid": "x", "crd": "2"}))
	require.Eventually(t, func() bool { return hub.Begin() == 4 }, 10*time.Second, time.Millisecond)
	require.Equal(t, []string{"1 a 1 x", "2 a 2 ", "3 b 3 x", "4 a 4 y"}, read(0))
	require.NoError(t, changes.Forget(t.Context(), db, "a", "SELECT 'x' AS subject, '' AS crd", nil))
	require.Equal(t, []string{"1 a 1 ", "2 a 2 ", "3 b 3 x", "4 a 4 y"}, read(0), "the ring does not have them any more")
}

// The ring has the newest events, however many there were, and gives the same as the table.
func TestRing(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	hub := changes.NewHub(db, slog.New(slog.DiscardHandler))
	hub.Start(t.Context())
	t.Cleanup(func() { require.NoError(t, hub.Stop(context.WithoutCancel(t.Context()))) })
	require.Eventually(t, func() bool { _, ok := hub.Head(); return ok }, 10*time.Second, time.Millisecond)
	require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error {
		_, err := changes.AppendQuery(ctx, db, `SELECT 'k' || n % 7 AS kind, (n % 50)::text AS crd, '' AS subject, '' AS accession, NULL::date AS day, 0::bigint AS arrival, '{}'::jsonb AS said FROM generate_series(1, 25000) n`, nil)
		return err
	}))
	require.Eventually(t, func() bool { h, _ := hub.Head(); return h.Newest == 25000 && hub.End() == 25000 }, 10*time.Second, time.Millisecond)
	for _, f := range []changes.Filter{{}, {Kinds: []string{"k1", "k2"}}, {CRDs: []string{"3"}}} {
		for _, after := range []int64{0, 14_999, 15_000, 20_000, 24_999, 25_000, 30_000} {
			want, err := changes.After(t.Context(), db, after, 100, f)
			require.NoError(t, err)
			got, err := hub.After(t.Context(), after, 100, f)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	require.Equal(t, int64(15_000), hub.Begin())

	was, _ := hub.Head()
	require.NoError(t, changes.Restart(t.Context(), db))
	require.Eventually(t, func() bool { h, _ := hub.Head(); return h.Epoch != was.Epoch }, 10*time.Second, time.Millisecond)
}
