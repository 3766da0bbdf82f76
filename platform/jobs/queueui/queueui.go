// Package queueui is the web page of the job queues (asynqmon): what waits, runs, failed, and was done, with payloads and
// errors. It guards nothing: its host lets administrators in and keeps other sites' requests out.
package queueui

import (
	"fmt"
	"net/http"

	"github.com/hibiken/asynqmon"
	"github.com/redis/go-redis/v9"
)

// UI serves the page, its assets and its API below one path.
type UI struct {
	handler  *asynqmon.HTTPHandler
	writable bool
}

// connection is a parsed Redis URL for asynq, whose own parser knows fewer forms.
type connection struct{ options *redis.Options }

// MakeRedisClient implements asynq.RedisConnOpt.
func (c connection) MakeRedisClient() any { return redis.NewClient(c.options) }

// New makes the page for the path root, "/admin/queues" say. It connects to Redis when it is first asked. Unless it is
// writable it refuses whatever changes something: jobs run again, deleted or put aside, queues paused.
func New(redisURL, root string, writable bool) (*UI, error) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return nil, fmt.Errorf("the URL of Redis: %w", err)
	}
	return &UI{
		handler:  asynqmon.New(asynqmon.Options{RootPath: root, RedisConnOpt: connection{options}, ReadOnly: !writable}),
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
