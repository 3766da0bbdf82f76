package console

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
	"gpatlas/platform/log"
	templates "gpatlas/templates/console"
)

// patience is how long a page waits for its panels.
const patience = 300 * time.Millisecond

// load loads the panels of a page at the same time. One that fails or is late is replaced by a sentence.
func (h *Host) load(ctx context.Context, p console.Page, r *console.Request) []templates.Panel {
	of := h.panels[p.Path]
	if len(of) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	loaded := make([]chan templates.Panel, len(of))
	for i := range of {
		loaded[i] = make(chan templates.Panel, 1)
		go func() { loaded[i] <- h.panel(ctx, &of[i], r) }()
	}
	var shown []templates.Panel
	for i := range of {
		panel := templates.Panel{Title: of[i].Title, Button: of[i].Button, Problem: "This part took too long. Load the page again."}
		select {
		case panel = <-loaded[i]:
		case <-ctx.Done():
			select { // it may have ended at the same moment
			case panel = <-loaded[i]:
			default:
			}
		}
		if panel.Content != "" || panel.Problem != "" {
			panel.ID = "panel-" + strconv.Itoa(i+1)
			shown = append(shown, panel)
		}
	}
	return shown
}

// panel loads one panel. It is empty if there is nothing to show.
func (h *Host) panel(ctx context.Context, p *console.Panel, r *console.Request) (shown templates.Panel) {
	shown.Title, shown.Button = p.Title, p.Button
	var data any
	err := safely(func() (err error) { data, err = p.Load(ctx, r); return err })
	if err == nil && data != nil {
		shown.Content, err = templates.Content(p.Body, templates.Frame{Base: h.base, Data: data})
	}
	if err != nil {
		if ctx.Err() == nil && apperr.From(err).Kind == apperr.KindInternal {
			h.Logger.LogAttrs(ctx, slog.LevelError, "panel failed", slog.String("panel", p.Title), slog.Any("error", err))
		}
		shown.Problem = fmt.Sprintf("This part could not be loaded (request %s).", log.RequestID(ctx))
	}
	return shown
}

// safely turns a panic into an error: it would end the process, because no server catches it in a goroutine of its own.
func safely(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = apperr.Internal(fmt.Errorf("panic: %v", r))
		}
	}()
	return fn()
}
