package stripe_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// startPlain is a server of any answers.
func startPlain(t *testing.T, handler http.HandlerFunc) (url string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}
