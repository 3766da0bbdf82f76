package changefeed

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gpatlas/platform/changes"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

const (
	// streamFor is how long a stream lasts: less than WEB_WRITE_TIMEOUT.
	streamFor = 50 * time.Second
	// commentEvery is how long a stream is silent. Only writing shows that the caller has hung up.
	commentEvery = 10 * time.Second
	// pageWork is the time for the database work of a page.
	pageWork = 5 * time.Second
)

// stream answers with server-sent events from a cursor on. The reply is written after the handler has returned, or never: the caller's place is
// given back at the latest when the stream would have ended.
func (s *Service) stream(ctx context.Context, q question, from changes.Cursor, limit int, leave func()) *httpapi.Reply[body] {
	end := time.AfterFunc(streamFor+commentEvery, leave)
	return &httpapi.Reply[body]{ContentType: eventStream, Header: map[string]string{"Cache-Control": "no-store", "X-Accel-Buffering": "no"}, Stream: func(w *bufio.Writer) error {
		defer end.Stop()
		defer leave()
		ctx, cancel := context.WithTimeout(ctx, streamFor)
		defer cancel()
		for at := from; ; {
			next, err := s.send(ctx, w, q, at, limit)
			if errors.Is(err, errExpired) {
				return nil // the reader connects again, and gets 410
			}
			if err != nil || ctx.Err() != nil || s.hub.Released() {
				return err
			}
			at = next
		}
	}}
}

// send waits for events, writes them or a comment, and returns where to continue. The ID of an event without data only moves the reader's
// Last-Event-ID.
func (s *Service) send(ctx context.Context, w *bufio.Writer, q question, at changes.Cursor, limit int) (changes.Cursor, error) {
	if _, err := fmt.Fprintf(w, "id: %s\n: waiting\n\n", at); err != nil {
		return at, err
	}
	if err := w.Flush(); err != nil {
		return at, err
	}
	silence, cancel := context.WithTimeout(database.WithLimit(ctx, pageWork), commentEvery)
	defer cancel()
	page, err := s.hub.Wait(silence, at, limit, q.filter)
	if err != nil {
		if ctx.Err() != nil {
			return at, nil
		}
		return at, err
	}
	if page.Head.Expired(at) {
		return at, errExpired
	}
	events, err := s.events(database.WithLimit(context.WithoutCancel(ctx), pageWork), page)
	if err != nil {
		return at, err
	}
	for i := range events {
		data, err := json.Marshal(&events[i])
		if err != nil {
			return at, err
		}
		if _, err := fmt.Fprintf(w, "id: %s\nevent: %s\ndata: %s\n\n", page.Head.At(page.Events[i].Seq), events[i].Kind, data); err != nil {
			return at, err
		}
	}
	return page.Head.At(page.Next), nil
}
