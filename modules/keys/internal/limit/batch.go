package limit

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/redis/go-redis/v9"
)

// mostAtOnce is the maximum number of questions in one round trip.
const mostAtOnce = 256

// question is one request for the script.
type question struct {
	subject string
	numbers numbers

	answer answer
	err    error
	turn   chan bool // true: send it yourself; false: it has been answered
}

// batcher sends the questions that arrive during a round trip together in the next one: a round trip costs more than the
// script, on both sides, so there is one at a time. No question waits for others to arrive. There is no goroutine of its own:
// a caller that finds no round trip under way sends, and afterwards passes that role to the first waiting one.
type batcher struct {
	rdb redis.UniversalClient

	mu      sync.Mutex
	going   bool
	waiting []*question
}

var questions = sync.Pool{New: func() any { return &question{turn: make(chan bool, 1)} }}

// ask answers q. The round trip uses the context of the request that sends it, within the client's time limits.
func (b *batcher) ask(ctx context.Context, q *question) {
	b.mu.Lock()
	if b.going {
		b.waiting = append(b.waiting, q)
		b.mu.Unlock()
		if !<-q.turn {
			return
		}
	} else {
		b.going = true
		b.mu.Unlock()
	}
	// Let requests that are ready to run join. If there are none, this costs nothing.
	runtime.Gosched()
	batch := b.with(q)

	defer func() { // also when the client panics: the others must not wait for ever
		b.mu.Lock()
		if b.going = len(b.waiting) > 0; b.going {
			first := b.waiting[0]
			b.waiting = b.waiting[1:]
			first.turn <- true
		}
		b.mu.Unlock()
		for _, other := range batch[1:] {
			other.turn <- false
		}
	}()
	for _, each := range batch {
		each.err = errUnanswered
	}
	b.send(context.WithoutCancel(ctx), batch)
}

// with takes the waiting questions off the list, up to the limit, after q.
func (b *batcher) with(q *question) []*question {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(b.waiting), mostAtOnce-1)
	batch := append(append(make([]*question, 0, 1+n), q), b.waiting[:n]...)
	if b.waiting = b.waiting[n:]; len(b.waiting) == 0 {
		b.waiting = nil
	}
	return batch
}

var errUnanswered = errors.New("limit: the question was not answered")

// send asks Redis.
func (b *batcher) send(ctx context.Context, batch []*question) {
	subjects, told := make([]string, len(batch)), make([]numbers, len(batch))
	for i, q := range batch {
		subjects[i], told[i] = q.subject, q.numbers
	}
	answers, err := run(ctx, b.rdb, subjects, told)
	for i, q := range batch {
		if q.err = err; err == nil {
			q.answer = answers[i]
		}
	}
}
