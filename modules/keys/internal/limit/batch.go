package limit

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/redis/go-redis/v9"
)

// mostAtOnce bounds how many questions travel together.
const mostAtOnce = 256

// question is one call of the script.
type question struct {
	key  string
	args [7]any

	answer [4]int64
	err    error
	turn   chan bool // true: answer the next batch yourself; false: you are answered
}

// batcher sends the questions of requests that come while others are on their way in one round trip: a round trip costs
// more than what the script does. Nobody waits for others to come. There is no goroutine of its own: whoever finds none on
// the way goes himself, and afterwards sends the first of those who wait.
type batcher struct {
	rdb redis.UniversalClient

	mu      sync.Mutex
	going   bool
	waiting []*question
}

var questions = sync.Pool{New: func() any { return &question{turn: make(chan bool, 1)} }}

// ask answers q. The question that goes travels with its own request's context, for at most the client's time limits.
func (b *batcher) ask(ctx context.Context, q *question) {
	b.mu.Lock()
	b.waiting = append(b.waiting, q)
	if b.going {
		b.mu.Unlock()
		if !<-q.turn {
			return
		}
		b.mu.Lock()
	}
	b.going = true
	n := min(len(b.waiting), mostAtOnce)
	batch := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	b.mu.Unlock()

	defer func() { // also when the client panics: the others must not wait for ever
		b.mu.Lock()
		if len(b.waiting) > 0 {
			b.waiting[0].turn <- true
		} else {
			b.going, b.waiting = false, nil
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
