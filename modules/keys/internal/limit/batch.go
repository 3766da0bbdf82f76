package limit

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/redis/go-redis/v9"
)

const (
	// mostAtOnce bounds how many questions travel together.
	mostAtOnce = 256
	// mostTrips bounds how many round trips go on at once: while the answers of one come in, Redis works on another.
	mostTrips = 2
)

// question is one call of the script.
type question struct {
	key  string
	args [8]any

	answer [4]int64
	err    error
	turn   chan bool // true: go yourself, with those in along; false: you are answered
	along  []*question
}

// batcher sends the questions of requests that come while others are on their way in one round trip: a round trip costs
// more than what the script does. Nobody waits for others to come. There is no goroutine of its own: whoever finds a
// free way goes himself, and afterwards sends the first of those who wait.
type batcher struct {
	rdb redis.UniversalClient

	mu      sync.Mutex
	going   int // round trips
	waiting []*question
}

var questions = sync.Pool{New: func() any { return &question{turn: make(chan bool, 1)} }}

// ask answers q. The question that goes travels with its own request's context, for at most the client's time limits.
func (b *batcher) ask(ctx context.Context, q *question) {
	b.mu.Lock()
	b.waiting = append(b.waiting, q)
	if b.going == mostTrips {
		b.mu.Unlock()
		if !<-q.turn {
			return
		}
	} else {
		b.going++
		q.along = b.next()
		b.mu.Unlock()
	}
	batch := q.along
	q.along = nil

	defer func() { // also when the client panics: the others must not wait for ever
		b.mu.Lock()
		if len(b.waiting) > 0 {
			first := b.waiting[0]
			first.along = b.next()
			first.turn <- true
		} else {
			b.going--
		}
		b.mu.Unlock()
		for _, other := range batch {
			if other != q {
				other.turn <- false
			}
		}
	}()
	for _, each := range batch {
		each.err = errUnanswered
	}
	b.send(context.WithoutCancel(ctx), batch)
}

// next takes those who wait off the list, as many as may travel together. The caller holds the lock.
func (b *batcher) next() []*question {
	n := min(len(b.waiting), mostAtOnce)
	batch := b.waiting[:n:n]
	if b.waiting = b.waiting[n:]; len(b.waiting) == 0 {
		b.waiting = nil
	}
	return batch
}

var errUnanswered = errors.New("limit: the question was not answered")

// send asks Redis, a second time where it does not know the script yet (after a restart).
func (b *batcher) send(ctx context.Context, batch []*question) {
	unknown := b.exec(ctx, batch, script.EvalSha)
	if len(unknown) > 0 {
		b.exec(ctx, unknown, script.Eval)
	}
}

type call func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

// exec makes one round trip and gives back the questions for which Redis lacks the script.
func (b *batcher) exec(ctx context.Context, batch []*question, eval call) (unknown []*question) {
	pipe := b.rdb.Pipeline()
	commands := make([]*redis.Cmd, len(batch))
	for i, q := range batch {
		commands[i] = eval(ctx, pipe, []string{q.key}, q.args[:]...)
	}
	_, _ = pipe.Exec(ctx) // each command has its own error
	for i, q := range batch {
		var list []any
		if list, q.err = commands[i].Slice(); q.err != nil {
			if redis.HasErrorPrefix(q.err, "NOSCRIPT") {
				unknown = append(unknown, q)
			}
			continue
		}
		q.err = q.read(list)
	}
	return unknown
}

func (q *question) read(list []any) error {
	if len(list) != len(q.answer) {
		return fmt.Errorf("limit: the script answered %d values", len(list))
	}
	for i, v := range list {
		n, ok := v.(int64)
		if !ok {
			return fmt.Errorf("limit: the script answered a %T", v)
		}
		q.answer[i] = n
	}
	return nil
}
