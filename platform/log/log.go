// Package log sets up slog: JSON lines for machines, text on a terminal. It puts the request id of a context on every
// line, and keeps secrets out of all of them.
package log

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"golang.org/x/term"
)

// Config is how much is logged and in which format.
type Config struct {
	Level  slog.Level `env:"LEVEL" envDefault:"info" allowed:"debug, info, warn or error"` // debug, info, warn or error; access lines are info
	Format string     `env:"FORMAT" envDefault:"auto"`                                     // json, text, or auto: text on a terminal
}

// Validate checks what the types cannot.
func (c Config) Validate() error {
	switch c.Format {
	case "", "auto", "json", "text":
		return nil
	}
	return fmt.Errorf("LOG_FORMAT: %q is not json, text or auto", c.Format)
}

// Open makes the logger of a process. Lines of JSON are gathered for up to a tenth of a second (warnings and errors are written
// at once), because a system call per line would cost as much as a search; call flush before the process ends.
func Open(cfg Config, w io.Writer) (logger *slog.Logger, flush func()) {
	options := &slog.HandlerOptions{Level: cfg.Level, ReplaceAttr: redact}
	if cfg.Format == "text" || cfg.Format != "json" && isTerminal(w) {
		return slog.New(&handler{Handler: slog.NewTextHandler(w, options)}), func() {}
	}
	out := &buffered{w: w}
	return slog.New(&handler{Handler: slog.NewJSONHandler(out, options), urgent: out}), out.Flush
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd())) // #nosec G115 -- a descriptor
}

// handler adds the request ID of the context, and flushes after urgent lines.
type handler struct {
	slog.Handler
	urgent *buffered
}

// Handle writes one record.
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("request_id", id))
	}
	err := h.Handler.Handle(ctx, r)
	if h.urgent != nil && r.Level >= slog.LevelWarn {
		h.urgent.Flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &handler{Handler: h.Handler.WithAttrs(attrs), urgent: h.urgent}
}

// WithGroup implements slog.Handler.
func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{Handler: h.Handler.WithGroup(name), urgent: h.urgent}
}
