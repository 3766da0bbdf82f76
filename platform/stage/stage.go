// Package stage lets long work report its current stage: `gpatlas ingest` shows it.
package stage

import (
	"context"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Watcher is called when a stage begins, and returns the function to call at its end. It must be safe for concurrent use.
type Watcher func(name string) (end func())

type key struct{}

// Watch returns a context whose work is watched.
func Watch(ctx context.Context, w Watcher) context.Context { return context.WithValue(ctx, key{}, w) }

// Begin names the current stage of ctx's work, and returns the function to call at its end. Without a watcher it does nothing.
func Begin(ctx context.Context, name string) (end func()) {
	if w, watched := ctx.Value(key{}).(Watcher); watched {
		return w(name)
	}
	return func() {}
}

// Count formats a number of things: 1 adviser, 40,000 advisers.
func Count[N int | int64](n N, one string) string {
	text := message.NewPrinter(language.English).Sprintf("%d %s", n, one)
	if n != 1 {
		text += "s"
	}
	return text
}
