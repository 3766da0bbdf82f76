package delivery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/mail"
)

const (
	// batch is how many mails one connection claims at once. All of them are sent, or put back, before the lease ends.
	batch     = 10
	mailLimit = time.Minute + 10*time.Second // for one mail; the sender allows a minute
	lease     = 20 * time.Minute
	// putBackLimit bounds the final writes after the run was stopped.
	putBackLimit = 10 * time.Second
	// serverFaults is how many consecutive server faults end a run: the mail server is unavailable, and the rest of the queue
	// waits for the next run.
	serverFaults = 3
	// serverWait is how long a mail waits after such a fault.
	serverWait = time.Minute
)

// Processed counts the results of a run.
type Processed struct {
	Sent, Failed, Suppressed, PutBack int64
}

// errServer ends a run.
var errServer = errors.New("the mail server is away: the rest of the queue waits for the next run")

// run is one run of Process.
type run struct {
	*Service

	sent, failed, suppressed, putBack atomic.Int64
	faults                            atomic.Int64 // of the server, consecutive
}

// Process sends what is due, over several connections at once, until nothing is. Several runs can work at the same time, in
// several processes: no mail is claimed twice. A killed run leaves its claimed mails to a run after their lease. The mail
// server may have accepted one of them already; it is sent again with the same Message-ID, and mail programs show it once.
// Nothing else is sent twice.
func (s *Service) Process(ctx context.Context) (Processed, error) {
	r := &run{Service: s}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	errs := make([]error, max(1, s.Connections))
	for i := range errs {
		group.Go(func() {
			if errs[i] = r.work(ctx); errs[i] != nil {
				cancel() // the others put back what they have not sent
			}
		})
	}
	group.Wait()
	return Processed{r.sent.Load(), r.failed.Load(), r.suppressed.Load(), r.putBack.Load()}, first(errs)
}

// first is the error that ended the run; the others followed from it.
func first(errs []error) error {
	var found error
	for _, err := range errs {
		if found == nil || errors.Is(found, context.Canceled) && err != nil {
			found = err
		}
	}
	return found
}

// work claims and sends batch after batch.
func (r *run) work(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err //nolint:wrapcheck // the error is complete
		}
		list, err := r.claim(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		ready := r.prepare(ctx, list)
		for i := range list {
			if err = ctx.Err(); err == nil {
				err = r.deliver(ctx, ready[i])
			}
			if err != nil {
				return errors.Join(err, r.release(ctx, list[i:]))
			}
		}
	}
}

// claim is not interrupted by the end of the run: mails that were claimed without a result would wait for the end of their
// lease.
func (r *run) claim(ctx context.Context) ([]queue.Entry, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackLimit)
	defer cancel()
	return r.Queue.Claim(ctx, batch, lease)
}

// release puts claimed mails back that were not tried. Finished ones stay as they are.
func (r *run) release(ctx context.Context, list []queue.Entry) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackLimit)
	defer cancel()
	var faults []error
	for _, e := range list {
		faults = append(faults, r.Queue.PutBack(ctx, e, "", 0, true))
	}
	return errors.Join(faults...)
}

// deliver sends one mail, and stores the result. An error ends the run; the mail is put back.
func (r *run) deliver(ctx context.Context, p *prepared) error {
	if r.clock.Now().Sub(p.at) > freshFor {
		p = r.prepare(ctx, []queue.Entry{p.entry})[0]
	}
	e := p.entry
	switch {
	case ends(ctx, p.err):
		return p.err
	case p.err != nil: // a fault of this mail or its kind: the others continue
		return r.again(ctx, e, p.err)
	}
	if p.why != nil {
		r.count(p.why.state)
		return r.Queue.Finish(ctx, e, p.why.state, p.why.reason)
	}
	message := render.Message(p.account, p.kind.Category, p.content, p.links, e.MessageID)
	sending, cancel := context.WithTimeout(ctx, mailLimit)
	err := r.Sender.Send(sending, message)
	cancel()
	if err != nil && ctx.Err() != nil {
		return ctx.Err() //nolint:wrapcheck // the run was asked to stop; the mail is put back
	}
	// The server's reply is stored even if the run is stopped meanwhile.
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), putBackLimit)
	defer cancel()
	return r.conclude(ctx, e, message.To.Email, err)
}

// conclude stores the result of an attempt.
func (r *run) conclude(ctx context.Context, e queue.Entry, address string, sent error) error {
	if !refusedServer(sent) {
		r.faults.Store(0)
	}
	switch {
	case sent == nil:
		r.sent.Add(1)
		return r.Queue.Finish(ctx, e, queue.Sent, "")
	case refusedServer(sent):
		r.putBack.Add(1)
		if err := r.Queue.PutBack(ctx, e, reason(sent), serverWait, true); err != nil {
			return err
		}
		if r.faults.Add(1) >= serverFaults {
			return fmt.Errorf("%w: %w", errServer, sent)
		}
		return nil
	case refusedAddress(sent):
		if err := r.Bounces.Bounced(ctx, address, e.ID); err != nil {
			return err
		}
	case !mail.IsPermanent(sent):
		return r.again(ctx, e, sent)
	}
	return r.giveUp(ctx, e, sent)
}

// again schedules another attempt, or gives up after the last one.
func (r *run) again(ctx context.Context, e queue.Entry, sent error) error {
	if e.Attempt >= tries {
		return r.giveUp(ctx, e, sent)
	}
	r.log.WarnContext(ctx, "a mail was not sent and is tried again", slog.String("kind", e.Kind), slog.Int64("mail", e.ID), slog.Int("attempt", e.Attempt), slog.Any("error", sent))
	r.putBack.Add(1)
	return r.Queue.PutBack(ctx, e, reason(sent), wait(e.Attempt), false)
}

func (r *run) giveUp(ctx context.Context, e queue.Entry, sent error) error {
	r.failed.Add(1)
	r.log.WarnContext(ctx, "a mail is given up", slog.String("kind", e.Kind), slog.Int64("mail", e.ID), slog.Int("attempts", e.Attempt), slog.Any("error", sent))
	return r.Queue.Finish(ctx, e, queue.Failed, reason(sent))
}

// reason is the stored text of an error: the reply of a mail server, which contains no address. Other errors are only logged.
func reason(err error) string {
	if e, ok := errors.AsType[*mail.SendError](err); ok {
		return e.Error()
	}
	return queue.Fault
}

func (r *run) count(state string) {
	if state == queue.Failed {
		r.failed.Add(1)
		return
	}
	r.suppressed.Add(1)
}
