package web

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// For how long, and for how many times the largest body, the rest of a refused request is read before its connection is closed.
const (
	lingerFor    = 5 * time.Second
	lingerBodies = 4
)

// lingering accepts connections that can be closed in two steps. If a socket is closed while its peer still sends, the kernel
// resets the connection, and the peer loses a response that it has not read yet (RFC 9112, 9.6). So after the response to a
// request that was not read completely, we close our half, and then read and drop the rest.
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

// Close closes the connection. If part of its request was not read, the peer first gets time to read the response.
func (c *lingerConn) Close() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if ok && c.unread.Swap(false) && half.CloseWrite() == nil && c.SetReadDeadline(time.Time{}) == nil {
		timer := time.AfterFunc(lingerFor, func() { _ = c.Conn.Close() })
		defer timer.Stop()
		_, _ = io.CopyN(io.Discard, c.Conn, c.most)
	}
	return c.Conn.Close()
}
