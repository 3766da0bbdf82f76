package provider

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"gpatlas/platform/httpclient"
)

// hunter asks Hunter for the business address of a person.
type hunter struct {
	base   *url.URL
	key    string
	client Client
}

// NewHunter makes the provider.
func NewHunter(base *url.URL, key string, client Client) Provider { return &hunter{base, key, client} }

// Name is hunter.
func (*hunter) Name() string { return "hunter" }

// Gives lists the fields that Hunter provides.
func (*hunter) Gives() []string { return []string{Email, Phone, NetworkURL} }

type hunterAnswer struct {
	Data *struct {
		FirstName  string  `json:"first_name"`
		LastName   string  `json:"last_name"`
		Email      string  `json:"email"`
		Score      float64 `json:"score"`
		Phone      string  `json:"phone_number"`
		NetworkURL string  `json:"linkedin_url"`
	} `json:"data"`
}

// Enrich asks /v2/email-finder. The key goes into a header: by default Hunter takes it in the URL, which proxies log.
func (p *hunter) Enrich(ctx context.Context, q Query) (Result, error) {
	query := url.Values{"first_name": {q.First}, "last_name": {q.Last}}
	if q.Domain != "" {
		query.Set("domain", q.Domain)
	} else {
		query.Set("company", q.Firm)
	}
	address := p.base.JoinPath("v2", "email-finder")
	address.RawQuery = query.Encode()
	answer, err := ask[hunterAnswer](ctx, p.client, httpclient.Request{URL: address.String(), Header: http.Header{"X-Api-Key": {p.key}}})
	if err != nil {
		return Result{}, asHunter(err)
	}
	d := answer.Data
	switch {
	case d == nil || d.Score < 0 || d.Score > 100:
		return Result{}, &Error{Kind: Malformed, cause: errIncomplete}
	case d.Email == "":
		return Result{}, &Error{Kind: NoMatch}
	}
	return Result{
		First: d.FirstName, Last: d.LastName, Confidence: d.Score / 100, Email: d.Email, Phone: d.Phone, NetworkURL: d.NetworkURL,
	}.clean(), nil
}

// asHunter maps Hunter's 403, which it sends where others send 429.
func asHunter(err error) error {
	if status, ok := errors.AsType[*httpclient.StatusError](err); ok && status.Status == http.StatusForbidden {
		return &Error{Kind: Limited, cause: status}
	}
	return err
}
