package sending

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
	"unicode"

	"gpatlas/modules/feed/internal/signing"
)

const (
	// lease is how long a claimed message stays with its process: longer than a request takes.
	lease = time.Minute
	// saidMost is how much of a response is kept.
	saidMost = 512
	// retryAfterMost is the longest Retry-After that is followed.
	retryAfterMost = time.Hour
	// putBackLimit bounds the database work after a request, which is done even if the process stops.
	putBackLimit = 10 * time.Second
)

// waits are the times before the second attempt, the third, and so on: an attempt at once, and one after each.
var waits = []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour}

// wait is the time until the next attempt after a number of tries, 20 % more or less. ok is false if there is none.
func wait(tries int) (d time.Duration, ok bool) {
	if tries > len(waits) {
		return 0, false
	}
	d = waits[max(tries, 1)-1]
	return d*4/5 + rand.N(d*2/5), true // #nosec G404 -- a jitter
}

// result is what became of an attempt.
type result struct {
	message
	suspect    bool
	at         time.Time
	took       time.Duration
	status     int // 0: no response
	err        string
	said       string
	retryAfter time.Duration
	unsent     bool // nothing was posted, and the endpoint is not to blame
	to         due  // the endpoint, when the message was claimed
}

func (r *result) ok() bool { return r.status >= 200 && r.status < 300 }

// sendAlways sends until ctx ends.
func (s *Service) sendAlways(ctx context.Context) {
	_ = s.send(ctx, false) // it has logged its errors, and tried again
}

// SendDue sends what is due, until nothing is. It is for tests; Start does the same all the time.
func (s *Service) SendDue(ctx context.Context) error { return s.send(ctx, true) }

// send fills the slots and concludes what they bring. When ctx ends, it waits for the requests that were sent.
func (s *Service) send(ctx context.Context, untilIdle bool) error {
	said := false
	for {
		started := 0
		if ctx.Err() == nil {
			n, err := s.fill(ctx)
			if err != nil && ctx.Err() == nil && !said {
				s.Log.WarnContext(ctx, "webhooks are not sent; it is tried again every second", slog.Any("error", err))
			}
			if said = err != nil; said && untilIdle {
				return err
			}
			started = n
		}
		if s.slots.all == 0 && (ctx.Err() != nil || untilIdle && started == 0) {
			return nil //nolint:nilerr // a caller stops send by ending ctx, which is no fault
		}
		if started > 0 && s.slots.all < slotsAll && ctx.Err() == nil && len(s.results) == 0 {
			continue // more may be due
		}
		var stopped <-chan struct{}
		if ctx.Err() == nil {
			stopped = ctx.Done()
		}
		select {
		case r := <-s.results:
			s.conclude(ctx, r)
			wake(s.dispatching)
		case <-s.sending:
		case <-stopped:
		case <-time.After(pollEvery):
		}
	}
}

// fill claims messages for the free slots and posts each in a goroutine of its own.
func (s *Service) fill(ctx context.Context) (started int, err error) {
	if s.slots.all == slotsAll {
		return 0, nil
	}
	now := s.Clock.Now()
	list, err := s.store.due(ctx, s.slots.full(), now)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	ids, counts := s.slots.want(list)
	if len(ids) == 0 {
		return 0, nil
	}
	claimed, err := s.store.claim(ctx, ids, counts, now)
	if err != nil || len(claimed) == 0 {
		return 0, err
	}
	// What is claimed is posted, or waits for the end of the lease.
	targets, err := s.store.targets(ctx, ids, now)
	if err != nil {
		return 0, err
	}
	bodies, err := s.compose(ctx, claimed)
	if err != nil {
		return 0, err
	}
	endpoints := map[string]due{}
	for _, d := range list {
		endpoints[d.ID] = d
	}
	for _, m := range claimed {
		to := endpoints[m.EndpointID]
		r := result{message: m, suspect: s.slots.begin(to), to: to}
		go func() { s.results <- s.post(context.WithoutCancel(ctx), r, targets[m.EndpointID], bodies[m.key()]) }()
	}
	return len(claimed), nil
}

// post sends a message.
func (s *Service) post(ctx context.Context, r result, to target, body []byte) result {
	r.at = s.Clock.Now()
	began := time.Now() //nolint:forbidigo // how long a host takes is no matter of the injected clock
	if body == nil {
		r.err, r.unsent = "the event is no longer in the log", true
		return r
	}
	header, err := s.Header(to.ID, to.Headers, to.Secrets, r.ID, body)
	if err != nil {
		s.Log.ErrorContext(ctx, "a webhook cannot be signed", slog.String("endpoint", r.EndpointID), slog.Any("error", err))
		r.err = "the signing secret can no longer be read: roll it, and set the headers again"
		return r
	}
	response, err := s.Out.Post(ctx, to.URL, header, body)
	r.took = time.Since(began) //nolint:forbidigo // as above
	if err != nil {
		r.err = err.Error()
		return r
	}
	r.status, r.said, r.retryAfter = response.Status, Printable(response.Body, header), response.RetryAfter(s.Clock.Now())
	return r
}

// Header is the headers of a message: an endpoint's own, and those of the signature.
func (s *Service) Header(endpoint string, sealed []byte, secrets [][]byte, id string, body []byte) (http.Header, error) {
	own, err := s.Vault.OpenHeaders(endpoint, sealed)
	if err != nil {
		return nil, err
	}
	opened, err := s.Vault.OpenSecrets(endpoint, secrets)
	if err != nil {
		return nil, err
	}
	header, err := signing.Headers(opened, id, s.Clock.Now(), body)
	for name, value := range own {
		header.Set(name, value)
	}
	return header, err
}

// Printable is the beginning of a response as it is kept: its printable characters, at most 512 bytes, without the values of the extra headers
// that it may repeat: they are kept encrypted.
func Printable(body []byte, sent http.Header) string {
	for name, values := range sent {
		for _, value := range values {
			if value != "" && !strings.HasPrefix(name, "Webhook-") && name != "Content-Type" {
				body = bytes.ReplaceAll(body, []byte(value), []byte("[hidden]"))
			}
		}
	}
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, string(body))
	for len(text) > saidMost {
		cut := saidMost
		for cut > 0 && text[cut]&0xC0 == 0x80 { // not inside of a character
			cut--
		}
		text = text[:cut]
	}
	return text
}
