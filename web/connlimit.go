package web

import (
	"net"
	"net/netip"
	"sync"
)

// connLimiter accepts connections, no more than most at once of one IP address (IPv6: of one /64 network): each may hold the
// memory of a request's body. Further connections are closed at once. Loopback addresses and those of trusted proxies have no
// limit, because they bring the requests of many.
type connLimiter struct {
	net.Listener
	most    int
	trusted []netip.Prefix

	mu   sync.Mutex
	open map[netip.Prefix]int
}

func newConnLimiter(l net.Listener, most int, trusted []netip.Prefix) *connLimiter {
	return &connLimiter{Listener: l, most: most, trusted: trusted, open: map[netip.Prefix]int{}}
}

// Accept waits for the next connection that is within its address's limit.
func (l *connLimiter) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, counts := l.peer(conn)
		if !counts {
			return conn, nil
		}
		if l.enter(from) {
			return &limitedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(from) })}, nil
		}
		_ = conn.Close()
	}
}

// peer is the IP address that a connection counts for, if it counts.
func (l *connLimiter) peer(conn net.Conn) (from netip.Prefix, counts bool) {
	tcp, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return from, false
	}
	ip := tcp.AddrPort().Addr().Unmap()
	if ip.IsLoopback() {
		return from, false
	}
	for _, proxy := range l.trusted {
		if proxy.Contains(ip) {
			return from, false
		}
	}
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	from, err := ip.WithZone("").Prefix(bits)
	return from, err == nil
}

func (l *connLimiter) enter(from netip.Prefix) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from] >= l.most {
		return false
	}
	l.open[from]++
	return true
}

func (l *connLimiter) leave(from netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from]--; l.open[from] == 0 {
		delete(l.open, from)
	}
}

type limitedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection, which then no longer counts.
func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// CloseWrite ends our half of the connection.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return net.ErrClosed
}
