package web_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/log"
	"gpatlas/web/webtest"
)

// Whoever comes through a trusted proxy cannot choose the address that he is known by, whatever he sends: only what the
// proxies themselves have added is believed, on however many lines it stands.
func TestForwardedAddresses(t *testing.T) {
	t.Parallel()
	options := guardedOptions(t)
	l := &limiter{decide: plenty}
	options.Limiter = l
	options.Config.TrustedProxies = []string{"127.0.0.1", "10.0.0.0/8", "2001:db8:1::/48", "::ffff:192.0.2.0/120"}
	address := strings.TrimPrefix(webtest.Serve(t, webtest.App(t, options)), "http://")
	const unknown = "invalid IP"
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"the proxy itself asks", nil, "127.0.0.1"},
		{"one address", []string{"198.51.100.9"}, "198.51.100.9"},
		{"a false one before it", []string{"203.0.113.5, 198.51.100.9"}, "198.51.100.9"},
		{"a false line before it", []string{"203.0.113.5", "198.51.100.9"}, "198.51.100.9"},
		{"a false loopback line", []string{"127.0.0.1", "198.51.100.9"}, "198.51.100.9"},
		{"three lines", []string{"127.0.0.1", "203.0.113.5, 203.0.113.6", "198.51.100.9"}, "198.51.100.9"},
		{"a second proxy", []string{"203.0.113.5", "198.51.100.9", "10.1.2.3"}, "198.51.100.9"},
		{"a second proxy on the line", []string{"203.0.113.5", "198.51.100.9, 10.1.2.3"}, "198.51.100.9"},
		{"a second proxy in IPv6", []string{"198.51.100.9, 2001:db8:1::7"}, "198.51.100.9"},
		{"a second proxy, IPv4 in IPv6", []string{"198.51.100.9, ::ffff:10.1.2.3, 192.0.2.77"}, "198.51.100.9"},
		{"proxies only", []string{"10.1.2.3", "10.1.2.4"}, "10.1.2.3"},
		{"with a port", []string{"198.51.100.9:41234"}, "198.51.100.9"},
		{"IPv6", []string{"2001:db8::9"}, "2001:db8::9"},
		{"IPv6 with a port", []string{"[2001:db8::9]:41234"}, "2001:db8::9"},
		{"IPv6 in brackets", []string{"[2001:db8::9]"}, "2001:db8::9"},
		{"in quotation marks", []string{`"[2001:db8::9]:41234"`}, "2001:db8::9"},
		{"IPv6 with a zone", []string{"fe80::9%eth0"}, "fe80::9"},
		{"IPv4 in IPv6", []string{"::ffff:198.51.100.9"}, "198.51.100.9"},
		{"a proxy with a port", []string{"198.51.100.9, 10.1.2.3:8080"}, "198.51.100.9"},
		{"empty members", []string{" ", "198.51.100.9, ,", ""}, "198.51.100.9"},
		{"nothing but empty", []string{"", " , "}, "127.0.0.1"},
		{"no address", []string{"unknown"}, unknown},
		{"a hidden one", []string{"_hidden"}, unknown},
		{"a word before the proxy", []string{"198.51.100.9, unknown, 10.1.2.3"}, unknown},
		{"a word said before", []string{"unknown, 198.51.100.9"}, "198.51.100.9"},
		{"half an address", []string{"198.51.100"}, unknown},
		{"IPv4 in brackets", []string{"[198.51.100.9]"}, unknown},
		{"a port that is none", []string{"198.51.100.9:http"}, unknown},
		{"localhost by name", []string{"localhost"}, unknown},
		{"loopback as a number", []string{"2130706433"}, unknown},
	} {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		var request strings.Builder
		request.WriteString("GET /v1/public HTTP/1.1\r\nHost: x\r\nConnection: close\r\n")
		for _, line := range test.lines {
			request.WriteString("X-Forwarded-For: " + line + "\r\n")
		}
		_, err = io.WriteString(conn, request.String()+"Forwarded: for=203.0.113.7\r\nX-Real-Ip: 203.0.113.8\r\n\r\n")
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, 200, response.StatusCode, test.name)
		require.NoError(t, conn.Close())
		asked := l.callers()
		require.Len(t, asked, 1, test.name)
		require.Equal(t, test.want, asked[0].Address.String(), test.name)
	}
}

// Guarantee: a proxy that is not in the settings is named in the log, once, and no trusted one is.
func TestForwardedByAStranger(t *testing.T) {
	t.Parallel()
	for trusted, want := range map[string]int{"10.0.0.0/8": 1, "0.0.0.0/0": 0} {
		var lines logSink
		logger, flush := log.Open(log.Config{Format: "json"}, &lines)
		options := guardedOptions(t)
		options.Logger, options.Config.TrustedProxies = logger, []string{trusted}
		h := hostOf(t, options)
		fetch(t, h, "/v1/public")
		require.NotContains(t, lines.String(), "X-Forwarded-For")
		for range 3 {
			fetch(t, h, "/v1/public", "X-Forwarded-For", "198.51.100.9")
		}
		flush()
		require.Equal(t, want, strings.Count(lines.String(), "WEB_TRUSTED_PROXIES"), trusted)
	}
}
