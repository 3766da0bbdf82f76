package webhook

import (
	"time"

	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/modules/feed/internal/sending"
	"gpatlas/platform/httpapi"
)

// The bodies of messages, for the document.
type (
	changeMessage struct {
		Type      string           `json:"type" doc:"What has happened: a kind of GET /v1/changes/kinds, changes.available, search_match or webhook.test."`
		Timestamp time.Time        `json:"timestamp" doc:"When the event was written to the log (UTC)."`
		Data      changefeed.Event `json:"data" doc:"The event, as GET /v1/changes has it."`
	}
	availableMessage struct {
		Type      string         `json:"type" doc:"What has happened: a kind of GET /v1/changes/kinds, changes.available, search_match or webhook.test."`
		Timestamp time.Time      `json:"timestamp" doc:"When the event was written to the log (UTC)."`
		Data      sending.Notice `json:"data" doc:"Between which cursors the events are."`
	}
	matchMessage struct {
		Type      string          `json:"type" doc:"What has happened: a kind of GET /v1/changes/kinds, changes.available, search_match or webhook.test."`
		Timestamp time.Time       `json:"timestamp" doc:"When the news were found (UTC)."`
		Data      sending.Matches `json:"data" doc:"The news of one saved search in one load."`
	}
	testMessage struct {
		Type      string    `json:"type" doc:"What has happened: a kind of GET /v1/changes/kinds, changes.available, search_match or webhook.test."`
		Timestamp time.Time `json:"timestamp" doc:"When the event was written to the log (UTC)."`
		Data      testData  `json:"data" doc:"The endpoint that is tested."`
	}
	testData struct {
		EndpointID string `json:"endpoint_id" format:"uuid" doc:"ID of the endpoint."`
	}
)

// SchemaName is its name in the OpenAPI document.
func (changeMessage) SchemaName() string { return "WebhookChange" }

// SchemaName is its name in the OpenAPI document.
func (availableMessage) SchemaName() string { return "WebhookChangesAvailable" }

// SchemaName is its name in the OpenAPI document.
func (matchMessage) SchemaName() string { return "WebhookSearchMatch" }

// SchemaName is its name in the OpenAPI document.
func (testMessage) SchemaName() string { return "WebhookTest" }

// SchemaName is its name in the OpenAPI document.
func (testData) SchemaName() string { return "WebhookTestData" }

// webhooks describes what is sent.
func webhooks() []httpapi.Webhook {
	headers := [][3]string{
		{"webhook-id", "ID of the message. It is the same in each attempt.", "msg_mfrggzdfmztwq2lknnwg23tpob"},
		{"webhook-timestamp", "When the request was made, in seconds since 1970. Refuse requests that are older than 5 minutes.", "1794636014"},
		{"webhook-signature", "Signatures, separated by blanks: v1 and a comma, then Base64 of HMAC-SHA256 over id.timestamp.body.", "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="},
	}
	event, _ := changefeed.Example("aum_change")
	at := event.At
	return []httpapi.Webhook{
		{
			Name: "change", Summary: "An event", Text: "One event of `GET /v1/changes` that the endpoint selects.",
			Body: changeMessage{event.Kind, at, event}, Headers: headers,
		},
		{
			Name: "changes-available", Summary: "There are events", Text: "Sent by endpoints of mode notify, and instead of more than 1,000 events of one publication. Ask `GET /v1/changes` with `from` as cursor.",
			Body: availableMessage{sending.Available, at, sending.Notice{
				From: "cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor", To: "cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAAFYV", Count: 15210,
			}}, Headers: headers,
		},
		{
			Name: "search-match", Summary: "News of a saved search", Text: "Sent after a load with news to the endpoints that `PUT /v1/me/searches/{search_id}/alert` names, whatever kinds they select.",
			Body: matchMessage{sending.Match, at, sending.Matches{
				SearchID: "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60", SearchName: "Large buyout firms in Boston", KnownAt: at, Count: 1,
				Matches: []sending.MatchedGP{{CRD: "900001", GPName: "Harbor Ridge Capital Partners LLC", What: "entered", ChangedFields: []string{}}},
				News:    "/v1/me/searches/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60/news?cursor=nws_MTEgOTk5OTk5OTk5OQ",
			}}, Headers: headers,
		},
		{
			Name: "webhook-test", Summary: "A test", Text: "Sent by `POST /v1/me/webhooks/{endpoint_id}/test`.",
			Body: testMessage{sending.Test, at, testData{"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"}}, Headers: headers,
		},
	}
}
