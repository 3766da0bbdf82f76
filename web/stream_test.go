package web_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/web/webtest"
)

const line = "900001,Invented Capital Partners\r\n"

// streaming is a module whose answers are written while they are sent; one of them breaks off.
func streaming() module.Manifest {
	stream := func(fail error) func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Bytes], error) {
		return func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Bytes], error) {
			return &httpapi.Reply[httpapi.Bytes]{Stream: func(w *bufio.Writer) error {
				for range 5000 {
					if _, err := w.WriteString(line); err != nil {
						return err
					}
				}
				return fail
			}}, nil
		}
	}
	csv := []httpapi.Option{httpapi.Produces("text/csv; charset=utf-8"), httpapi.Volatile(), httpapi.Charge(150_000, charge.PerRequest)}
	return module.New("streaming", module.Part{Routes: []httpapi.Route{
		httpapi.Get("/v1/rows", "rows", stream(nil), csv...),
		httpapi.Get("/v1/broken", "broken", stream(errors.New("the disk is gone")), csv...),
	}})
}

// Through the whole pipeline: a stream is compressed with gzip where the caller takes it, is charged, bears the headers of
// every answer, and where it breaks off its compressed form is not complete either.
func TestStreamsThroughThePipeline(t *testing.T) {
	t.Parallel()
	meter := &chargetest.Meter{}
	options := webtest.Options(t, streaming())
	options.Meter = meter
	address := webtest.Serve(t, webtest.App(t, options))
	want := strings.Repeat(line, 5000)

	plain := ask(t, address+"/v1/rows", "Accept-Encoding", "identity")
	require.Equal(t, want, plain.Body)
	require.Empty(t, plain.Header.Get("Content-Encoding"))
	for _, name := range []string{"X-Request-Id", "X-Content-Type-Options"} {
		require.NotEmpty(t, plain.Header.Get(name))
	}
	require.Equal(t, "0.15", plain.Header.Get("X-Charge"))
	require.Equal(t, "Accept-Encoding", plain.Header.Get("Vary"))

	packed := ask(t, address+"/v1/rows", "Accept-Encoding", "br, gzip")
	require.Equal(t, "gzip", packed.Header.Get("Content-Encoding"))
	require.Less(t, len(packed.Body), len(want)/50)
	reader, err := gzip.NewReader(strings.NewReader(packed.Body))
	require.NoError(t, err)
	unpacked, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, want, string(unpacked))

	for _, accept := range []string{"identity", "gzip"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/v1/broken", nil)
		require.NoError(t, err)
		request.Header.Set("Accept-Encoding", accept)
		response, err := client().Do(request)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, accept)
		require.NoError(t, response.Body.Close())
		if accept == "gzip" {
			if reader, err = gzip.NewReader(strings.NewReader(string(body))); err == nil {
				_, err = io.ReadAll(reader)
			}
			require.Error(t, err, "the compressed form has no end")
		}
	}
	require.Len(t, meter.Charged(), 4, "a stream that breaks was charged: its connection says that it broke")

	head, err := http.Head(address + "/v1/rows")
	require.NoError(t, err)
	require.NoError(t, head.Body.Close())
	require.Equal(t, "0.00", head.Header.Get("X-Charge"))
	require.Len(t, meter.Charged(), 4)
}
