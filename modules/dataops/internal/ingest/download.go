package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// The limits of a download. There is none on its whole: an archive of the past has 700 MB.
const (
	dialTimeout   = 10 * time.Second
	headerTimeout = 60 * time.Second
	stallTimeout  = 60 * time.Second // without a byte
)

// NewClient is the HTTP client of downloads.
func NewClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: headerTimeout,
		DisableCompression:    true, // the bytes as published: their number is checked
		ForceAttemptHTTP2:     true,
	}}
}

var errStalled = fmt.Errorf("no data for %s", stallTimeout)

// unsafeName is what a file's name must not hold when an address chose it.
var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// download fetches a document into dir and gives the path. What arrives must be as long as announced, and at most
// bytesMax.
func (s *Service) download(ctx context.Context, u *url.URL, name, dir string) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return "", fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	req.Header.Set("User-Agent", s.cfg.UserAgent)
	res, err := s.client.Do(req)
	if err != nil {
		return "", fmt.Errorf("download: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("download %s: the server answers %s", u.Redacted(), res.Status)
	}
	if res.ContentLength > s.cfg.DownloadBytesMax {
		return "", fmt.Errorf("download %s: %d bytes are more than the %d allowed (DATAOPS_DOWNLOAD_BYTES_MAX)",
			u.Redacted(), res.ContentLength, s.cfg.DownloadBytesMax)
	}
	target := filepath.Join(dir, unsafeName.ReplaceAllString(name, "_"))
	file, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	watchdog := time.AfterFunc(stallTimeout, func() { cancel(errStalled) })
	defer watchdog.Stop()
	body := readerFunc(func(p []byte) (int, error) {
		n, err := res.Body.Read(p)
		if n > 0 {
			watchdog.Reset(stallTimeout)
		}
		return n, err
	})
	n, err := io.Copy(file, io.LimitReader(body, s.cfg.DownloadBytesMax+1))
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	err = errors.Join(err, file.Close())
	switch {
	case err != nil:
		return "", fmt.Errorf("download %s: after %d bytes: %w", u.Redacted(), n, err)
	case n > s.cfg.DownloadBytesMax:
		return "", fmt.Errorf("download %s: more than the %d bytes allowed (DATAOPS_DOWNLOAD_BYTES_MAX)", u.Redacted(), s.cfg.DownloadBytesMax)
	case res.ContentLength >= 0 && n != res.ContentLength:
		return "", fmt.Errorf("download %s: %d bytes came, %d were announced", u.Redacted(), n, res.ContentLength)
	}
	return target, nil
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
