package bench_test

import (
	"context"
	"fmt"
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
	drive := func(all clients, requests [][]byte, slot time.Duration) load {
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
	s.reportRates(b, r)
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

func (s *served) reportRates(b *testing.B, r *report) {
	b.Helper()
	for i := range s.measured {
		s.measured[i].reportShare(r)
	}
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

// reportShare has the row of an operation beside its ceiling.
func (m *measurement) reportShare(r *report) {
	var share, rate, top, p99 []float64
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
