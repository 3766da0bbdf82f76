package board

import "fmt"

// GET api.ashbyhq.com/posting-api/job-board/{board}. All postings come in one response. Those with isListed=false are
// reached by link only, and are left out.
//
//nolint:tagliatelle // the vendor's names
type ashbyListing struct {
	Jobs *[]struct {
		ID                 string `json:"id"`
		Title              string `json:"title"`
		Department         string `json:"department"`
		Team               string `json:"team"`
		EmploymentType     string `json:"employmentType"`
		Location           string `json:"location"`
		SecondaryLocations []struct {
			Location string `json:"location"`
		} `json:"secondaryLocations"`
		IsRemote    *bool  `json:"isRemote"`
		IsListed    *bool  `json:"isListed"`
		PublishedAt string `json:"publishedAt"`
		JobURL      string `json:"jobUrl"`
	} `json:"jobs"`
}

func parseAshby(body []byte) (list []Posting, had int, err error) {
	var l ashbyListing
	if err := decode(body, &l); err != nil {
		return nil, 0, err
	}
	if l.Jobs == nil {
		return nil, 0, fmt.Errorf("%w: it has no jobs", ErrShape)
	}
	for _, j := range *l.Jobs {
		if j.IsListed != nil && !*j.IsListed {
			continue
		}
		places := []string{j.Location}
		for _, s := range j.SecondaryLocations {
			places = append(places, s.Location)
		}
		p := Posting{
			ID: j.ID, Title: j.Title, Department: join(j.Department, j.Team), Location: join(places...),
			EmploymentType: j.EmploymentType, URL: j.JobURL, PostedAt: instant(j.PublishedAt),
		}
		if p.Location == "" && j.IsRemote != nil && *j.IsRemote {
			p.Location = "Remote"
		}
		list = append(list, p)
	}
	return list, len(*l.Jobs), nil
}
