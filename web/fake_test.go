package web_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
	"gpatlas/platform/testkit/httpapitest"
)

type listInput struct {
	page.Input
	Q httpapi.Opt[string] `query:"q" doc:"Text." minLength:"2" maxLength:"200"`
}

type list struct {
	Data []string  `json:"data"`
	Meta page.Meta `json:"meta"`
}

type item struct {
	Name string `json:"name"`
}

// fake is a module with an operation of every temper.
type fake struct {
	mu   sync.Mutex
	kept []string // values kept after their requests
	slow chan struct{}
}

func (f *fake) manifest() module.Manifest {
	get := func(path, id string, handler func(context.Context, *struct{}) (*httpapi.Reply[item], error)) httpapi.Route {
		return httpapi.Get(path, id, handler, httpapi.Summary("Fake "+id), httpapi.Tag("Fakes"))
	}
	return module.New("fake", module.Part{
		Routes: []httpapi.Route{
			httpapi.Get("/v1/list", "list", f.list, httpapi.Paged()),
			httpapi.Get("/v1/items/{name}", "item", func(_ context.Context, in *struct {
				Name string `path:"name" maxLength:"64"`
			},
			) (*httpapi.Reply[item], error) {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.kept = append(f.kept, in.Name)
				return &httpapi.Reply[item]{Body: item{Name: in.Name}}, nil
			}),
			httpapi.Post("/v1/items", "make", func(_ context.Context, in *struct{ Body item }) (*httpapi.Reply[item], error) {
				return &httpapi.Reply[item]{Body: in.Body}, nil
			}),
			get("/v1/panic", "panic", func(context.Context, *struct{}) (*httpapi.Reply[item], error) { panic("boom") }),
			get("/v1/fail", "fail", func(context.Context, *struct{}) (*httpapi.Reply[item], error) {
				return nil, apperr.Internal(io.ErrUnexpectedEOF)
			}),
			get("/v1/slow", "slow", func(ctx context.Context, _ *struct{}) (*httpapi.Reply[item], error) {
				f.slow <- struct{}{}
				select {
				case <-f.slow:
					return &httpapi.Reply[item]{Body: item{Name: "finished"}}, nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}),
		},
	})
}

// list is large enough to be compressed.
func (f *fake) list(_ context.Context, in *listInput) (*httpapi.Reply[list], error) {
	limit, _, _ := in.Window()
	body := list{Data: []string{}, Meta: in.Meta(120)}
	for range limit {
		body.Data = append(body.Data, strings.Repeat("Invented Capital Partners ", 4))
	}
	return &httpapi.Reply[list]{Body: body, Page: in.Links(120)}, nil
}

// logSink gathers log lines.
type logSink struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *logSink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *logSink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// client follows nothing, decompresses nothing and keeps nothing.
func client() *http.Client {
	return &http.Client{
		Timeout:   time.Minute, // of a busy machine under the race detector
		Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true},
	}
}

// ask sends a GET with headers over a real socket.
func ask(tb testing.TB, address string, headers ...string) httpapitest.Response {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, address, nil)
	require.NoError(tb, err)
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := client().Do(request)
	require.NoError(tb, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(tb, err)
	return httpapitest.Response{Status: response.StatusCode, Header: response.Header, Body: string(body)}
}

// raw sends bytes as they are and reads one answer.
func raw(tb testing.TB, address, request string) *http.Response {
	tb.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = conn.Close() })
	require.NoError(tb, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, _ = io.WriteString(conn, request) // the server may have hung up on a request that is too large
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(tb, err)
	return response
}
