package bench_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measurement is one operation beside its ceiling and PostgreSQL, round by round.
type measurement struct {
	*operation
	survey
	ceiling, service []load
	peer             *peer // nil where there is none
	sql              []load
}

// measureRates asks service, ceiling and PostgreSQL in turn, each operation for a slot, as many rounds as are wanted.
func (s *served) measureRates(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	sizes := make([]int, len(s.measured))
	for i := range s.measured {
		sizes[i] = s.measured[i].bytes
	}
	ceiling := startCeiling(b, int(s.figures(ctx, b)[heapInUse]), sizes)
	defer ceiling.end()
	peers, err := openPeers(ctx, s.databaseURL)
	if err != nil {
		why := lastLine(err.Error())
		r.miss(keyPeerGPs, peerRow("GP search"), why)
		r.miss(keyPeerFunds, peerRow("fund search"), why)
	} else {
		defer func() { require.NoError(b, peers.close(context.WithoutCancel(ctx))) }()
		s.comparePeers(ctx, b, r, peers)
	}
	ours, err := gather(ctx, s.addr)
	require.NoError(b, err)
	defer ours.close()
	theirs, err := gather(ctx, ceiling.addr)
	require.NoError(b, err)
	defer theirs.close()
	drive := func(all crowd, requests [][]byte, slot time.Duration) load {
		l, err := all.drive(ctx, requests, slot)
		require.NoError(b, err)
		return l
	}
	slot := *slotFlag
	for i := range s.measured { // warm
		drive(ours, s.measured[i].requests, slot/4)
		drive(theirs, [][]byte{request(fixedPath(i))}, slot/4)
	}
	for range *roundsFlag {
		for i := range s.measured {
			m := &s.measured[i]
			m.ceiling = append(m.ceiling, drive(theirs, [][]byte{request(fixedPath(i))}, slot))
			m.service = append(m.service, drive(ours, m.requests, slot))
			if m.peer != nil {
				l, err := m.peer.drive(ctx, slot)
				require.NoError(b, err)
				m.sql = append(m.sql, l)
			}
		}
	}
	s.reportRates(ctx, b, r)
}

func peerRow(name string) string { return name + " over HTTP against plain SQL, throughput" }

var peerKeys = map[string]string{"gps": keyPeerGPs, "funds": keyPeerFunds}

// comparePeers lets PostgreSQL take part with those operations that it answers alike.
func (s *served) comparePeers(ctx context.Context, b *testing.B, r *report, peers *peerStack) {
	b.Helper()
	for i := range s.measured {
		m := &s.measured[i]
		key, ok := peerKeys[m.unit]
		if !ok {
			continue
		}
		p := peers.peer(m.questions)
		if err := p.compare(ctx, m.totals); err != nil {
			require.NoError(b, ctx.Err())
			r.miss(key, peerRow(m.name), err.Error())
			continue
		}
		m.peer = p
	}
}

func (s *served) reportRates(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	for i := range s.measured {
		m := &s.measured[i]
		var share, p99 []float64
		var rate, top []float64
		var p50 []time.Duration
		for n, l := range m.service {
			share = append(share, l.rate/m.ceiling[n].rate)
			rate, top = append(rate, l.rate), append(top, m.ceiling[n].rate)
			p50, p99 = append(p50, l.p50), append(p99, milliseconds(l.p99))
		}
		r.measure("http/"+m.unit, m.name+" over HTTP, share of the ceiling", "", share, fmt.Sprintf(
			"%s of %s a second, p50 %s ms, p99 %s ms; %d bytes, %.1f rows, %d of %d without any", figure(median(rate)), figure(median(top)),
			figure(milliseconds(median(p50))), figure(median(p99)), m.bytes, m.rows, m.empty, len(m.questions)))
	}
	s.reportUnserved(ctx, b, r)
	for i := range s.measured {
		m := &s.measured[i]
		if m.peer == nil {
			continue
		}
		var times, rate []float64
		for n, l := range m.sql {
			times, rate = append(times, m.service[n].rate/l.rate), append(rate, l.rate)
		}
		r.measure(peerKeys[m.unit], peerRow(m.name), "times", times, fmt.Sprintf("SQL without HTTP: %s a second, p50 %s ms, p99 %s ms",
			figure(median(rate)), figure(milliseconds(m.sql[0].p50)), figure(milliseconds(m.sql[0].p99))))
	}
}

// reportUnserved has a row for each operation that is promised and comes later. It asks, so that the row does not go on
// saying so once they are there.
func (s *served) reportUnserved(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	_, body, err := get(ctx, s.addr, "/v1/gps?limit=1")
	require.NoError(b, err)
	_, rest, _ := strings.Cut(string(body), `"crd":"`)
	crd, _, found := strings.Cut(rest, `"`)
	require.True(b, found, "a CRD in %s", body)
	for _, op := range []struct{ key, name, path string }{
		{keyAggregate, "aggregate", "/v1/search/aggregate?group_by=strategy"},
		{keyRelated, "related", "/v1/gps/" + crd + "/related"},
	} {
		status, _, err := get(ctx, s.addr, op.path)
		require.NoError(b, err)
		what := op.name + " over HTTP, share of the ceiling"
		if status == 404 {
			r.add(row{Key: op.key, What: what, Missing: "not served yet", Note: "its operation comes with the analytics module; in process: below"})
		} else {
			r.miss(op.key, what, fmt.Sprintf("served by now (status %d), but no questions were written", status))
		}
	}
}
