package database

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// PostgreSQL's error codes for refused connections.
const (
	codeBadPassword   = "28P01"
	codeNotAllowed    = "28000"
	codeNoDatabase    = "3D000"
	codeNoConnections = "53300"
	codeStarting      = "57P03"
)

// badURL reports why DATABASE_URL cannot be used, if it cannot: to is the parsed URL, err the parse error. The message does not
// repeat the value, which may contain a password.
func badURL(text string, to *pgx.ConnConfig, err error) error {
	if unescaped(text) || to != nil && pieces(to) {
		return errors.New("DATABASE_URL: must look like postgres://USER:PASSWORD@HOST:5432/NAME; write special characters of the user and password as %40 (@), %2F (/), %3A (:), %23 (#), %3F (?)")
	}
	if err == nil {
		return nil
	}
	reason := "it cannot be parsed"
	if e, ok := errors.AsType[*pgconn.ParseConfigError](err); ok && strings.Contains(e.Error(), "invalid port") {
		reason = "the port is not a number from 1 to 65535"
	}
	return fmt.Errorf("DATABASE_URL: must look like postgres://USER:PASSWORD@HOST:5432/NAME; %s", reason)
}

// unescaped finds a URL whose password has an unescaped special character: part of the password is then parsed as the host, the
// port or a parameter. None of them must be repeated.
func unescaped(text string) bool {
	scheme, rest, isURL := strings.Cut(text, "://")
	if !isURL || scheme != "postgres" && scheme != "postgresql" {
		return false
	}
	authority, ends := rest, byte(0)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, ends = rest[:i], rest[i]
	}
	switch strings.Count(authority, "@") {
	case 0:
		return ends == '#' || ends == '?' && strings.Contains(rest, "@")
	case 1:
		return ends == '#'
	default:
		return true
	}
}

// pieces finds hosts and databases that only a misread URL has: a slash in the password makes the end of the password and the
// host a part of the database's name.
func pieces(to *pgx.ConnConfig) bool {
	for _, other := range to.Fallbacks {
		if strings.Contains(other.Host, "@") {
			return true
		}
	}
	return strings.Contains(to.Database, "@") || strings.Contains(to.Host, "@") && !strings.HasPrefix(to.Host, "/")
}

// unreachable reduces a failed connection to one line with the place, the cause and the remedy. It contains no password. Other
// errors are returned unchanged.
func unreachable(err error, to *pgx.ConnConfig) error {
	failed, isConnect := errors.AsType[*pgconn.ConnectError](err)
	if !isConnect || errors.Is(err, context.Canceled) {
		return err
	}
	why, advice := reason(failed, to)
	return &unreachableError{fmt.Sprintf("cannot reach the database at %s: %s: %s", where(to), why, advice), err}
}

// unreachableError is one line instead of pgx's several.
type unreachableError struct {
	line  string
	cause error
}

func (e *unreachableError) Error() string { return e.line }
func (e *unreachableError) Unwrap() error { return e.cause }

// Place names the database of a URL for people: "NAME at HOST:PORT", without user and password. An invalid URL is "".
func Place(url string) string {
	to, err := pgx.ParseConfig(url)
	if badURL(url, to, err) != nil {
		return ""
	}
	return to.Database + " at " + where(to)
}

func where(to *pgx.ConnConfig) string {
	if strings.HasPrefix(to.Host, "/") {
		return to.Host
	}
	return net.JoinHostPort(to.Host, strconv.Itoa(int(to.Port)))
}

func reason(err error, to *pgx.ConnConfig) (why, advice string) {
	const correct = "correct DATABASE_URL"
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case codeBadPassword, codeNotAllowed:
			return fmt.Sprintf("it rejects the user %q (%s)", to.User, e.Message), "correct the user or password in DATABASE_URL"
		case codeNoDatabase:
			return fmt.Sprintf("it has no database %q", to.Database), "create it, or " + correct
		case codeNoConnections:
			return "all its connections are in use", "raise max_connections, or lower DATABASE_MAX_CONNS"
		case codeStarting:
			return e.Message, "try again when it has started"
		}
		if strings.Contains(e.Message, "unsupported startup parameter") {
			return e.Message, errPooler.Error()
		}
		return e.Message, correct
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsNotFound {
		return fmt.Sprintf("there is no host %q", to.Host), correct
	}
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOENT):
		return "nothing is listening there", "start PostgreSQL, or " + correct
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "it does not respond in time", "check that it is running and that no firewall blocks the connection, or " + correct
	case errors.Is(err, syscall.EACCES):
		return "permission denied", "give this user access to the socket, or " + correct
	case strings.Contains(err.Error(), "refused TLS"):
		return "it does not support TLS", "set sslmode=disable in DATABASE_URL if the network is trusted"
	}
	return strings.Join(strings.Fields(err.Error()), " "), correct
}
