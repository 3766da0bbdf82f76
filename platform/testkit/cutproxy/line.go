package cutproxy

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// drainLimit is how long to wait for the end of a session whose connection was cut.
const drainLimit = 20 * time.Second

// Codes in place of a protocol version in the first message of a connection.
const (
	cancelRequest = 80877102
	tlsRequest    = 80877103
	gssRequest    = 80877104
)

var errCut = errors.New("the connection was cut")

// line is one connection of a client with its connection to the server.
type line struct {
	proxy          *Proxy
	client, server net.Conn
	cut            bool // nothing passes any more; guarded by the proxy's mu
}

// run passes messages on until one side ends, or the line is cut.
func (l *line) run() {
	fromClient, fromServer := bufio.NewReader(l.client), bufio.NewReader(l.server)
	if !l.begin(fromClient) {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		err := l.passAll(l.server, fromClient)
		if !errors.Is(err, errCut) {
			l.close()
		}
	})
	wg.Go(func() {
		err := l.passAll(l.client, fromServer)
		if errors.Is(err, errCut) {
			_, _ = io.Copy(io.Discard, fromServer) // to the end of the session
		}
		l.close()
	})
	wg.Wait()
}

// begin forwards the first message, which has no type. Encryption is refused, because encrypted messages cannot be separated.
func (l *line) begin(from *bufio.Reader) (goOn bool) {
	for {
		head, err := from.Peek(8)
		if err != nil {
			return false
		}
		length, code := int64(binary.BigEndian.Uint32(head)), binary.BigEndian.Uint32(head[4:])
		if code == tlsRequest || code == gssRequest {
			if _, err := from.Discard(8); err != nil {
				return false
			}
			if _, err := l.client.Write([]byte{'N'}); err != nil {
				return false
			}
			continue
		}
		l.proxy.thawed()
		_, err = io.CopyN(l.server, from, length)
		return err == nil && code != cancelRequest
	}
}

// passAll passes messages on: a byte for its type, four for its length, and its contents.
func (l *line) passAll(to net.Conn, from *bufio.Reader) error {
	for {
		head, err := from.Peek(5)
		if err != nil {
			return err
		}
		if err := l.passOne(to, from, int64(binary.BigEndian.Uint32(head[1:]))+1); err != nil {
			return err
		}
	}
}

func (l *line) passOne(to net.Conn, from io.Reader, length int64) error {
	l.proxy.thawed()
	cut, err := l.proxy.pass(l)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(to, from, length); err != nil {
		return err
	}
	if cut == nil {
		return nil
	}
	if cut.AtOnce {
		_ = l.client.Close()
	}
	// The server reads what it was sent, and then the end. Its answer is lost.
	_ = l.server.SetDeadline(time.Now().Add(drainLimit))
	if half, ok := l.server.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	return errCut
}

func (l *line) close() {
	_ = l.client.Close()
	_ = l.server.Close()
}
