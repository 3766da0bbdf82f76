//go:build linux

package database

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Connections notice that the server's machine has vanished: they have a keepalive, and a limit for unacknowledged data.
func TestVanishedMachines(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	u := url.URL{Scheme: "postgres", Host: listener.Addr().String(), Path: "/x", RawQuery: "sslmode=disable"}
	pc, err := poolConfig(Config{URL: u.String()})
	require.NoError(t, err)
	c, err := pc.ConnConfig.DialFunc(t.Context(), "tcp", listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	socket, is := c.(syscall.Conn)
	require.True(t, is)
	raw, err := socket.SyscallConn()
	require.NoError(t, err)
	got := map[int]int{}
	require.NoError(t, raw.Control(func(fd uintptr) {
		for _, option := range []int{unix.TCP_KEEPIDLE, unix.TCP_KEEPINTVL, unix.TCP_KEEPCNT, unix.TCP_USER_TIMEOUT} {
			got[option], _ = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, option)
		}
	}))
	require.Equal(t, map[int]int{unix.TCP_KEEPIDLE: 5, unix.TCP_KEEPINTVL: 2, unix.TCP_KEEPCNT: 3, unix.TCP_USER_TIMEOUT: 10_000}, got)
}

// Only a URL of several servers has the shorter limit for connecting; a set limit holds.
func TestConnectTimeout(t *testing.T) {
	t.Parallel()
	for hosts, want := range map[string]string{"a": "5s", "a,b": "2s", "a:1,a:2": "2s"} {
		for _, mode := range []string{"disable", "prefer"} {
			pc, err := poolConfig(Config{URL: "postgres://me@" + hosts + "/x?sslmode=" + mode})
			require.NoError(t, err)
			require.Equal(t, want, pc.ConnConfig.ConnectTimeout.String(), hosts+" "+mode)
			require.Equal(t, want, pc.PingTimeout.String())
		}
	}
	pc, err := poolConfig(Config{URL: "postgres://me@a,b/x", ConnectTimeout: DefaultConnectTimeout})
	require.NoError(t, err)
	require.Equal(t, DefaultConnectTimeout, pc.ConnConfig.ConnectTimeout)
}

// The host that was reached last comes first, with its way of encryption, whether the URL names it or its address.
func TestLastHostComesFirst(t *testing.T) {
	t.Parallel()
	h := &hosts{addresses: map[string][]string{"b": {"10.0.0.1", "10.0.0.2"}}}
	for last, want := range map[string]string{
		"": "a:5432 a:5432 b:5432 b:5432 10.0.0.3:7 10.0.0.3:7", "10.0.0.2:5432": "b:5432 b:5432 a:5432 a:5432 10.0.0.3:7 10.0.0.3:7",
		"10.0.0.3:7": "10.0.0.3:7 10.0.0.3:7 a:5432 a:5432 b:5432 b:5432", "10.0.0.9:5432": "a:5432 a:5432 b:5432 b:5432 10.0.0.3:7 10.0.0.3:7",
	} {
		h.last = last
		c, err := pgx.ParseConfig("postgres://me@a,b,10.0.0.3:7/x?sslmode=prefer")
		require.NoError(t, err)
		require.NoError(t, h.sort(t.Context(), c))
		got := []string{c.Host + ":" + strconv.Itoa(int(c.Port))}
		require.NotNil(t, c.TLSConfig, "encryption first")
		for _, f := range c.Fallbacks {
			got = append(got, f.Host+":"+strconv.Itoa(int(f.Port)))
		}
		require.Equal(t, want, strings.Join(got, " "), last)
	}
}
