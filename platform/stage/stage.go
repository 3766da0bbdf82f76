// Package stage lets long work name what it does at the moment, for those who watch it: `gpatlas ingest` shows it.
package stage

import (
	"context"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Watcher hears that a stage begins, and returns what to call at its end. It must be safe for use by several goroutines.
type Watcher func(name string) (end func())

type key struct{}

// Watch returns a context whose work is watched.
func Watch(ctx context.Context, w Watcher) context.Context { return context.WithValue(ctx, key{}, w) }

// Begin names what the work of ctx does from now on, and returns what to call at its end. Without a watcher it does nothing.
func Begin(ctx context.Context, name string) (end func()) {
	if w, watched := ctx.Value(key{}).(Watcher); watched {
		return w(name)
	}
	return func() {}
}

// Count is a number of things: 1 adviser, 40,000 advisers.
func Count[N int | int64](n N, one string) string {
	text := message.NewPrinter(language.English).Sprintf("%d %s", n, one)
	if n != 1 {
		text += "s"
	}
	return text
}
