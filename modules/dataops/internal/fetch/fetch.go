package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"gpatlas/platform/httpclient"
	"gpatlas/platform/stage"
)

// Edition distinguishes one edition of a file from the next: the server's validators, either may be empty.
type Edition struct{ ETag, LastModified string }

// Request is what to fetch.
type Request struct {
	URL      *url.URL
	Name     string  // the name of the local copy
	Bytes    int64   // size as an index states it; 0 = not stated
	Known    Edition // the edition that we have already: it is not fetched again
	SameHost bool    // redirects must not leave the host
}

// File is what was fetched. Release removes the copy, Keep leaves it; until then no other process of this machine fetches
// the same address.
type File struct {
	Path      string
	Bytes     int64
	Edition   Edition
	Unchanged bool // it is the edition of Request.Known; nothing was fetched, and there is nothing to release
	Release   func() error
	Keep      func() error // instead of Release: the copy stays for the next try
}

var errStalled = errors.New("no data received for too long")

// Fetch downloads a file. Its size is the one that the server announced and, if the index states one, that of the index.
func (c *Client) Fetch(ctx context.Context, r Request) (f File, err error) {
	defer stage.Begin(ctx, "downloading "+r.Name)()
	defer func() {
		if err != nil {
			err = fmt.Errorf("download %s: %w", r.URL.Redacted(), err)
		}
	}()
	if err := c.demandContact(r.URL); err != nil {
		return File{}, err
	}
	if r.Bytes > c.cfg.BytesMax {
		return File{}, c.tooLarge(r.Bytes)
	}
	s, err := c.slot(ctx, r)
	if err != nil {
		return File{}, err
	}
	d := &download{Client: c, r: r, slot: s}
	if err := c.retry(ctx, r.URL, d.try); err != nil {
		// What may be continued is kept; what turned out to be of no use is not.
		if have, missing := s.size(); have == 0 || missing != nil || errors.Is(err, errUseless) {
			return File{}, errors.Join(err, s.remove())
		}
		return File{}, errors.Join(err, s.leave())
	}
	if d.unchanged {
		return File{Edition: r.Known, Unchanged: true}, s.remove()
	}
	return File{Path: s.path(), Bytes: d.size, Edition: s.state.edition(), Release: s.remove, Keep: s.leave}, nil
}

// Get downloads a small file, such as an index, into memory. One of more than bytesMax is rejected.
func (c *Client) Get(ctx context.Context, u *url.URL, bytesMax int64) (body []byte, err error) {
	if err := c.demandContact(u); err != nil {
		return nil, err
	}
	err = c.retry(ctx, u, func(ctx context.Context) (int64, error) {
		ctx, end := context.WithCancelCause(ctx)
		defer end(nil)
		res, err := c.send(ctx, u, true, nil)
		if err != nil {
			return 0, err
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK {
			return 0, c.refused(res)
		}
		body, err = io.ReadAll(io.LimitReader(c.watched(res.Body, end), bytesMax+1))
		if err != nil {
			return 0, &httpclient.TransientError{Err: cause(ctx, err)}
		}
		if int64(len(body)) > bytesMax {
			return 0, fmt.Errorf("more than %d bytes received, which is too large for an index", bytesMax)
		}
		return 0, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return body, nil
}

func (c *Client) tooLarge(n int64) error {
	return fmt.Errorf("%w: %d bytes exceed the limit of %d (DATAOPS_DOWNLOAD_BYTES_MAX)", errUseless, n, c.cfg.BytesMax)
}

// watched is body, ended when no byte comes for too long.
func (c *Client) watched(body io.Reader, end context.CancelCauseFunc) io.Reader {
	dog := time.AfterFunc(c.cfg.Stall, func() { end(errStalled) })
	return readerFunc(func(p []byte) (int, error) {
		n, err := body.Read(p)
		switch {
		case err != nil:
			dog.Stop()
		case n > 0:
			dog.Reset(c.cfg.Stall)
		}
		return n, err
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// errUseless means that another try cannot use what was fetched so far.
var errUseless = errors.New("the file is rejected")

// download is one file on its way.
type download struct {
	*Client

	r         Request
	slot      *slot
	size      int64
	unchanged bool
}

// try requests the missing part once and writes what it receives. It returns the number of bytes received.
func (d *download) try(ctx context.Context) (int64, error) {
	have, err := d.slot.size()
	if err != nil {
		return 0, err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	res, err := d.send(ctx, d.r.URL, d.r.SameHost, d.conditions(have))
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	switch res.StatusCode {
	case http.StatusOK:
		have = 0
		if err := d.begin(res); err != nil {
			return 0, err
		}
	case http.StatusPartialContent:
		if err := d.continues(res, have); err != nil {
			return 0, err
		}
	case http.StatusNotModified:
		return 0, d.same(have)
	case http.StatusRequestedRangeNotSatisfiable:
		return 0, d.discard("the server does not have the missing part")
	default:
		return 0, d.refused(res)
	}
	n, err := d.slot.write(have, io.LimitReader(d.watched(res.Body, end), d.cfg.BytesMax-have+1))
	if err != nil {
		if context.Cause(ctx) != nil {
			err = context.Cause(ctx)
		}
		if d.slot.failed {
			return n, err // the disk's fault, not the server's
		}
		return n, &httpclient.TransientError{Err: fmt.Errorf("after %d bytes: %w", have+n, err)}
	}
	return n, d.verify(have + n)
}

// conditions are the headers that name the part and the edition that are wanted.
func (d *download) conditions(have int64) http.Header {
	h := http.Header{}
	edition := d.slot.state.edition()
	switch {
	case d.slot.state.Complete: // fetched before, but not loaded: ask whether it is still the one
		unlessSame(h, edition)
	case have > 0 && edition.strong() != "":
		h.Set("Range", fmt.Sprintf("bytes=%d-", have))
		h.Set("If-Range", edition.strong())
	default:
		unlessSame(h, d.r.Known)
	}
	return h
}

func unlessSame(h http.Header, e Edition) {
	if e.ETag != "" {
		h.Set("If-None-Match", e.ETag)
	} else if e.LastModified != "" {
		h.Set("If-Modified-Since", e.LastModified)
	}
}

// begin prepares for the whole file.
func (d *download) begin(res *http.Response) error {
	if res.ContentLength > d.cfg.BytesMax {
		return d.tooLarge(res.ContentLength)
	}
	if d.r.Bytes > 0 && res.ContentLength >= 0 && res.ContentLength != d.r.Bytes {
		return fmt.Errorf("%w: the server declares %d bytes, the index states %d", errUseless, res.ContentLength, d.r.Bytes)
	}
	return d.slot.begin(state{
		URL: d.r.URL.String(), ETag: res.Header.Get("ETag"), LastModified: res.Header.Get("Last-Modified"), Total: res.ContentLength,
	})
}

// continues checks that an answer is the part that is missing, of the edition that was begun.
func (d *download) continues(res *http.Response, have int64) error {
	var first, last, total int64
	at := res.Header.Get("Content-Range")
	if n, err := fmt.Sscanf(at, "bytes %d-%d/%d", &first, &last, &total); n != 3 || err != nil {
		return d.discard(fmt.Sprintf("the server sends the part %q", at))
	}
	tag := res.Header.Get("ETag")
	switch {
	case first != have, last != total-1, d.slot.state.Total >= 0 && total != d.slot.state.Total:
		return d.discard(fmt.Sprintf("the server sends the part %q, but %d of %d bytes are already downloaded", at, have, d.slot.state.Total))
	case tag != "" && tag != d.slot.state.ETag:
		return d.discard("the file changed during the download")
	case total > d.cfg.BytesMax:
		return d.tooLarge(total)
	}
	d.slot.state.Total = total
	return nil
}

// same handles an answer that nothing has changed.
func (d *download) same(have int64) error {
	switch {
	case d.slot.state.Complete:
		d.size = have
		return nil
	case d.r.Known != Edition{}:
		d.unchanged = true
		return nil
	}
	return errors.New("the server returned 304 to an unconditional request")
}

// discard deletes the downloaded part, so that the whole file is requested.
func (d *download) discard(why string) error {
	if err := d.slot.begin(state{URL: d.r.URL.String(), Total: -1}); err != nil {
		return err
	}
	return &httpclient.TransientError{Err: errors.New(why)}
}

// verify holds what came against what was announced.
func (d *download) verify(have int64) error {
	total := d.slot.state.Total
	switch {
	case have > d.cfg.BytesMax:
		return fmt.Errorf("%w: it exceeds the limit of %d bytes (DATAOPS_DOWNLOAD_BYTES_MAX)", errUseless, d.cfg.BytesMax)
	case total >= 0 && have < total:
		return &httpclient.TransientError{Err: fmt.Errorf("%d bytes received, %d were declared", have, total)}
	case total >= 0 && have != total:
		return fmt.Errorf("%w: %d bytes received, %d were declared", errUseless, have, total)
	case d.r.Bytes > 0 && have != d.r.Bytes:
		return fmt.Errorf("%w: %d bytes received, the index states %d", errUseless, have, d.r.Bytes)
	case have == 0:
		return fmt.Errorf("%w: it is empty", errUseless)
	}
	d.size = have
	return d.slot.complete()
}
