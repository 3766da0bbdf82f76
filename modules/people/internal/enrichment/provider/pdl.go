package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gpatlas/platform/httpclient"
)

// pdl asks People Data Labs. It requests only business contacts, no private addresses or numbers.
type pdl struct {
	base   *url.URL
	key    string
	least  int // minimum likelihood
	client Client
}

// NewPDL makes the provider. least is the minimum likelihood of a match, 1 to 10.
func NewPDL(base *url.URL, key string, least int, client Client) Provider {
	return &pdl{base, key, least, client}
}

// Name is pdl.
func (*pdl) Name() string { return "pdl" }

// Gives lists the fields that People Data Labs provides.
func (*pdl) Gives() []string { return []string{Email, Location, NetworkURL, Schools, Posts} }

// masked is a text. People Data Labs sends true or false in place of a text that the operator's plan does not include; that is
// read as empty.
type masked string

// UnmarshalJSON accepts texts, booleans and null.
func (m *masked) UnmarshalJSON(b []byte) error {
	if string(b) == "true" || string(b) == "false" {
		*m = ""
		return nil
	}
	return json.Unmarshal(b, (*string)(m))
}

type pdlAnswer struct {
	Likelihood int `json:"likelihood"`
	Data       *struct {
		FirstName  string `json:"first_name"`
		LastName   string `json:"last_name"`
		WorkEmail  masked `json:"work_email"`
		Location   masked `json:"location_name"`
		NetworkURL masked `json:"linkedin_url"`
		Education  []struct {
			School  *pdlNamed `json:"school"`
			Degrees []string  `json:"degrees"`
			Majors  []string  `json:"majors"`
			Start   string    `json:"start_date"`
			End     string    `json:"end_date"`
		} `json:"education"`
		Experience []struct {
			Company *pdlNamed `json:"company"`
			Title   *pdlNamed `json:"title"`
			Start   string    `json:"start_date"`
			End     string    `json:"end_date"`
		} `json:"experience"`
	} `json:"data"`
}

type pdlNamed struct {
	Name string `json:"name"`
}

func (n *pdlNamed) String() string {
	if n == nil {
		return ""
	}
	return n.Name
}

// Enrich asks /v5/person/enrich. An unknown person is a 404, which costs nothing.
func (p *pdl) Enrich(ctx context.Context, q Query) (Result, error) {
	address := p.base.JoinPath("v5", "person", "enrich")
	address.RawQuery = url.Values{
		"first_name": {q.First}, "last_name": {q.Last}, "company": {q.Firm}, "min_likelihood": {strconv.Itoa(p.least)}, "titlecase": {"true"},
	}.Encode()
	answer, err := ask[pdlAnswer](ctx, p.client, httpclient.Request{URL: address.String(), Header: http.Header{"X-Api-Key": {p.key}}})
	switch {
	case err != nil:
		return Result{}, err
	case answer.Data == nil || answer.Likelihood < 1 || answer.Likelihood > 10:
		return Result{}, &Error{Kind: Malformed, cause: errIncomplete}
	case answer.Likelihood < p.least:
		return Result{}, &Error{Kind: NoMatch}
	}
	d := answer.Data
	r := Result{
		First: d.FirstName, Last: d.LastName, Confidence: float64(answer.Likelihood) / 10,
		Email: string(d.WorkEmail), Location: string(d.Location), NetworkURL: string(d.NetworkURL),
	}
	for _, e := range d.Education {
		r.Education = append(r.Education, Education{
			School: e.School.String(), Degree: strings.Join(e.Degrees, ", "), Field: strings.Join(e.Majors, ", "), From: e.Start, To: e.End,
		})
	}
	for _, e := range d.Experience {
		r.Experience = append(r.Experience, Experience{Firm: e.Company.String(), Title: e.Title.String(), From: e.Start, To: e.End})
	}
	return r.clean(), nil
}
