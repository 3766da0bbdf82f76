package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"gpatlas/platform/httpclient"
)

// generic asks a service of the operator's own that implements docs/people.md.
type generic struct {
	name    string
	address *url.URL
	key     string // may be empty
	client  Client
}

// NewHTTP makes the provider.
func NewHTTP(name string, address *url.URL, key string, client Client) Provider {
	return &generic{name, address, key, client}
}

// Name is the name that the operator configured.
func (p *generic) Name() string { return p.name }

// Gives lists all fields.
func (*generic) Gives() []string { return []string{Email, Phone, Location, NetworkURL, Schools, Posts} }

type genericQuery struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Firm      string `json:"firm"`
	Domain    string `json:"domain"`
	CRD       string `json:"crd"`
	Title     string `json:"title"`
}

type genericAnswer struct {
	Confidence *float64 `json:"confidence"`
	Person     *struct {
		FirstName  string       `json:"first_name"`
		LastName   string       `json:"last_name"`
		Email      string       `json:"email"`
		Phone      string       `json:"phone"`
		Location   string       `json:"location"`
		NetworkURL string       `json:"professional_network_url"`
		Education  []Education  `json:"education"`
		Experience []Experience `json:"experience"`
	} `json:"person"`
}

// Enrich posts the query.
func (p *generic) Enrich(ctx context.Context, q Query) (Result, error) {
	body, err := json.Marshal(genericQuery{q.First, q.Last, q.Firm, q.Domain, q.CRD, q.Title})
	if err != nil {
		return Result{}, err
	}
	request := httpclient.Request{Method: http.MethodPost, URL: p.address.String(), Header: http.Header{}, Body: body}
	if p.key != "" {
		request.Header.Set("Authorization", "Bearer "+p.key)
	}
	answer, err := ask[genericAnswer](ctx, p.client, request)
	if err != nil {
		return Result{}, err
	}
	d := answer.Person
	if d == nil || answer.Confidence == nil || *answer.Confidence < 0 || *answer.Confidence > 1 {
		return Result{}, &Error{Kind: Malformed, cause: errIncomplete}
	}
	return Result{
		First: d.FirstName, Last: d.LastName, Confidence: *answer.Confidence, Email: d.Email, Phone: d.Phone, Location: d.Location,
		NetworkURL: d.NetworkURL, Education: d.Education, Experience: d.Experience,
	}.clean(), nil
}
