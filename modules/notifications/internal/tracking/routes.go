package tracking

import (
	"context"
	_ "embed"
	"net/http"
	"time"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{mailRow{}, linkRow{}, hitRow{}}, Jobs: Handlers(s),
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "10 4 * * *", Bucket: jobs.Daily}},
		Exporters: []module.Exporter{module.Export("notification_tracking", s.store.exported)},
		Purged:    []module.AccountListener{s.AccountPurged}, Background: []module.Background{s.counter},
	}
}

// SweepJob removes old tracked mails.
const SweepJob = "notifications.sweep_tracking"

// Handlers are the slice's jobs.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: SweepJob, Queue: jobs.Low, Timeout: 10 * time.Minute, Retries: 3, Run: jobs.Plain(s.Sweep)}}
}

// Routes are the operations that mails lead to. They check neither credentials nor limits: a mail program has none, and a whole
// company may share an IP address.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(openPath+"{tracking_id}"+openEnd, "track-open", s.open, httpapi.Produces("image/png"),
			httpapi.Summary("Record that an email was opened"), httpapi.Describe(openText)),
		httpapi.Get(clickPath+"{tracking_id}", "track-click", s.click, httpapi.Success(http.StatusFound),
			httpapi.Summary("Record a click and redirect"), httpapi.Describe(clickText),
			httpapi.Errors(http.StatusServiceUnavailable), httpapi.Refuses(errNoLink)),
	}, httpapi.Tag("Notifications"), httpapi.Unguarded(), httpapi.Discreet(), httpapi.Volatile())
}

const openText = `Always returns the same transparent image of 1×1 pixel, also for IDs that do not exist. HEAD is not counted. Openings by link scanners and mail proxies are counted separately. Neither IP address nor user agent is stored.`

const clickText = `Redirects to a destination that the email contained under this ID. Any other destination returns 400, an unknown ID 404. HEAD is not counted. Clicks by link scanners are counted separately. Neither IP address nor user agent is stored.`

type openInput struct {
	ID        string `path:"tracking_id" doc:"ID of the email." example:"k2m7qz5x3n6v4b2c4l7w3t5yad"`
	UserAgent string `header:"User-Agent" doc:"Tells people from machines. Not stored." example:"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36"`
}

type clickInput struct {
	ID        string `path:"tracking_id" doc:"ID of the link." example:"k2m7qz5x3n6v4b2c4l7w3t5yad"`
	URL       string `query:"url" required:"true" maxLength:"2100" doc:"Destination, in base64 (standard or URL-safe, with or without padding)." example:"aHR0cHM6Ly9hdGxhcy5leGFtcGxlL2FjY291bnQ"`
	UserAgent string `header:"User-Agent" doc:"Tells people from machines. Not stored." example:"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36"`
}

// pixel is a transparent PNG of 1×1 pixel.
//
//go:embed pixel.png
var pixel []byte

func (s *Service) open(ctx context.Context, in *openInput) (*httpapi.Reply[httpapi.Bytes], error) {
	if !httpapi.IsHead(ctx) {
		s.Open(in.ID, in.UserAgent)
	}
	return &httpapi.Reply[httpapi.Bytes]{Raw: pixel}, nil
}

func (s *Service) click(ctx context.Context, in *clickInput) (*httpapi.Reply[httpapi.Bytes], error) {
	destination, err := s.Click(ctx, in.ID, in.URL, in.UserAgent, httpapi.IsHead(ctx))
	if err != nil {
		return nil, err
	}
	return httpapi.Redirect[httpapi.Bytes](destination), nil
}
