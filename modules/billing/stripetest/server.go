package stripetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"gpatlas/platform/clock"
)

// SecretKey is the key that a Server accepts; other keys are answered with 401.
const SecretKey = "sk_test_stripetest" //nolint:gosec // of no service

// Fault is how a request fails.
type Fault int

// The faults.
const (
	Error500 Fault = iota + 1 // Stripe's JSON, before any effect; kept under the request's Idempotency-Key, as Stripe does
	Error429                  // too many requests; not kept
	HTML502                   // a proxy's page, before any effect
	Drop                      // the connection ends without an answer, after the request took effect
	Hang                      // no response until the caller disconnects, after the request took effect
)

// Request is a request that a Server has seen.
type Request struct {
	Method, Path string
	Form         url.Values // of the query, or of the body
	Key          string     // Idempotency-Key
	Header       http.Header
}

// Server is a Stripe in memory. Its methods are safe for concurrent use.
type Server struct {
	URL   string
	clock clock.Clock

	mu       sync.Mutex
	shape    Shape
	faults   map[string][]Fault
	kept     map[string]keptAnswer
	requests []Request
	last     int

	customers     []*Customer
	sessions      []*Session
	subscriptions []*Subscription
	items         []*InvoiceItem
	invoices      []*Invoice
}

type keptAnswer struct {
	content string
	status  int
	body    map[string]any
}

// Start starts a Stripe that ends with the test.
func Start(tb testing.TB, clk clock.Clock) *Server {
	tb.Helper()
	s := &Server{clock: clk, faults: map[string][]Fault{}, kept: map[string]keptAnswer{}}
	server := httptest.NewServer(s)
	tb.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.URL = server.URL
	return s
}

// SetShape sets the shape of further answers.
func (s *Server) SetShape(shape Shape) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shape = shape
}

// Fail makes the next requests of "POST /v1/customers" (method and path) fail, one after the other.
func (s *Server) Fail(what string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[what] = append(s.faults[what], faults...)
}

// Heal ends all failures.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.faults)
}

// ForgetKeys drops all idempotency keys, as Stripe does after a day.
func (s *Server) ForgetKeys() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.kept)
}

// Requests are those of a method and path that were seen, "POST /v1/customers"; all if it is empty.
func (s *Server) Requests(what string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(r Request) bool { return what != "" && what != r.Method+" "+r.Path })
}

// ServeHTTP answers as Stripe's API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	status, body, fault := s.answer(r)
	s.mu.Unlock()
	switch fault {
	default:
	case Drop:
		panic(http.ErrAbortHandler)
	case Hang:
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case HTML502:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		//nolint:gosec // the reader is a test
		_, _ = io.WriteString(w, "<html><body>502 Bad Gateway, "+r.Header.Get("Authorization")+"</body></html>") // a proxy that repeats its request
		return
	}
	var text bytes.Buffer
	_ = json.NewEncoder(&text).Encode(body)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", fmt.Sprintf("req_%d", status))
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}

func (s *Server) answer(r *http.Request) (status int, body map[string]any, fault Fault) {
	if err := r.ParseForm(); err != nil {
		return refused(http.StatusBadRequest, "invalid_request_error", "", "", err.Error()).with(0)
	}
	what, key := r.Method+" "+r.URL.Path, r.Header.Get("Idempotency-Key")
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Form: r.Form, Key: key, Header: r.Header.Clone()})
	if auth := r.Header.Get("Authorization"); auth != "Bearer "+SecretKey {
		return refused(http.StatusUnauthorized, "invalid_request_error", "", "", "Invalid API Key provided: "+strings.TrimPrefix(auth, "Bearer ")).with(0)
	}
	if list := s.faults[what]; len(list) > 0 {
		fault, s.faults[what] = list[0], list[1:]
	}
	switch fault {
	default:
	case HTML502:
		return 0, nil, fault
	case Error429:
		return refused(http.StatusTooManyRequests, "invalid_request_error", "rate_limit", "", "Too many requests").with(0)
	}
	content := what + "?" + r.Form.Encode()
	if old, known := s.kept[key]; known && r.Method == http.MethodPost {
		if old.content != content {
			return refused(http.StatusBadRequest, "idempotency_error", "", "", "Keys for idempotent requests can only be used with the same parameters").with(fault)
		}
		return old.status, old.body, fault
	}
	if fault == Error500 {
		status, body, _ = refused(http.StatusInternalServerError, "api_error", "", "", "An unknown error occurred").with(0)
	} else {
		status, body = s.do(r)
	}
	if key != "" && r.Method == http.MethodPost && (status < 400 || status >= 500) {
		s.kept[key] = keptAnswer{content, status, body}
	}
	return status, body, fault
}

type refusal struct {
	status int
	body   map[string]any
}

func (f refusal) with(fault Fault) (status int, body map[string]any, passed Fault) {
	return f.status, f.body, fault
}

func refused(status int, kind, code, param, message string) refusal {
	fault := map[string]any{"type": kind, "message": message}
	if code != "" {
		fault["code"] = code
	}
	if param != "" {
		fault["param"] = param
	}
	return refusal{status, map[string]any{"error": fault}}
}
