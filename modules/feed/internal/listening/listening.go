// Package listening forwards the log of changes of a server to a program on this machine, signed as webhooks are. It is for developers, whose
// machine the server cannot reach.
package listening

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/feed/internal/signing"
	"gpatlas/platform/clock"
	"gpatlas/platform/plaintext"
)

const (
	// waitSeconds is how long the server may keep a request without an event.
	waitSeconds = 25
	// pageEvents is how many events are asked for at once.
	pageEvents = 100
	// pageMost bounds what is read of a response.
	pageMost = 16 << 20
	// restMost is the longest time between two tries.
	restMost = 15 * time.Second
)

// Listener forwards events.
type Listener struct {
	Server    string     // URL of the service
	Key       string     // API key
	ForwardTo string     // URL that is posted to
	Filter    url.Values // parameters of GET /v1/changes that choose events
	File      string     // keeps the position and the secret
	From      string     // where to begin: "now", "oldest", or "" for the position of the file
	Out       io.Writer
	Clock     clock.Clock
	Client    *http.Client

	rest time.Duration // before the next try
}

// event is what is read of an event.
type event struct {
	ID   string          `json:"id"`
	Kind string          `json:"kind"`
	At   json.RawMessage `json:"at"`
	CRD  *string         `json:"crd"`
}

type page struct {
	Data []json.RawMessage `json:"data"`
	Meta struct {
		NextCursor string `json:"next_cursor"`
	} `json:"meta"`
}

// Run forwards events until ctx ends. It fails if the server refuses the key or the filter, or no longer has the events after the position.
// While the server or the receiver is unavailable, it waits, so no event is left out.
func (l *Listener) Run(ctx context.Context) error {
	at, err := l.load()
	if err == nil {
		err = at.save(l.File)
	}
	if err != nil {
		return err
	}
	l.say("Forwarding changes of %s to %s", l.Server, l.ForwardTo)
	l.say("Signing secret: %s", at.Secret)
	for ctx.Err() == nil {
		p, err := l.read(ctx, at)
		if refused := (*refusal)(nil); errors.As(err, &refused) {
			return err
		}
		if err != nil {
			l.again(ctx, l.Server, err)
			continue
		}
		l.rest = 0
		for _, raw := range p.Data {
			if err := l.deliver(ctx, at, raw); err != nil || ctx.Err() != nil {
				return err
			}
		}
		at.Cursor = p.Meta.NextCursor
		if err := at.save(l.File); err != nil {
			return err
		}
	}
	return nil
}

// deliver forwards an event, unless it was forwarded before the last stop.
func (l *Listener) deliver(ctx context.Context, at *position, raw json.RawMessage) error {
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return fmt.Errorf("an event of %s cannot be read: %w", l.Server, err)
	}
	if e.ID <= at.Last { // IDs have one length, and later ones are greater
		return nil
	}
	seq, err := strconv.ParseInt(strings.TrimPrefix(e.ID, "chg_"), 16, 64)
	if err != nil {
		return fmt.Errorf("the event ID %q of %s cannot be read: %w", e.ID, l.Server, err)
	}
	id := signing.MessageID(at.Secret, seq, e.Kind)
	body := fmt.Appendf(nil, `{"type":%q,"timestamp":%s,"data":%s}`, e.Kind, e.At, raw)
	for ctx.Err() == nil {
		status, took, err := l.post(ctx, at.Secret, id, body)
		if err != nil {
			l.again(ctx, l.ForwardTo, err)
			continue
		}
		l.rest = 0
		crd := "-"
		if e.CRD != nil {
			crd = *e.CRD
		}
		l.say("%s %-20s %s %s: %d (%d ms)", l.Clock.Now().UTC().Format(time.DateTime), e.Kind, e.ID, crd, status, took.Milliseconds())
		at.Last = e.ID
		return at.save(l.File)
	}
	return nil
}

// post sends a message. Any status is an answer: the receiver is there, and its programmer sees it.
func (l *Listener) post(ctx context.Context, secret, id string, body []byte) (status int, took time.Duration, err error) {
	began := l.Clock.Now()
	header, err := signing.Headers([]string{secret}, id, began, body)
	if err != nil {
		return 0, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.ForwardTo, bytes.NewReader(body))
	if err != nil {
		return 0, 0, err
	}
	request.Header = header
	response, err := l.Client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, pageMost))
	_ = response.Body.Close()
	return response.StatusCode, l.Clock.Now().Sub(began), nil
}

// refusal is an answer that repeating the request does not change.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

// read asks for the events after a position.
func (l *Listener) read(ctx context.Context, at *position) (*page, error) {
	q := url.Values{"limit": {strconv.Itoa(pageEvents)}}
	maps.Copy(q, l.Filter)
	switch {
	case at.Cursor != "":
		q.Set("cursor", at.Cursor)
		q.Set("wait", strconv.Itoa(waitSeconds))
	case l.From == "oldest":
		q.Set("from", l.From)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(l.Server, "/")+"/v1/changes?"+q.Encode(), http.NoBody)
	if err != nil {
		return nil, &refusal{fmt.Sprintf("the server's URL cannot be used: %v", err)}
	}
	request.Header.Set("Authorization", "Bearer "+l.Key)
	response, err := l.Client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, pageMost))
	if err != nil {
		return nil, err
	}
	switch status := response.StatusCode; {
	case status == http.StatusOK:
		p := &page{}
		if err := json.Unmarshal(body, p); err != nil || p.Meta.NextCursor == "" {
			return nil, &refusal{fmt.Sprintf("%s is no GP Atlas server: its answer cannot be read", l.Server)}
		}
		return p, nil
	case status == http.StatusGone:
		return nil, &refusal{"the server no longer has the events after the last one that was forwarded. Begin again with --from oldest or --from now"}
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		return nil, fmt.Errorf("it answered %d", status)
	default:
		return nil, &refusal{fmt.Sprintf("%s answered %d: %s", l.Server, status, detail(body))}
	}
}

// detail is the message of an error of the API, on one line and without control characters.
func detail(body []byte) string {
	var e struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(body, &e) != nil || e.Detail == "" {
		return "no message"
	}
	return plaintext.Cell(strings.Join(strings.Fields(e.Detail), " "))
}

// again says once that something is unavailable, and waits before the next try: longer each time.
func (l *Listener) again(ctx context.Context, what string, err error) {
	if ctx.Err() != nil {
		return
	}
	if l.rest == 0 {
		if u := (*url.Error)(nil); errors.As(err, &u) {
			err = u.Err // without the address, which the line has
		}
		l.say("%s is unavailable (%v). Trying again until it answers.", what, err)
	}
	l.rest = min(max(2*l.rest, time.Second/2), restMost)
	select {
	case <-ctx.Done():
	case <-time.After(l.rest):
	}
}

func (l *Listener) say(format string, args ...any) { _, _ = fmt.Fprintf(l.Out, format+"\n", args...) }
