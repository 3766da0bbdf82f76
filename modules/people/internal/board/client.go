package board

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/httpclient"
)

// The limits of requests. A listing of Greenhouse or Ashby has the texts of all postings, 5 to 10 KB each.
const (
	bytesMax  = 16 << 20
	timeout   = 30 * time.Second // for one page, including retries
	perSecond = 1
	attempts  = 2 // a longer failure is due again in an hour
	pageSize  = 100
)

// Client fetches boards.
type Client struct{ http *httpclient.Client }

// Options are for tests: the transport leads to a test server, and sleep does not wait. Nil means the default.
type Options struct {
	Transport http.RoundTripper
	Sleep     func(ctx context.Context, d time.Duration) error
	Timeout   time.Duration
}

// NewClient makes a client.
func NewClient(o Options, clk clock.Clock, log *slog.Logger) *Client {
	limit := timeout
	if o.Timeout > 0 {
		limit = o.Timeout
	}
	return &Client{httpclient.New(httpclient.Config{
		UserAgent: "GP Atlas", Timeout: limit, BytesMax: bytesMax, Attempts: attempts, PerSecond: perSecond, Sleep: o.Sleep,
	}, o.Transport, clk, log)}
}

// Listing is a whole board. Version is empty if it cannot be used for a conditional request next time.
type Listing struct {
	Postings  []Posting
	Version   httpclient.Version
	Unchanged bool // the board still has the known version; Postings is empty
}

// Fetch returns all postings of a board. known is the version of the last listing, or zero.
func (c *Client) Fetch(ctx context.Context, b Board, known httpclient.Version) (Listing, error) {
	answer, err := c.http.GetNewer(ctx, address(b, 0), known)
	if err != nil {
		return Listing{}, fmt.Errorf("%s: %w", hosts[b.Vendor], err)
	}
	if answer.Unchanged {
		return Listing{Version: known, Unchanged: true}, nil
	}
	list, had, err := parse(b.Vendor, answer.Body)
	if err != nil {
		return Listing{}, fmt.Errorf("%s: %w", hosts[b.Vendor], err)
	}
	if b.Vendor != Lever && b.Vendor != LeverEU || had < pageSize {
		return Listing{Postings: list, Version: answer.Version}, nil
	}
	// The version of the first page does not cover the others, so a board of several pages is always read.
	for skip := 0; had == pageSize; {
		skip += had
		if skip >= postingsMax {
			return Listing{}, fmt.Errorf("%s: %w: it has more than %d postings", hosts[b.Vendor], ErrShape, postingsMax)
		}
		body, err := c.http.Get(ctx, address(b, skip))
		if err != nil {
			return Listing{}, fmt.Errorf("%s: %w", hosts[b.Vendor], err)
		}
		var page []Posting
		if page, had, err = parse(b.Vendor, body); err != nil {
			return Listing{}, fmt.Errorf("%s: %w", hosts[b.Vendor], err)
		}
		list = append(list, page...)
	}
	list, err = checked(list)
	return Listing{Postings: list}, err
}

func address(b Board, skip int) string {
	u := url.URL{Scheme: "https", Host: hosts[b.Vendor]}
	switch b.Vendor {
	case Greenhouse:
		u.Path = "/v1/boards/" + b.Token + "/jobs"
		u.RawQuery = "content=true"
	case Lever, LeverEU:
		u.Path = "/v0/postings/" + b.Token
		u.RawQuery = "mode=json&skip=" + strconv.Itoa(skip) + "&limit=" + strconv.Itoa(pageSize)
	case Ashby:
		u.Path = "/posting-api/job-board/" + b.Token
	}
	return u.String()
}
