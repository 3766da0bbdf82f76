package database

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// server is a PostgreSQL server in memory, for tests by a clock of their own (synctest): it accepts every statement, and returns
// no rows.
type server struct {
	mu     sync.Mutex
	frozen bool // it accepts connections and answers nothing, like a stopped process
	down   bool // it refuses connections
	refuse string
	conns  []net.Conn
}

// wire is a connection with the address of its server.
type wire struct {
	net.Conn

	address string
}

func (w *wire) RemoteAddr() net.Addr { return w }
func (*wire) Network() string        { return "tcp" }
func (w *wire) String() string       { return w.address }

// set changes the server.
func (s *server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *server) isFrozen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frozen
}

// close ends all connections.
func (s *server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.Close()
	}
}

func (s *server) dial(address string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return nil, errors.New("connect: refused")
	}
	client, end := net.Pipe()
	s.conns = append(s.conns, end)
	go s.serve(end)
	return &wire{client, address}, nil
}

func (s *server) serve(c net.Conn) {
	b := pgproto3.NewBackend(c, c)
	if s.isFrozen() {
		return
	}
	if start, err := b.ReceiveStartupMessage(); err != nil || !isStart(start) {
		_ = c.Close()
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	status := byte('I')
	b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
	for b.Flush() == nil {
		message, err := b.Receive()
		query, is := message.(*pgproto3.Query)
		if err != nil || !is {
			_ = c.Close()
			return
		}
		if s.isFrozen() {
			return
		}
		s.answer(b, query.String, &status)
		b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
	}
}

func isStart(m pgproto3.FrontendMessage) bool {
	_, is := m.(*pgproto3.StartupMessage)
	return is
}

func (s *server) answer(b *pgproto3.Backend, statement string, status *byte) {
	s.mu.Lock()
	code := s.refuse
	s.mu.Unlock()
	switch {
	case code != "" && !strings.HasPrefix(statement, "--"):
		b.Send(&pgproto3.ErrorResponse{Severity: "ERROR", Code: code, Message: "refused"})
		return
	case strings.HasPrefix(statement, "begin"):
		*status = 'T'
	case statement == "commit", statement == "rollback":
		*status = 'I'
	}
	b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")})
}

// openServers opens a database of the hosts "one", "two" and so on, as many as there are servers.
func openServers(t *testing.T, cfg Config, servers ...*server) *DB {
	t.Helper()
	names := []string{"one", "two", "three"}[:len(servers)]
	cfg.URL = "postgres://user@" + strings.Join(names, ",") + "/db?sslmode=disable&default_query_exec_mode=simple_protocol"
	pc, err := poolConfig(cfg)
	require.NoError(t, err)
	pc.ConnConfig.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	pc.ConnConfig.DialFunc = func(_ context.Context, _, address string) (net.Conn, error) {
		for i, name := range names {
			if address == net.JoinHostPort(name, "5432") {
				return servers[i].dial(address)
			}
		}
		return nil, errors.New("no such host")
	}
	db, err := open(t.Context(), cfg, pc)
	require.NoError(t, err)
	return db
}
