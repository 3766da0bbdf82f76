package webhook

import (
	"context"
	"net/http"

	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{row{}}, Jobs: Handlers(s),
		Schedules: []jobs.Schedule{{Type: CleanupJob, Cron: "20 4 * * *", Bucket: jobs.Daily}},
	}
}

// mostBytes is the largest body of an event.
const mostBytes = 1 << 20

// Routes are the slice's operations.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Post("/v1/billing/webhook", "receive-billing-event", s.receive,
			httpapi.Tag("Billing"), httpapi.Grant(httpapi.Signature), httpapi.Volatile(), httpapi.MaxBody(mostBytes),
			httpapi.Summary("Receive an event of the payment processor"), httpapi.Describe(receiveText),
			httpapi.Errors(http.StatusRequestEntityTooLarge), httpapi.Refuses(errSignature(stripe.ErrSignature), stripe.ErrOff)),
	}
}

const receiveText = `Receives the events of Stripe. The body must be signed with one of the endpoint's secrets: ` + "`Stripe-Signature: t=SECONDS,v1=HEX`" + `, not more than 300 seconds before or after the server's time. A body that is not is refused with 400 and changes nothing.

Each event is handled once. A further delivery returns ` + "`\"duplicate\": true`" + `. Applied are ` + "`checkout.session.completed`, `customer.subscription.created`, `.updated`, `.paused`, `.resumed` and `.deleted`, `invoice.payment_succeeded` and `invoice.payment_failed`" + `, in whatever order they arrive; other events are stored and ignored. Any status but 200 means that nothing was stored and that the event must be sent again. Without a Stripe key in the server's settings, the response is 503.`

type input struct {
	Signature string `header:"Stripe-Signature" doc:"Signature of the body." example:"t=1795338000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"`
	RawBody   []byte
}

// Received is the response to an event.
//
// Spec: not shown; Stripe reads only the status.
type Received struct {
	Received  bool `json:"received" doc:"Always true." example:"true"`
	Duplicate bool `json:"duplicate,omitempty" doc:"true: the event was handled before, and this delivery changed nothing." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (Received) SchemaName() string { return "BillingEventReceived" }

func (s *Service) receive(ctx context.Context, in *input) (*httpapi.Reply[Received], error) {
	duplicate, err := s.Receive(ctx, in.RawBody, in.Signature)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[Received]{Body: Received{Received: true, Duplicate: duplicate}}, nil
}
