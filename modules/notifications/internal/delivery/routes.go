package delivery

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Job delivers the queue.
const Job = "notifications.process_queue"

// jobTimeout is shorter than the interval between two runs; the next run continues.
const jobTimeout = 55 * time.Minute

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Jobs: Handlers(s), Schedules: []jobs.Schedule{{Type: Job, Cron: "20 * * * *", Bucket: jobs.Hourly}}}
}

// Handlers are the jobs of the delivery.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: Job, Timeout: jobTimeout, Retries: 3, Run: func(ctx context.Context, _ []byte) error {
		done, err := s.Process(ctx)
		s.log.InfoContext(ctx, "the queue of mails was processed", slog.Int64("sent", done.Sent), slog.Int64("failed", done.Failed),
			slog.Int64("suppressed", done.Suppressed), slog.Int64("put_back", done.PutBack))
		return err
	}}}
}

// Routes are the slice's operations.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		jobs.Route(jobs.Start{
			Path: "/v1/admin/jobs/process-queue", ID: "run-process-queue", Summary: "Send the waiting emails", Text: startText,
			Job: Job, Bucket: jobs.Hourly, Every: "hour", ByHand: jobs.Manual, EveryByHand: "minute",
		}, s.clock, s.starts),
		httpapi.Post("/v1/me/notifications/test", "send-test-notification", s.sendTest,
			httpapi.Tag("Notifications"), httpapi.Grant(httpapi.Login), httpapi.Volatile(), httpapi.NotIdempotent(),
			httpapi.Summary("Send a test email"), httpapi.Describe(testText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable), httpapi.Refuses(errUnverified)),
	}
}

const startText = `Starts a job that sends the emails that wait in the queue: about trials, digests and market reports. Preferences, the registry and daily limits are checked again for each email. The worker also starts it by schedule, every hour; a call starts a run of its own.`

const testText = `Sends an email to the account's address at once, so that you can see whether our emails arrive and what they look like: its text is that of the real email of this kind, its data is invented, and its subject begins with ` + "`[Test]`" + `. Preferences are not asked. The address must be verified (409). If the mail server refuses the address for good, the response is 409 as well; it does not count as a bounce. An account can send 5 test emails per day (UTC, 429).`

// Tested is the answer to a test.
type Tested struct {
	Sent    bool   `json:"sent" doc:"Always true: the mail server has accepted the email." example:"true"`
	Message string `json:"message" doc:"Message to show to the person." example:"The test email was sent to your address."`
}

// SchemaName is its name in the OpenAPI document.
func (Tested) SchemaName() string { return "NotificationTested" }

// TestInput is the request of a test.
type TestInput struct {
	Kind string `query:"kind" enum:"notification_test,activity_digest,market_intel,trial_ending,trial_ended" default:"notification_test" doc:"Which email to send. Default: a short one that says that emails arrive." example:"activity_digest"`
}

// Spec: not shown; kind is ours.
func (s *Service) sendTest(ctx context.Context, in *TestInput) (*httpapi.Reply[httpapi.Data[Tested]], error) {
	if err := s.Test(ctx, auth.From(ctx).UserID, in.Kind); err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[Tested]]{Body: httpapi.Data[Tested]{Data: Tested{true, "The test email was sent to your address."}}}, nil
}
