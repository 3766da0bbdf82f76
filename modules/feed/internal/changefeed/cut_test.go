package changefeed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/changes"
	"gpatlas/platform/testkit/httpapitest"
)

// cut opens a stream, reads some of it while events are added, and hangs up. It returns the IDs of the events that came whole, and where to go on.
func (b *bench) cut(t *testing.T, base string, caller, adds int, last string) (ids []string, next string) {
	t.Helper()
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/v1/changes?from=oldest&limit="+strconv.Itoa(1+rand.IntN(4)), nil)
	require.NoError(t, err)
	for name, value := range map[string]string{"Accept": "text/event-stream", "Last-Event-ID": last, "X-Httpapitest-Caller": strconv.Itoa(caller)} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusOK, response.StatusCode)
	var text []byte
	for range adds { // each makes the stream longer, so that no read waits for ever
		b.add(t, changes.Event{Kind: "fund_return", CRD: "900002", Subject: "805-0000000021", Said: json.RawMessage(`{"fund_name": "Mossgate Seed Fund", "reason": "filing"}`)})
		part := make([]byte, 1+rand.IntN(1000))
		n, err := response.Body.Read(part)
		require.NoError(t, err)
		text = append(text, part[:n]...)
	}
	frames := strings.Split(string(text), "\n\n")
	for _, frame := range frames[:len(frames)-1] { // the last one is cut
		for line := range strings.SplitSeq(frame, "\n") {
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				last = id
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				var e struct{ ID string }
				require.NoError(t, json.Unmarshal([]byte(data), &e))
				ids = append(ids, e.ID)
			}
		}
	}
	return ids, last
}

// Guarantee: a reader whose stream is cut anywhere, any number of times, gets each event once, in order, and the server keeps nothing of cut streams.
//
//nolint:paralleltest // it counts goroutines
func TestCutStreams(t *testing.T) {
	b := newBench(t)
	b.listen(t)
	const cuts, callers = 200, 100 // a server notices a cut when it writes, so many accounts share the streams
	for n := range callers {
		b.Do(t, httpapitest.Scenario{Path: "/v1/changes", As: &auth.Principal{Kind: auth.Session, UserID: int64(1 + n)}})
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = b.App.Listener(listener) }()
	var got []string
	last := ""
	for n := range cuts {
		var ids []string
		ids, last = b.cut(t, "http://"+listener.Addr().String(), n%callers, rand.IntN(4), last)
		got = append(got, ids...)
	}
	all, err := changes.After(t.Context(), b.db, 0, 10_000, changes.Filter{})
	require.NoError(t, err)
	require.Greater(t, len(all.Events), cuts)
	for len(got) < len(all.Events) { // the rest, as the process hears of it
		r := b.Do(t, httpapitest.Scenario{Path: "/v1/changes?wait=30&cursor=" + last, As: b.ada})
		var p page
		require.NoError(t, json.Unmarshal([]byte(r.Body), &p))
		for _, e := range p.Data {
			got = append(got, e.ID)
		}
		last = p.Meta.NextCursor
	}
	var want []string
	for _, e := range all.Events {
		want = append(want, fmt.Sprintf("chg_%016x", e.Seq))
	}
	require.Equal(t, want, got)

	b.hub.Release()
	require.NoError(t, b.App.Shutdown())
	require.Eventually(t, func() bool {
		var stacks bytes.Buffer
		return pprof.Lookup("goroutine").WriteTo(&stacks, 2) == nil && !strings.Contains(stacks.String(), "changefeed.(*Service)")
	}, 30*time.Second, 10*time.Millisecond)
}
