package regulatory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/httpclient"
)

// Settings select the providers.
type Settings struct {
	SearchURL string        // base URL of the regulator's public firm search; empty = not used
	Timeout   time.Duration // of one request to it; 0 = the client's default
	Contact   string        // email address in requests; may be empty
}

// Providers are the sources of events: the loaded filings, and the regulator's firm search if it is configured.
func Providers(settings Settings, store *Store, clk clock.Clock, log *slog.Logger) ([]Provider, error) {
	list := []Provider{filingProvider{store}}
	if settings.SearchURL == "" {
		return list, nil
	}
	base, err := url.Parse(settings.SearchURL)
	if err != nil {
		return nil, fmt.Errorf("address of the firm search: %w", err)
	}
	client := httpclient.New(httpclient.Config{
		UserAgent: userAgent(settings.Contact), Timeout: settings.Timeout, BytesMax: searchBytesMax, PerSecond: searchPerSecond,
	}, nil, clk, log)
	return append(list, newSearchProvider(base, client, clk)), nil
}

const (
	searchBytesMax  = 2 << 20
	searchPerSecond = 5 // the SEC allows 10
)

func userAgent(contact string) string {
	if contact == "" {
		return "GP Atlas"
	}
	return "GP Atlas " + contact
}

// asker is a search's HTTP client.
type asker interface {
	Get(ctx context.Context, address string) ([]byte, error)
}

// searchProvider asks the regulator's public firm search.
type searchProvider struct {
	base  *url.URL
	http  asker
	clock clock.Clock

	mu    sync.Mutex
	until time.Time // no requests before
}

// rest is how long the search is paused after it failed, so that not all callers wait for it.
const rest = 30 * time.Second

var errResting = errors.New("the firm search failed recently and is not called for now")

func newSearchProvider(base *url.URL, client asker, clk clock.Clock) *searchProvider {
	return &searchProvider{base: base, http: client, clock: clk}
}

// Name is iapd.
func (*searchProvider) Name() string { return sourceSearch }

// Edition is unknown: it would take the same request.
func (*searchProvider) Edition(context.Context, string) (string, error) { return "", nil }

// Events requests the firm. A firm that the search does not know has no events there.
func (p *searchProvider) Events(ctx context.Context, crd string) (Answer, error) {
	if p.isResting() {
		return Answer{}, errResting
	}
	body, err := p.http.Get(ctx, p.base.JoinPath("search", "firm", crd).String())
	if err != nil {
		if httpclient.Passing(err) {
			p.pause()
		}
		return Answer{}, fmt.Errorf("ask the firm search: %w", err)
	}
	answer, err := decodeFirm(body, crd)
	if err != nil {
		return Answer{}, fmt.Errorf("read the firm search's answer: %w", err)
	}
	return answer, nil
}

func (p *searchProvider) isResting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clock.Now().Before(p.until)
}

func (p *searchProvider) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until = p.clock.Now().Add(rest)
}
