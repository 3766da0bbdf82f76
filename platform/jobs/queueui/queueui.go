// Package queueui is the web page of the job queues (asynqmon): what waits, runs, failed, and was done, with payloads and
// errors. It guards nothing: its host lets administrators in and keeps other sites' requests out.
package queueui

import (
	"net/http"

	"github.com/hibiken/asynqmon"

	"gpatlas/platform/redisclient"
)

// UI serves the page, its assets and its API below one path.
type UI struct {
	handler  *asynqmon.HTTPHandler
	writable bool
}

// New makes the page for the path root, "/admin/queues" say. It connects to Redis when it is first asked. Unless it is
// writable it refuses whatever changes something: jobs run again, deleted or put aside, queues paused.
func New(redisURL, root string, writable bool) (*UI, error) {
	options, err := redisclient.Options(redisURL)
	if err != nil {
		return nil, err
	}
	return &UI{
		handler:  asynqmon.New(asynqmon.Options{RootPath: root, RedisConnOpt: redisclient.Connection{UniversalOptions: options}, ReadOnly: !writable}),
		writable: writable,
	}, nil
}

// Writable reports whether the page may change anything.
func (u *UI) Writable() bool { return u.writable }

// Root is the path that the page was made for.
func (u *UI) Root() string { return u.handler.RootPath() }

// ServeHTTP is http.Handler's.
func (u *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) { u.handler.ServeHTTP(w, r) }

// Close ends the connections to Redis.
func (u *UI) Close() error { return u.handler.Close() }
