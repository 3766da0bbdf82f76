package board

import (
	"encoding/json"
	"fmt"
)

// GET api.lever.co/v0/postings/{site}?mode=json&skip=&limit=. The response is a bare array; createdAt has milliseconds.
//
//nolint:tagliatelle // the vendor's names
type leverPosting struct {
	ID         string `json:"id"`
	Text       string `json:"text"`
	Categories *struct {
		Commitment   string   `json:"commitment"`
		Department   string   `json:"department"`
		Team         string   `json:"team"`
		Location     string   `json:"location"`
		AllLocations []string `json:"allLocations"`
	} `json:"categories"`
	CreatedAt json.Number `json:"createdAt"`
	HostedURL string      `json:"hostedUrl"`
}

func parseLever(body []byte) (list []Posting, had int, err error) {
	var l []leverPosting
	if err := decode(body, &l); err != nil {
		return nil, 0, err
	}
	if l == nil {
		return nil, 0, fmt.Errorf("%w: it is null", ErrShape)
	}
	for _, j := range l {
		p := Posting{ID: j.ID, Title: j.Text, URL: j.HostedURL, PostedAt: millis(j.CreatedAt)}
		if c := j.Categories; c != nil {
			p.Department, p.EmploymentType = join(c.Department, c.Team), c.Commitment
			p.Location = join(append([]string{c.Location}, c.AllLocations...)...)
		}
		list = append(list, p)
	}
	return list, len(l), nil
}
