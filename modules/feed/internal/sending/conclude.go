package sending

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"gpatlas/platform/database"
	"gpatlas/platform/mail"
)

const (
	// disableAfter and disableTries are how long, and how often, an endpoint fails without a success until it is disabled.
	disableAfter = 5 * 24 * time.Hour
	disableTries = 20
)

// The reasons why an endpoint is disabled.
const (
	whyGone    = "gone"    // it answered 410
	whyFailing = "failing" // for five days
)

// concludeMost is how many results are stored at once.
const concludeMost = 64

// conclude stores a result, with others that are there already. What cannot be stored is sent again after the lease.
func (s *Service) conclude(ctx context.Context, first result) {
	list := []result{first}
	for more := true; more && len(list) < concludeMost; {
		select {
		case r := <-s.results:
			list = append(list, r)
		default:
			more = false
		}
	}
	for i := range list {
		took := list[i].took
		if !list[i].ok() {
			took = failure
		}
		s.slots.end(list[i].to, list[i].suspect, took)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackLimit)
	defer cancel()
	if err := s.DB.InTx(ctx, func(ctx context.Context) error { return s.record(ctx, list) }); err != nil {
		s.Log.WarnContext(ctx, "results of webhooks could not be stored; they are sent again", slog.Int("messages", len(list)), slog.Any("error", err))
	}
}

// outcome is what some results mean for an endpoint.
type outcome struct {
	success  bool // there is one; failures are counted from it
	failures int
	since    time.Time // of the first of them
	gone     bool
}

// record stores results. Endpoints are locked before messages, as by the dispatcher.
func (s *Service) record(ctx context.Context, list []result) error {
	outcomes := map[string]*outcome{}
	var endpoints, ids, states, faults, said []string
	var nos, statuses, times []int
	var nexts []*time.Time
	var ats []time.Time
	for i := range list {
		r := &list[i]
		state, next := s.next(r)
		endpoints, ids, nos, states, nexts = append(endpoints, r.EndpointID), append(ids, r.ID), append(nos, r.Attempts), append(states, state), append(nexts, next)
		ats, statuses, times, faults, said = append(ats, r.at), append(statuses, r.status), append(times, int(r.took.Milliseconds())), append(faults, r.err), append(said, r.said)
		if r.unsent || r.ok() && r.to.Streak == 0 && outcomes[r.EndpointID] == nil {
			continue // nothing changes at the endpoint
		}
		o := outcomes[r.EndpointID]
		if o == nil {
			o = &outcome{}
			outcomes[r.EndpointID] = o
		}
		o.add(r)
	}
	if err := s.judge(ctx, outcomes); err != nil {
		return err
	}
	_, err := database.Run(ctx, s.DB, "store attempts of webhooks", concludeSQL, database.Args{
		"endpoints": endpoints, "ids": ids, "nos": nos, "states": states, "nexts": nexts, "ats": ats, "statuses": statuses, "times": times, "errors": faults, "said": said,
	})
	return err
}

func (o *outcome) add(r *result) {
	switch {
	case r.ok():
		*o = outcome{success: true}
	default:
		if o.failures++; o.failures == 1 {
			o.since = r.at
		}
		o.gone = o.gone || r.status == http.StatusGone
	}
}

// next is the state of a message after an attempt, and when it is due again.
func (s *Service) next(r *result) (state string, at *time.Time) {
	const done, failed, waiting = "done", "failed", "waiting"
	if r.ok() {
		return done, nil
	}
	d, again := wait(r.Tries)
	if !again || r.unsent {
		return failed, nil
	}
	return waiting, new(s.Clock.Now().Add(max(d, min(r.retryAfter, retryAfterMost))))
}

const (
	lockSQL = `SELECT id, user_id, url, state, streak, failing_since FROM feed.endpoints WHERE id = ANY (@ids::uuid[]) ORDER BY id FOR NO KEY UPDATE`
	markSQL = `UPDATE feed.endpoints SET streak = @streak, failing_since = @since WHERE id = @id`
	stopSQL = `UPDATE feed.endpoints SET state = 'disabled', why = @why, updated_at = @now WHERE id = @id`
)

// judge counts failures of endpoints and disables those that fail for days, with a mail.
func (s *Service) judge(ctx context.Context, outcomes map[string]*outcome) error {
	ids := make([]string, 0, len(outcomes))
	for id := range outcomes {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := database.Select[struct {
		ID           string
		UserID       int64
		URL          string `db:"url"`
		State        string
		Streak       int
		FailingSince *time.Time
	}](ctx, s.DB, "lock webhook endpoints", lockSQL, database.Args{"ids": ids})
	if err != nil {
		return err
	}
	now := s.Clock.Now()
	for _, e := range rows {
		o := outcomes[e.ID]
		if o.success {
			e.Streak, e.FailingSince = 0, nil
		}
		if o.failures > 0 && e.FailingSince == nil {
			e.FailingSince = &o.since
		}
		e.Streak += o.failures
		args := database.Args{"id": e.ID, "streak": e.Streak, "since": e.FailingSince, "now": now}
		if _, err := database.Run(ctx, s.DB, "count failures of a webhook", markSQL, args); err != nil {
			return err
		}
		failing := e.Streak >= disableTries && now.Sub(*e.FailingSince) >= disableAfter
		if e.State != "active" || !o.gone && !failing {
			continue
		}
		why := whyFailing
		if o.gone {
			why = whyGone
		}
		args["why"] = why
		if _, err := database.Run(ctx, s.DB, "disable a webhook", stopSQL, args); err != nil {
			return err
		}
		if err := s.mail(ctx, e.UserID, e.ID, e.URL, why, *e.FailingSince, now); err != nil {
			return err
		}
	}
	return nil
}

// Disabled is the data of the mail about a disabled endpoint.
type Disabled struct {
	EndpointID string    `json:"endpoint_id"`
	URL        string    `json:"url"` // without its query, which may hold a secret
	Why        string    `json:"why"`
	Since      time.Time `json:"since"` // of the first failure
}

func (s *Service) mail(ctx context.Context, user int64, id, address, why string, since, now time.Time) error {
	shown := ""
	if u, err := url.Parse(address); err == nil {
		shown = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
	}
	return mail.Notify(ctx, s.Queue, mail.Notification{
		Kind: MailKind, UserID: user, Key: fmt.Sprintf("%s:%s:%s", MailKind, id, now.UTC().Format(time.RFC3339Nano)),
		Data: Disabled{id, shown, why, since.UTC()},
	})
}

// MailKind is the kind of the mail about a disabled endpoint.
const MailKind = "webhook_disabled"
