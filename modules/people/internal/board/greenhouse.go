package board

import (
	"encoding/json"
	"fmt"
)

// GET boards-api.greenhouse.io/v1/boards/{token}/jobs?content=true. Departments are included only with content=true. The
// content itself, entity-escaped HTML, is not kept. updated_at changes with every edit, so it is not the day of posting.
type greenhouseListing struct {
	Jobs *[]struct {
		ID             json.Number `json:"id"`
		Title          string      `json:"title"`
		FirstPublished string      `json:"first_published"` // missing on older boards
		AbsoluteURL    string      `json:"absolute_url"`
		Location       *struct {
			Name string `json:"name"`
		} `json:"location"`
		Departments []struct {
			Name string `json:"name"`
		} `json:"departments"`
	} `json:"jobs"`
	Meta *struct {
		Total *int `json:"total"`
	} `json:"meta"`
}

func parseGreenhouse(body []byte) (list []Posting, had int, err error) {
	var l greenhouseListing
	if err := decode(body, &l); err != nil {
		return nil, 0, err
	}
	if l.Jobs == nil {
		return nil, 0, fmt.Errorf("%w: it has no jobs", ErrShape)
	}
	had = len(*l.Jobs)
	if l.Meta != nil && l.Meta.Total != nil && *l.Meta.Total != had {
		return nil, 0, fmt.Errorf("%w: it has %d jobs and says %d", ErrShape, had, *l.Meta.Total)
	}
	for _, j := range *l.Jobs {
		p := Posting{ID: j.ID.String(), Title: j.Title, URL: j.AbsoluteURL, PostedAt: instant(j.FirstPublished)}
		if j.Location != nil {
			p.Location = j.Location.Name
		}
		names := make([]string, len(j.Departments))
		for i, d := range j.Departments {
			names[i] = d.Name
		}
		p.Department = join(names...)
		list = append(list, p)
	}
	return list, had, nil
}
