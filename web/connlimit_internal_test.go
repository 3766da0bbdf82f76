package web

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// incoming is a listener of connections from given addresses.
type incoming struct {
	net.Listener
	conns []*from
}

type from struct {
	net.Conn
	addr   string
	closed bool
}

func (f *from) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(f.addr)) }

func (f *from) Close() error { f.closed = true; return nil }

var errNoMore = errors.New("no more")

func (l *incoming) Accept() (net.Conn, error) {
	if len(l.conns) == 0 {
		return nil, errNoMore
	}
	conn := l.conns[0]
	l.conns = l.conns[1:]
	return conn, nil
}

// One address holds as many connections as it may; others, proxies and this machine are not concerned.
func TestConnectionsOfOneAddress(t *testing.T) {
	t.Parallel()
	source := &incoming{}
	l := newConnLimiter(source, 2, []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")})
	accepted := func(addr string) (net.Conn, bool) {
		conn := &from{addr: addr}
		source.conns = append(source.conns, conn)
		got, err := l.Accept()
		require.Equal(t, conn.closed, errors.Is(err, errNoMore))
		return got, !conn.closed
	}
	first, ok := accepted("203.0.113.7:1001")
	require.True(t, ok)
	_, ok = accepted("[::ffff:203.0.113.7]:1002")
	require.True(t, ok)
	_, ok = accepted("203.0.113.7:1003")
	require.False(t, ok)
	_, ok = accepted("203.0.113.8:1003")
	require.True(t, ok)
	require.NoError(t, first.Close())
	require.NoError(t, first.Close()) // counts once
	_, ok = accepted("203.0.113.7:1004")
	require.True(t, ok)
	_, ok = accepted("203.0.113.7:1005")
	require.False(t, ok)
	for i, addr := range []string{"[2001:db8:1:2::1]:1", "[2001:db8:1:2:ffff::9]:1", "[2001:db8:1:2::3]:1", "[2001:db8:1:3::1]:1"} {
		_, ok = accepted(addr)
		require.Equal(t, i != 2, ok, addr)
	}
	for range 9 {
		for _, addr := range []string{"10.1.2.3:1", "127.0.0.1:1", "[::1]:1"} {
			_, ok = accepted(addr)
			require.True(t, ok, addr)
		}
	}
}
