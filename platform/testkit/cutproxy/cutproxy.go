// Package cutproxy is a proxy between a program under test and PostgreSQL. It forwards the protocol's messages one by one, and
// can cut a connection after any of them, so that a test can check what is left of an interrupted transaction.
package cutproxy

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Proxy forwards to one database from a loopback port. It is closed when its test ends.
type Proxy struct {
	listener        net.Listener
	network, server string
	url             string

	mu     sync.Mutex
	ended  *sync.Cond // a connection has ended, or the proxy was thawed
	down   bool
	frozen bool
	lines  map[*line]struct{}
	cut    *Cut
	passed int
	over   bool // the cut was made
}

// Cut is where a connection is cut.
type Cut struct {
	// After is how many messages still pass, from either side and on all connections together. The connection of the last one
	// is cut, others stay.
	After int
	// AtOnce makes the client notice the loss at once, while the server may still be working. Otherwise the client notices it
	// when the server has finished, and ended the session.
	AtOnce bool
}

// New makes a proxy of the database of a URL.
func New(tb testing.TB, databaseURL string) *Proxy {
	tb.Helper()
	cfg, err := pgx.ParseConfig(databaseURL)
	require.NoError(tb, err)
	p := &Proxy{network: "tcp", server: net.JoinHostPort(cfg.Host, strconv.Itoa(int(cfg.Port))), lines: map[*line]struct{}{}}
	if cfg.Host != "" && cfg.Host[0] == '/' {
		p.network, p.server = "unix", cfg.Host+"/.s.PGSQL."+strconv.Itoa(int(cfg.Port))
	}
	p.ended = sync.NewCond(&p.mu)
	p.listener, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	u := url.URL{Scheme: "postgres", User: url.UserPassword(cfg.User, cfg.Password), Host: p.listener.Addr().String(), Path: "/" + cfg.Database, RawQuery: "sslmode=disable"}
	p.url = u.String()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.serve()
	}()
	tb.Cleanup(func() {
		_ = p.listener.Close()
		<-ended
		p.SetFrozen(false)
		p.SetDown(true)
	})
	return p
}

// URL is the database's, through the proxy.
func (p *Proxy) URL() string { return p.url }

// SetDown ends all connections and refuses new ones, or accepts them again.
func (p *Proxy) SetDown(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
	if down {
		for l := range p.lines {
			l.close()
		}
	}
}

// SetFrozen keeps connections open and accepts new ones, but passes nothing, like a server that is stopped (SIGSTOP); or passes
// on again.
func (p *Proxy) SetFrozen(frozen bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = frozen
	p.ended.Broadcast()
}

// thawed waits while the proxy is frozen.
func (p *Proxy) thawed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.frozen {
		p.ended.Wait()
	}
}

// Arm counts messages from now on, to cut a connection. It replaces a cut that was not made.
func (p *Proxy) Arm(cut Cut) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut, p.passed, p.over = &cut, 0, false
}

// Disarm cancels the cut. It returns how many messages have passed since Arm, and whether a connection was cut.
func (p *Proxy) Disarm() (passed int, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = nil
	return p.passed, p.over
}

// Settle waits until the server has ended the sessions that were cut: they can then commit nothing more.
func (p *Proxy) Settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.cuts() > 0 {
		p.ended.Wait()
	}
}

// cuts are the lines that were cut and have not ended.
func (p *Proxy) cuts() (n int) {
	for l := range p.lines {
		if l.cut {
			n++
		}
	}
	return n
}

// pass counts a message to forward, and returns the cut to make after it. It refuses messages of a connection that was cut.
func (p *Proxy) pass(l *line) (*Cut, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.cut {
		return nil, errCut
	}
	if p.cut == nil || p.over {
		return nil, nil
	}
	p.passed++
	if p.passed < p.cut.After {
		return nil, nil
	}
	p.over, l.cut = true, true
	return p.cut, nil
}

func (p *Proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		go p.connect(client)
	}
}

func (p *Proxy) connect(client net.Conn) {
	server, err := net.Dial(p.network, p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	l := &line{proxy: p, client: client, server: server}
	p.mu.Lock()
	down := p.down
	if !down {
		p.lines[l] = struct{}{}
	}
	p.mu.Unlock()
	if !down {
		l.run()
		p.mu.Lock()
		delete(p.lines, l)
		p.ended.Broadcast()
		p.mu.Unlock()
	}
	l.close()
}
