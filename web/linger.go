package web

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// How long, and for how many times the largest body, the rest of a refused request is read before its connection is closed.
const (
	lingerFor    = 5 * time.Second
	lingerBodies = 4
)

// lingering accepts connections that can be closed in two steps. A socket that is closed while its peer still sends answers
// with a reset, and the reset takes away an answer that the peer has not read yet (RFC 9112, 9.6). So the answer to a
// request that was not read to its end is followed by the end of our half, then by what the peer still sends, unread.
type lingering struct {
	net.Listener
	most int64 // bytes that are read and dropped
}

// Accept waits for the next connection.
func (l lingering) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &lingerConn{Conn: conn, most: l.most}, nil
}

type lingerConn struct {
	net.Conn
	most   int64
	unread atomic.Bool
}

// linger has the connection of a request closed in two steps.
func linger(c *fiber.Ctx) {
	if conn, ok := c.Context().Conn().(*lingerConn); ok {
		conn.unread.Store(true)
	}
}

// Close closes the connection, after the peer has had time to read the answer where part of its request was not read.
func (c *lingerConn) Close() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if ok && c.unread.Swap(false) && half.CloseWrite() == nil && c.SetReadDeadline(time.Time{}) == nil {
		timer := time.AfterFunc(lingerFor, func() { _ = c.Conn.Close() })
		defer timer.Stop()
		_, _ = io.CopyN(io.Discard, c.Conn, c.most)
	}
	return c.Conn.Close()
}
