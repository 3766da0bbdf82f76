package fetch

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"gpatlas/platform/httpclient"
)

// unreachable is why a server could not be asked, with what to check. A mistyped host or scheme stays wrong, so it is not retried.
func unreachable(u *url.URL, err error) error {
	if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsNotFound {
		return fmt.Errorf("there is no host %q: check the URL, and the connection to the network", e.Name)
	}
	if errors.Is(err, http.ErrSchemeMismatch) {
		return fmt.Errorf("%s does not use TLS: check the port, or begin the URL with http://", u.Host)
	}
	cause := httpclient.WithoutURL(err)
	if errors.Is(err, syscall.ECONNREFUSED) {
		cause = fmt.Errorf("%s refuses connections: check host and port, and that the server is running", u.Host)
	}
	return &httpclient.TransientError{Err: cause}
}
