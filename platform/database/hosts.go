package database

import (
	"context"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// vanishedAfter is how long sent data may be unacknowledged by the server's machine.
const vanishedAfter = 10 * time.Second

// dialer notices machines that have vanished: after about ten seconds of silence, also while an answer is awaited.
var dialer = net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3},
	Control: func(network, _ string, c syscall.RawConn) error {
		if network == "unix" {
			return nil
		}
		return setUserTimeout(c, vanishedAfter)
	},
}

// hosts are the hosts of DATABASE_URL. The one that was reached last is tried first: a stopped one accepts connections and
// answers nothing, so that each new connection would wait for it.
type hosts struct {
	mu        sync.Mutex
	last      string              // IP address and port
	addresses map[string][]string // of each host, as it was looked up last
}

// several reports whether a URL names more than one server. With sslmode=prefer a single one is listed twice.
func several(c *pgx.ConnConfig) bool {
	return slices.ContainsFunc(c.Fallbacks, func(f *pgconn.FallbackConfig) bool { return f.Host != c.Host || f.Port != c.Port })
}

// follow makes the pool's connections follow the hosts.
func (h *hosts) follow(c *pgx.ConnConfig) {
	h.addresses = map[string][]string{}
	lookUp := c.LookupFunc
	c.LookupFunc = func(ctx context.Context, host string) ([]string, error) {
		found, err := lookUp(ctx, host)
		h.mu.Lock()
		h.addresses[host] = found
		h.mu.Unlock()
		return found, err
	}
}

// reached notes where a connection leads.
func (h *hosts) reached(c *pgx.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = c.PgConn().Conn().RemoteAddr().String()
}

// sort puts the host of the last connection first.
func (h *hosts) sort(_ context.Context, c *pgx.ConnConfig) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := append([]*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}}, c.Fallbacks...)
	rank := func(f *pgconn.FallbackConfig) int {
		port := strconv.Itoa(int(f.Port))
		if slices.ContainsFunc(slices.Concat(h.addresses[f.Host], []string{f.Host}), func(ip string) bool { return net.JoinHostPort(ip, port) == h.last }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b *pgconn.FallbackConfig) int { return rank(a) - rank(b) })
	c.Host, c.Port, c.TLSConfig, c.Fallbacks = list[0].Host, list[0].Port, list[0].TLSConfig, list[1:]
	return nil
}
