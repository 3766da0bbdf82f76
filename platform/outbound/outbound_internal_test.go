package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// bench is a client whose names come from a DNS server of the test, and for which 127.0.0.2 is a public address.
type bench struct {
	*Client
	dials atomic.Int64
}

const outside, inside = "127.0.0.2", "127.0.0.1"

// newBench has a DNS server that gives one list of addresses after the other.
func newBench(t *testing.T, roots *x509.CertPool, answers ...[]string) *bench {
	t.Helper()
	b := &bench{Client: New(Config{})}
	b.limit = 2 * time.Second
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	go answer(server, answers)
	b.dialer.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	b.dialer.Control = func(_, address string, _ syscall.RawConn) error {
		host, _, _ := net.SplitHostPort(address)
		if host == outside {
			b.dials.Add(1)
			return nil
		}
		return b.permit(address)
	}
	b.http.Transport.(*http.Transport).TLSClientConfig.RootCAs = roots //nolint:forcetypeassert // New made it
	return b
}

func answer(server net.PacketConn, answers [][]string) {
	buffer := make([]byte, 1500)
	for n := 0; ; {
		size, from, err := server.ReadFrom(buffer)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buffer[:size]) != nil || len(m.Questions) != 1 {
			continue
		}
		m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
		if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
			for _, a := range answers[min(n, len(answers)-1)] {
				m.Answers = append(m.Answers, dnsmessage.Resource{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 0}, Body: &dnsmessage.AResource{A: [4]byte(net.ParseIP(a).To4())},
				})
			}
			n++
		}
		packed, _ := m.Pack()
		_, _ = server.WriteTo(packed, from)
	}
}

// serve is an HTTPS server for a name, on one address; its URL has that name.
func serve(t *testing.T, at, name string, handler http.HandlerFunc) (address string, roots *x509.CertPool) {
	t.Helper()
	listener, err := net.Listen("tcp", at)
	require.NoError(t, err)
	s := httptest.NewUnstartedServer(handler)
	_ = s.Listener.Close()
	s.Listener = listener
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	roots = x509.NewCertPool()
	roots.AddCert(s.Certificate())
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return "https://" + name + ":" + port + "/hook", roots
}

func reason(t *testing.T, err error) string {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e)
	return e.Reason
}

// The certificate of httptest is valid for example.com.
func TestPost(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body string
	address, roots := serve(t, outside+":0", "example.com", func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		got, body = r, string(text)
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "later")
	})
	b := newBench(t, roots, []string{outside})
	r, err := b.Post(t.Context(), address, http.Header{"Webhook-Id": {"msg_1"}}, []byte("{}"))
	require.NoError(t, err)
	require.Equal(t, "503 later 7s", strconv.Itoa(r.Status)+" "+string(r.Body)+" "+r.RetryAfter(time.Time{}).String())
	require.Equal(t, "{} msg_1 POST", body+" "+got.Header.Get("Webhook-Id")+" "+got.Method)
}

// A name that led outside when it was checked, and leads inside now, is refused, alone or among public addresses.
func TestRebinding(t *testing.T) {
	t.Parallel()
	var inward atomic.Int64
	address, roots := serve(t, inside+":0", "example.com", func(http.ResponseWriter, *http.Request) { inward.Add(1) })
	b := newBench(t, roots, []string{outside}, []string{inside}, []string{outside, inside}, []string{inside, outside})
	_, err := b.Post(t.Context(), address, nil, nil)
	require.Equal(t, "the host refused the connection", reason(t, err))
	for range 3 {
		_, err = b.Post(t.Context(), address, nil, nil)
		require.Error(t, err)
		require.NotContains(t, reason(t, err), inside)
	}
	require.Zero(t, inward.Load())
	require.Positive(t, b.dials.Load())
}

// A redirect is an answer like others: nobody follows it.
func TestRedirectInside(t *testing.T) {
	t.Parallel()
	var inward atomic.Int64
	secret, _ := serve(t, inside+":0", inside, func(http.ResponseWriter, *http.Request) { inward.Add(1) })
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		address, roots := serve(t, outside+":0", "example.com", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, secret, status) })
		r, err := newBench(t, roots, []string{outside}).Post(t.Context(), address, nil, []byte("x"))
		require.NoError(t, err)
		require.Equal(t, status, r.Status)
	}
	require.Zero(t, inward.Load())
}

func TestProxyOfTheEnvironmentIsNotUsed(t *testing.T) { //nolint:paralleltest // the environment belongs to all tests
	var proxied atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied.Add(1) }))
	defer proxy.Close()
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	address, roots := serve(t, outside+":0", "example.com", func(http.ResponseWriter, *http.Request) {})
	r, err := newBench(t, roots, []string{outside}).Post(t.Context(), address, nil, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, r.Status)
	require.Zero(t, proxied.Load())

	u, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	_, err = New(Config{Proxy: u, AllowHTTP: true}).Post(t.Context(), "http://example.com/", nil, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, proxied.Load(), "the proxy of the settings is used")
}

// What a host may do to hold a connection: it is cut off by time or size.
func TestHostileHosts(t *testing.T) {
	t.Parallel()
	drip := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, "x"); err != nil {
				return
			}
			w.(http.Flusher).Flush() //nolint:forcetypeassert // of net/http
			time.Sleep(50 * time.Millisecond)
		}
	}
	var written atomic.Int64
	huge := func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 1<<20)
		for range 1 << 10 {
			n, err := w.Write(chunk)
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	}
	for name, c := range map[string]struct {
		host, want string
		handler    http.HandlerFunc
	}{
		"silence":             {"example.com", "no response in 15s", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		"drip":                {"example.com", "", drip},
		"1 GB":                {"example.com", "", huge},
		"headers":             {"example.com", "the response has more than 16 KiB of headers", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 20<<10)) }},
		"TLS of another name": {"example.org", "the certificate of the host is not valid for it", func(http.ResponseWriter, *http.Request) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, roots := serve(t, outside+":0", c.host, c.handler)
			b := newBench(t, roots, []string{outside})
			b.limit = 300 * time.Millisecond
			if name == "1 GB" || name == "headers" || c.host == "example.org" {
				b.limit = 10 * time.Second
			}
			r, err := b.Post(t.Context(), address, nil, nil)
			if c.want != "" {
				require.Equal(t, c.want, reason(t, err))
				return
			}
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, r.Status)
			require.LessOrEqual(t, len(r.Body), bodyMax)
		})
	}
	t.Cleanup(func() { require.Less(t, written.Load(), int64(64<<20)) })
}

// A host that accepts and never speaks TLS, one that speaks something else, and one without TLS.
func TestNoTLS(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", outside+":0")
	require.NoError(t, err)
	defer func() { _ = silent.Close() }()
	plain, err := net.Listen("tcp", outside+":0")
	require.NoError(t, err)
	s := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second}
	go func() { _ = s.Serve(plain) }()
	defer func() { _ = s.Close() }()
	for listener, want := range map[net.Listener]string{silent: "no response in 15s", plain: "the host does not speak TLS on that port"} {
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		b := newBench(t, nil, []string{outside})
		b.limit = 300 * time.Millisecond
		if listener == plain {
			b.limit = 10 * time.Second
		}
		_, err := b.Post(t.Context(), "https://example.com:"+port, nil, nil)
		require.Equal(t, want, reason(t, err))
	}
	b := newBench(t, nil, []string{})
	_, err = b.Post(t.Context(), "https://example.com", nil, nil)
	require.Equal(t, "the host's name could not be resolved", reason(t, err))
	require.Contains(t, reason(t, errors.Join(explain(t.Context(), tls.RecordHeaderError{}))), "TLS")
	_, err = b.Post(t.Context(), "https://127.0.0.1/", nil, nil)
	require.Contains(t, reason(t, err), "the URL must name a public host")
}
